import type { Event, Subscription } from '#base/event.ts';
import type { Media } from '#base/media.ts';

/** A tool of another extension, or of an MCP server that the editor knows. Its name, title and description are plain text, not trusted. */
export interface OtherTool {
  /** Unique: the name in the editor, or `<publisher>.<extension>/<tool>` for a tool that an extension gave through the API. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) over all other fields: another hash is another tool (threat row A9). */
  readonly hash: string;
  /** The program that runs the tool; the editor may ask its user first. */
  readonly provider: 'editor' | 'extension';
}

export interface OtherToolResult {
  readonly text: string;
  readonly isError?: true;
  readonly media: readonly Media[];
}

export interface OtherTools {
  /** Returns the tools there are now, by name, without those of Drawbridge itself. */
  all(): readonly OtherTool[];
  /**
   * Runs a tool.
   * @throws what the tool throws; an Error when the tool is gone, and when the signal is aborted
   */
  invoke(name: string, input: unknown, signal: AbortSignal): Promise<OtherToolResult>;
  /** Looks for changes until the subscription is disposed, because the VS Code API has no event for them. */
  watch(): Subscription;
  readonly onDidChange: Event<void>;
}

/** A tool that the user turned on, with the hash it had then. */
export interface ToolPin {
  readonly name: string;
  readonly hash: string;
}

/**
 * Says whether assistants are offered a tool. `changed`: the user turned on a tool of that name with another hash; `missing`:
 * the tool is gone.
 */
export type OtherToolState = 'on' | 'off' | 'changed' | 'missing';

/** Returns the state of a tool that exists. */
export function stateOf({ name, hash }: OtherTool, pins: readonly ToolPin[]): Exclude<OtherToolState, 'missing'> {
  const pin = pins.find((each) => each.name === name);
  if (pin === undefined) return 'off';
  return pin.hash === hash ? 'on' : 'changed';
}
