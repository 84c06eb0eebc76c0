/** What a command of the manifest does; the names are without `drawbridge.`. */
export type Commands = Readonly<Record<string, (...parameters: readonly unknown[]) => unknown>>;
