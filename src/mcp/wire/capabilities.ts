/** The capabilities of a window's server, the same for every window of a version. */
export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;

/** Returns the server information, the same from a window and from the bridge. */
export function serverInfo(version: string): {
  readonly name: string;
  readonly title: string;
  readonly version: string;
} {
  return { name: 'drawbridge', title: 'Drawbridge', version };
}
