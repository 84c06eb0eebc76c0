import type { Event, Subscription } from '#base/event.ts';
import type { Media } from '#base/media.ts';
import { plain, shortened, visibleText } from '#base/visibleText.ts';

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

/** The definition of a tool of another extension as assistants get it. The user confirms exactly this text. */
export interface ToldTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Code points of a title and of a description, characters of a schema as JSON, and levels of nesting that assistants are told. */
const mostTold = { title: 100, description: 2000, schema: 16 * 1024, depth: 32 };

/**
 * Returns what assistants are told of a tool: marked as foreign, of bounded length, and with every hidden character escaped (threat
 * row A50). A schema that is too large, or that names a parameter with hidden characters, is left out as a whole; arguments are
 * checked by it all the same.
 */
export function toldOf({ name, title, description, inputSchema }: OtherTool): ToldTool {
  const shown = visibleText(description)
    .map(({ text }) => text)
    .join('');
  const schema = shownSchema(inputSchema);
  return {
    title: `${shortened(plain(title), mostTold.title)} (another extension)`,
    description: [
      `A tool of another extension, ${shortened(plain(name), mostTold.title)}, which describes it so: ${shortened(shown, mostTold.description)}`,
      ...(schema === undefined ? ['(Its input schema cannot be shown, so it is left out here.)'] : []),
    ].join('\n'),
    inputSchema: schema ?? { type: 'object' },
  };
}

function shownSchema(schema: OtherTool['inputSchema']): OtherTool['inputSchema'] | undefined {
  let room = mostTold.schema;
  let isWhole = true;
  const copy = (value: unknown, depth: number): unknown => {
    room -= typeof value === 'string' ? value.length + 3 : 3;
    isWhole &&= depth <= mostTold.depth && room >= 0;
    if (!isWhole) return undefined;
    if (typeof value === 'string') return plain(value);
    if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1));
    return typeof value === 'object' && value !== null ? copyFields(value, depth) : value;
  };
  const copyFields = (fields: object, depth: number): Record<string, unknown> => {
    const copied = new Map<string, unknown>();
    for (const [name, value] of Object.entries(fields)) {
      if (!isWhole) break;
      room -= name.length;
      isWhole = room >= 0 && plain(name) === name;
      copied.set(name, copy(value, depth + 1));
    }
    return Object.fromEntries(copied);
  };
  const shown = copyFields(schema, 0);
  return isWhole ? shown : undefined;
}
