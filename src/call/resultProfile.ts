import type { ClientInfo } from '#base/principal.ts';
import type { PageLimits } from './tool.ts';

/** What one client makes of a result, and how long it lets a call wait. Display and economy only, never permission. */
export interface ResultProfile {
  /** Which blocks the client hands to its model; a result is complete as text alone and as structured content alone. */
  readonly text: boolean;
  readonly structured: boolean;
  readonly links: boolean;
  readonly embedded: boolean;
  /** Bytes of a list or search page as the model sees it; undefined means no limit. */
  readonly pageBytes: number | undefined;
  /** Bytes of one read as the model sees it, line numbers and escapes included. The user's own cap counts too. */
  readonly readBytes: number;
  /** How long a call may wait for a human, in seconds. */
  readonly approvalSeconds: number;
}

/** For a client nobody has measured: everything, in pages that every known client passes on whole. */
export const defaultProfile: ResultProfile = {
  text: true,
  structured: true,
  links: true,
  embedded: true,
  pageBytes: 10_000,
  readBytes: 65_536,
  approvalSeconds: 25,
};

/**
 * The text alone. It costs a model less than the same as JSON (test/bench/economy.json), and every path is in it already, so
 * that links and copies say nothing new; without structured content each of these clients hands the text on as it is.
 */
const textAlone = { structured: false, links: false, embedded: false } as const;

/** By the names that the clients give themselves. Sizes and waits are what was measured of them. */
const known: readonly { readonly name: RegExp; readonly profile: Partial<ResultProfile> }[] = [
  // Take structured content instead of the text where there is both.
  { name: /^claude-code$/i, profile: { ...textAlone, readBytes: 45_000, approvalSeconds: 60 } },
  { name: /^codex/i, profile: { ...textAlone, readBytes: 10_000, approvalSeconds: 60 } },
  { name: /^(visual studio code|code - oss|vscodium|code-server)/i, profile: textAlone },
  // Takes both, so that its model would pay twice (github/copilot-cli#4515).
  { name: /^(github-copilot|copilot)/i, profile: textAlone },
  // Take the text.
  { name: /^gemini-cli/i, profile: { ...textAlone, readBytes: 25_000, approvalSeconds: 300 } },
  { name: /^opencode/i, profile: { ...textAlone, readBytes: 45_000 } },
  { name: /^(cursor|(@)?cline|roo|windsurf|goose|zed)/i, profile: textAlone },
  // Drops a whole result for one link in it (kirodotdev/Kiro#8960).
  { name: /^(kiro|q dev cli)/i, profile: textAlone },
];

/** The first revision of MCP that knows structured content. */
const structuredSince = '2025-06-18';

/**
 * The profile of a client by the name it claims.
 * @param overrides the user's setting, by exact client name
 * @param revision as negotiated; undefined, when it was not, counts as the newest. They are dates, so they compare as text.
 */
export function profileFor(
  client: ClientInfo | undefined,
  overrides: Readonly<Record<string, Partial<ResultProfile>>>,
  revision?: string,
): ResultProfile {
  const name = client?.name ?? '';
  const measured = known.find((entry) => entry.name.test(name))?.profile;
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  const older = revision !== undefined && revision < structuredSince ? { text: true, structured: false } : {};
  return { ...defaultProfile, ...measured, ...own, ...older };
}

/** The form in which a result reaches the model; undefined when it may be either. */
export function formOf({ text, structured }: ResultProfile): PageLimits['form'] {
  if (!structured) return 'text';
  return text ? undefined : 'data';
}
