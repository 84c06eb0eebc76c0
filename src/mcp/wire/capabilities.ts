/** The one revision without sessions. */
export const modernRevision = '2026-07-28';
/** The revisions with sessions, newest first. */
export const sessionRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

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
