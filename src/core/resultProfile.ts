import type { ClientInfo } from '../ports/principal.ts';

/** What one client makes of a result, and how long it lets a call wait. Display and economy only, never permission. */
export interface ResultProfile {
  /** Which blocks the client hands to its model; a result is complete as text alone and as structured content alone. */
  readonly text: boolean;
  readonly structured: boolean;
  readonly links: boolean;
  readonly embedded: boolean;
  /** Bytes of a list or search page; undefined means no limit. */
  readonly pageBytes: number | undefined;
  /** How long a call may wait for a human, in seconds. */
  readonly approvalSeconds: number;
}

/** For a client nobody has measured: everything, in pages that every known client passes on whole (product.md, "Results"). */
export const defaultProfile: ResultProfile = {
  text: true,
  structured: true,
  links: true,
  embedded: true,
  pageBytes: 10_000,
  approvalSeconds: 25,
};

/** Measured waits: these clients took a call of 75 s, and Gemini CLI allows ten minutes (protocol.md 1b). */
const measured: readonly { readonly name: RegExp; readonly profile: Partial<ResultProfile> }[] = [
  { name: /^claude-code$/i, profile: { approvalSeconds: 60 } },
  { name: /^codex/i, profile: { approvalSeconds: 60 } },
  { name: /^gemini-cli/i, profile: { approvalSeconds: 300 } },
];

/** The profile of a client by the name it claims; `overrides` is the user's setting, by exact client name. */
export function profileFor(
  client: ClientInfo | undefined,
  overrides: Readonly<Record<string, Partial<ResultProfile>>>,
): ResultProfile {
  const name = client?.name ?? '';
  const known = measured.find((entry) => entry.name.test(name))?.profile;
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  return { ...defaultProfile, ...known, ...own };
}
