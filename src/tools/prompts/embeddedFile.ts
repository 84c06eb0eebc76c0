import type { ResolvedPath } from '#base/files.ts';
import type { PromptMessage } from '#call/prompt.ts';
import { embeddedBlock } from '#call/result.ts';
import type { ToolContext } from '#call/tool.ts';
import { readRange } from '../workspace/readRange.ts';

/** Lines before a place that a prompt includes. */
const linesBefore = 100;

/** A file as a message of a prompt. */
export interface EmbeddedFile {
  readonly message: PromptMessage;
  /** Describes the embedded lines: "lines 1-40 of 40, version 0123456789abcdef". */
  readonly summary: string;
}

/**
 * Embeds a file in a prompt: the whole file when it fits, otherwise as much as fits from some lines before a place on.
 * @param line 1-based
 * @throws ToolError as `Files.readText`
 */
export async function embedFile(
  file: ResolvedPath,
  line: number,
  context: Pick<ToolContext, 'files' | 'resolve' | 'limits'>,
): Promise<EmbeddedFile> {
  const { limits } = context;
  const whole = await readRange(file, { firstLine: 1, lastLine: undefined }, context, limits);
  const from = Math.min(whole.totalLines, Math.max(1, line - linesBefore));
  const isWhole = whole.nextFirstLine === undefined && whole.truncated === undefined;
  const range = { firstLine: from, lastLine: undefined };
  const read = isWhole ? whole : await readRange(file, range, context, limits);
  const modified = read.lastModified === undefined ? {} : { modified: Date.parse(read.lastModified) };
  return {
    message: { role: 'user', content: embeddedBlock({ path: read.path, uri: read.uri, text: read.text, ...modified }) },
    summary: `lines ${read.firstLine}-${read.lastLine} of ${read.totalLines}, version ${read.version}`,
  };
}

/** Returns lines of text as a message of a prompt. */
export function textMessage(...lines: readonly string[]): PromptMessage {
  return { role: 'user', content: { type: 'text', text: lines.join('\n') } };
}
