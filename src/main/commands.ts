/** The functions of the manifest's commands, by name without `drawbridge.`. */
export type Commands = Readonly<Record<string, (...parameters: readonly unknown[]) => unknown>>;
