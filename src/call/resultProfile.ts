import type { ClientInfo } from '#base/principal.ts';
import type { PageLimits } from './tool.ts';

/** How one client uses a result, and how long it lets a call wait. A profile never affects permissions. */
export interface ResultProfile {
  /** The client passes the text to its model. A result is complete as text alone, and as structured content alone. */
  readonly text: boolean;
  readonly structured: boolean;
  readonly links: boolean;
  readonly embedded: boolean;
  /** Bytes of a list or search page as the model sees it; undefined means no limit. */
  readonly pageBytes: number | undefined;
  /** Bytes of one read as the model sees it, with line numbers and escapes. The limit of the user counts too. */
  readonly readBytes: number;
  /** The client shows icons of tools. */
  readonly icons: boolean;
  /**
   * Bytes of a result of a tool that does not name the length of its results in `tools/list`; undefined for clients that know no such
   * name, which pass on `readBytes` of every tool.
   */
  readonly unnamedBytes: number | undefined;
  /** Maximum time that a call waits for the user, in seconds. */
  readonly approvalSeconds: number;
}

/** The profile of an unknown client: all blocks, in pages that every known client passes on whole. */
export const defaultProfile: ResultProfile = {
  text: true,
  structured: true,
  links: true,
  embedded: true,
  pageBytes: 10_000,
  readBytes: 65_536,
  icons: false,
  unnamedBytes: undefined,
  approvalSeconds: 25,
};

/**
 * Text without other blocks. Text costs a model less than the same data as JSON (test/bench/economy.json), and it already names
 * every path, so links and copies add nothing. Without structured content, each of these clients passes on the text unchanged.
 */
const textAlone = { structured: false, links: false, embedded: false } as const;

/** Profiles by the names that the clients send. Sizes and waiting times were measured. */
const known: readonly { readonly name: RegExp; readonly profile: Partial<ResultProfile> }[] = [
  // These use structured content instead of the text when a result has both. Claude Code puts a result of more than 50,000 characters
  // into a file, unless the tool names its size.
  { name: /^claude-code$/i, profile: { ...textAlone, readBytes: 65_536, unnamedBytes: 45_000, approvalSeconds: 60 } },
  { name: /^codex/i, profile: { ...textAlone, readBytes: 10_000, approvalSeconds: 60 } },
  { name: /^(visual studio code|code - oss|vscodium|code-server)/i, profile: { ...textAlone, icons: true } },
  // Uses both, so its model would pay twice (github/copilot-cli#4515).
  { name: /^(github-copilot|copilot)/i, profile: textAlone },
  // These use the text.
  { name: /^gemini-cli/i, profile: { ...textAlone, readBytes: 25_000, approvalSeconds: 300 } },
  { name: /^opencode/i, profile: { ...textAlone, readBytes: 45_000 } },
  { name: /^(cursor|(@)?cline|roo|windsurf|goose|zed)/i, profile: textAlone },
  // Drops a whole result because of one link in it (kirodotdev/Kiro#8960).
  { name: /^(kiro|q dev cli)/i, profile: textAlone },
];

/** The first revision of MCP with structured content. */
const structuredSince = '2025-06-18';

/**
 * Returns the profile of a client by the name that it sends.
 * @param overrides the setting of the user, by exact client name
 * @param revision the negotiated revision, a date; undefined counts as the newest
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

/** Returns the form in which a result reaches the model; undefined when it may be either. */
export function formOf({ text, structured }: ResultProfile): PageLimits['form'] {
  if (!structured) return 'text';
  return text ? undefined : 'data';
}
