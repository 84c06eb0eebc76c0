import type { Event, Subscription } from '#base/event.ts';
import type { Media } from '#base/media.ts';

/** A tool of another extension, or of an MCP server that the editor knows. Its words are not ours: plain text, not trusted. */
export interface OtherTool {
  /** Unique; the editor's own name of it, or `<publisher>.<extension>/<tool>` of one that an extension gave us. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) over all of the above: another hash is another tool (threat row A9). */
  readonly hash: string;
  /** `editor`: the editor runs it, and may ask its user first. */
  readonly provider: 'editor' | 'extension';
}

export interface OtherToolResult {
  readonly text: string;
  readonly isError?: true;
  readonly media: readonly Media[];
}

export interface OtherTools {
  /** As they are now, in the order of their names; those that come from Drawbridge itself are left out. */
  all(): readonly OtherTool[];
  /** @throws what the tool throws; an Error when it is not there any more, and when the signal is aborted */
  invoke(name: string, input: unknown, signal: AbortSignal): Promise<OtherToolResult>;
  /** Looks for changes until the subscription ends: the editor tells of none. */
  watch(): Subscription;
  readonly onDidChange: Event<void>;
}

/** A tool as the user let it be offered. */
export interface ToolPin {
  readonly name: string;
  readonly hash: string;
}

/**
 * Whether assistants are offered a tool. `changed`: the user let another one of that name be offered; `missing`: it is not
 * there now.
 */
export type OtherToolState = 'on' | 'off' | 'changed' | 'missing';

/** Whether a tool that is there is offered. */
export function stateOf({ name, hash }: OtherTool, pins: readonly ToolPin[]): Exclude<OtherToolState, 'missing'> {
  const pin = pins.find((each) => each.name === name);
  if (pin === undefined) return 'off';
  return pin.hash === hash ? 'on' : 'changed';
}
