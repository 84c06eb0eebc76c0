import type { ContentBlock, ToolResult } from '#call/result.ts';

/** How a client hands the result of a tool to its model, as seen on the wire or in its source. */
export interface ForwardingClient {
  /** As it calls itself. */
  readonly name: string;
  /** What arrives whole, in UTF-8 bytes; undefined where nobody has found an end. */
  readonly wholeUpTo: number | undefined;
  /** What the model sees, before anything is cut off. */
  readonly forward: (result: ToolResult) => string;
}

const json = (result: ToolResult): readonly string[] =>
  result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)];

/** Text blocks as they are; the others by the words of a client, without those it has none for. */
function blocks(
  { content }: ToolResult,
  words: {
    readonly link?: (name: string, uri: string) => string;
    readonly embedded?: (uri: string, text: string) => string;
  },
): readonly string[] {
  return content.flatMap((block: ContentBlock) => {
    if (block.type === 'text') return [block.text];
    if (block.type === 'resource_link') return words.link === undefined ? [] : [words.link(block.name, block.uri)];
    if (block.type !== 'resource' || words.embedded === undefined) return [];
    return 'text' in block.resource ? [words.embedded(block.resource.uri, block.resource.text)] : [];
  });
}

function withoutText(result: ToolResult): ToolResult {
  return { ...result, content: result.content.filter(({ type }) => type !== 'text') };
}

const plainText = (_uri: string, text: string): string => text;
const asUri = (uri: string): string => JSON.stringify({ uri });

/** Claude Code 2.1.329. */
function claudeCode(result: ToolResult): string {
  const words = {
    link: (name: string, uri: string) => `[Resource link: ${name}] ${uri}`,
    embedded: (uri: string, text: string) => `[Resource from drawbridge at ${uri}] ${text}`,
  };
  const shown = result.structuredContent === undefined ? result : withoutText(result);
  return [...blocks(shown, words), ...json(result)].join('\n');
}

/** Codex 0.169.0. */
function codex(result: ToolResult): string {
  return (result.structuredContent === undefined ? blocks(result, {}) : json(result)).join('\n');
}

/** Gemini CLI 0.61.0. */
function geminiCli(result: ToolResult): string {
  return blocks(result, { link: (name, uri) => `Resource Link: ${name} at ${uri}`, embedded: plainText }).join('\n');
}

/** opencode 1.18.33. */
function opencode(result: ToolResult): string {
  return blocks(result, { embedded: plainText }).join('\n');
}

/** kirodotdev/Kiro#8960: one link, and nothing is left. */
function kiro(result: ToolResult): string {
  return result.content.some(({ type }) => type === 'resource_link')
    ? ''
    : blocks(result, { embedded: plainText }).join('\n');
}

/** The editor that code-server 4.139.1 serves: the data instead of the text; of links and copies, where they are. */
function vscode(result: ToolResult): string {
  const shown = result.structuredContent === undefined ? result : withoutText(result);
  return [...blocks(shown, { link: (_name, uri) => asUri(uri), embedded: asUri }), ...json(result)].join('\n');
}

/** All there is, as nobody knows what becomes of it: also GitHub Copilot CLI (github/copilot-cli#4515). */
function everything(result: ToolResult): string {
  const words = { link: (name: string, uri: string) => `${name}: ${uri}`, embedded: plainText };
  return [...blocks(result, words), ...json(result)].join('\n');
}

export const forwardingClients: readonly ForwardingClient[] = [
  { name: 'claude-code', wholeUpTo: 45_000, forward: claudeCode },
  { name: 'codex-mcp-client', wholeUpTo: 10_000, forward: codex },
  { name: 'gemini-cli-mcp-client', wholeUpTo: 25_000, forward: geminiCli },
  { name: 'opencode', wholeUpTo: 45_000, forward: opencode },
  { name: 'Kiro', wholeUpTo: undefined, forward: kiro },
  { name: 'Visual Studio Code', wholeUpTo: undefined, forward: vscode },
  { name: 'github-copilot-developer', wholeUpTo: undefined, forward: everything },
];

/** A client that nobody has measured. */
export const unknownClient: ForwardingClient = { name: 'unknown', wholeUpTo: undefined, forward: everything };
