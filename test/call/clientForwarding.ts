import type { ContentBlock, ToolResult } from '#call/result.ts';

/** How a client passes the result of a tool to its model, measured on the wire or read in its source. */
export interface ForwardingClient {
  /** The name that the client sends. */
  readonly name: string;
  /** The UTF-8 bytes that arrive whole; undefined when no limit was found. */
  readonly wholeUpTo: number | undefined;
  /** Returns what the model sees before anything is cut off. */
  readonly forward: (result: ToolResult) => string;
}

const json = (result: ToolResult): readonly string[] =>
  result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)];

/** Returns the text blocks unchanged, and the other blocks in the words of the client, if it has any. */
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

/** kirodotdev/Kiro#8960: one link drops the whole result. */
function kiro(result: ToolResult): string {
  return result.content.some(({ type }) => type === 'resource_link')
    ? ''
    : blocks(result, { embedded: plainText }).join('\n');
}

/** The editor of code-server 4.139.1: data instead of text, and the URIs of links and embedded files. */
function vscode(result: ToolResult): string {
  const shown = result.structuredContent === undefined ? result : withoutText(result);
  return [...blocks(shown, { link: (_name, uri) => asUri(uri), embedded: asUri }), ...json(result)].join('\n');
}

/** All blocks, for a client of which nothing is known; also GitHub Copilot CLI (github/copilot-cli#4515). */
function everything(result: ToolResult): string {
  const words = { link: (name: string, uri: string) => `${name}: ${uri}`, embedded: plainText };
  return [...blocks(result, words), ...json(result)].join('\n');
}

export const forwardingClients: readonly ForwardingClient[] = [
  // The tools with long results name their length in tools/list; of all others, 45,000 bytes are passed on whole.
  { name: 'claude-code', wholeUpTo: 65_536, forward: claudeCode },
  { name: 'codex-mcp-client', wholeUpTo: 10_000, forward: codex },
  { name: 'gemini-cli-mcp-client', wholeUpTo: 25_000, forward: geminiCli },
  { name: 'opencode', wholeUpTo: 45_000, forward: opencode },
  { name: 'Kiro', wholeUpTo: undefined, forward: kiro },
  { name: 'Visual Studio Code', wholeUpTo: undefined, forward: vscode },
  { name: 'github-copilot-developer', wholeUpTo: undefined, forward: everything },
];

/** A client that was not measured. */
export const unknownClient: ForwardingClient = { name: 'unknown', wholeUpTo: undefined, forward: everything };
