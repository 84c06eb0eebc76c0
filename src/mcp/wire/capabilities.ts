/** What a window's server can do, the same for every window of a version. */
export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;

/** How the server names itself, whether a window answers or the bridge does. */
export function serverInfo(version: string): {
  readonly name: string;
  readonly title: string;
  readonly version: string;
} {
  return { name: 'drawbridge', title: 'Drawbridge', version };
}
