import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { TextRange } from '#base/language.ts';
import { MissingPathError, ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import type { LineRange } from '#language/languageDetails.ts';
import { visible } from '#policy/unsafeNames.ts';
import { SourceLines } from '../language/symbols/sourceLines.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { type DetailContext, type DetailInput, lineOutput, listDetail } from './detail.ts';

const ofFile = ['path', 'cursor'] as const;
const ofLines = [...ofFile, 'firstLine', 'lastLine'] as const;

const hint = z.object({
  line: lineOutput,
  column: lineOutput,
  label: z.string().describe('Text editors show there'),
  kind: z.enum(['type', 'parameter', 'other']).describe('A type, the name of a parameter'),
});

export const inlayHints = listDetail({
  takes: ofLines,
  item: hint,
  noun: 'hint',
  missing: 'inlay hints',
  async find(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.inlayHints(path, linesOf(input), signal);
    return { path, items: found.map(({ kind = 'other' as const, ...shown }) => ({ ...shown, kind })) };
  },
  lineOf: ({ label, kind, ...at }) => `${at.line}:${at.column} ${label.trim()}${kind === 'other' ? '' : ` (${kind})`}`,
});

/** Returns the requested lines; all lines when none are given. */
function linesOf({ firstLine = 1, lastLine = maximumLine }: DetailInput): LineRange {
  return { firstLine, lastLine };
}

const fold = z.object({
  firstLine: lineOutput,
  lastLine: lineOutput,
  kind: z.enum(['comment', 'imports', 'region', 'code']).describe('Kind of the lines'),
});

export const foldingRanges = listDetail({
  takes: ofFile,
  item: fold,
  noun: 'range',
  missing: 'folding ranges',
  async find(_input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.foldingRanges(path, signal);
    return { path, items: found.map(({ kind = 'code' as const, ...lines }) => ({ ...lines, kind })) };
  },
  lineOf: ({ firstLine, lastLine, kind }) => `${firstLine}-${lastLine}${kind === 'code' ? '' : ` ${kind}`}`,
});

const token = z.object({
  line: lineOutput,
  column: lineOutput,
  text: z.string().describe('The word'),
  kind: z.string().describe('For example "parameter"'),
  modifiers: z.array(z.string()).max(50).describe('For example "readonly"'),
});

export const semanticTokens = listDetail({
  takes: ofLines,
  item: token,
  noun: 'token',
  missing: 'semantic tokens',
  async find(input, context, signal) {
    const path = targetFile(context);
    const { firstLine, lastLine } = linesOf(input);
    const found = await context.languageDetails.semanticTokens(path, signal);
    const asked = found.filter((each) => firstLine <= each.firstLine && each.firstLine <= lastLine);
    const items = await withText(asked, path, context);
    return { path, items: items.map(([text, { kind, modifiers }]) => ({ ...text, kind, modifiers: [...modifiers] })) };
  },
  lineOf: ({ text, kind, modifiers, ...at }) => [`${at.line}:${at.column} ${text} ${kind}`, ...modifiers].join(' '),
});

const lens = z.object({
  line: lineOutput,
  title: z.string().describe('What editors show above the line'),
  command: z.string().exactOptional().describe('Id of the command that it runs'),
});

export const codeLenses = listDetail({
  takes: ofFile,
  item: lens,
  noun: 'code lens',
  missing: 'code lenses',
  async find(_input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.codeLenses(path, signal);
    const items = found.map(({ firstLine, title, command }) => ({
      line: firstLine,
      title,
      ...(command === undefined || command === '' ? {} : { command }),
    }));
    return { path, items };
  },
  lineOf: ({ title, command, ...at }) => `${at.line} ${title}${command === undefined ? '' : ` (${command})`}`,
});

const link = z.object({
  line: lineOutput,
  column: lineOutput,
  text: z.string().describe('What is linked'),
  file: z.string().exactOptional().describe('Workspace-relative path that it leads to'),
  target: z.string().exactOptional().describe('Web address, or a label of a file outside the workspace'),
  tooltip: z.string().exactOptional().describe('Tooltip in editors'),
});

export const documentLinks = listDetail({
  takes: ofFile,
  item: link,
  noun: 'link',
  missing: 'links',
  async find(_input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.links(path, signal);
    const items = (await withText(found, path, context)).map(([text, { file, target, tooltip }]) => ({
      ...text,
      ...(file === undefined ? {} : { file: visible(file.path) }),
      ...(target === undefined ? {} : { target }),
      ...(tooltip === undefined || tooltip === '' ? {} : { tooltip }),
    }));
    return { path, items };
  },
  lineOf({ text, file, target, tooltip, ...at }) {
    const where = [file, target].filter((each) => each !== undefined).map((each) => ` -> ${each}`);
    return `${at.line}:${at.column} ${text}${where.join('')}${tooltip === undefined ? '' : ` (${tooltip})`}`;
  },
});

const colored = z.object({
  line: lineOutput,
  column: lineOutput,
  text: z.string().describe('As it is written'),
  color: z.string().describe('"#rrggbb", or "#rrggbbaa"'),
});

export const documentColors = listDetail({
  takes: ofFile,
  item: colored,
  noun: 'color',
  missing: 'colors',
  async find(_input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.colors(path, signal);
    const items = await withText(found, path, context);
    return { path, items: items.map(([text, { color }]) => ({ ...text, color })) };
  },
  lineOf: ({ text, color, ...at }) => `${at.line}:${at.column} ${text} = ${color}`,
});

/** The fields of the items of all these kinds. */
export const fileItem = {
  ...hint.shape,
  ...fold.shape,
  ...token.shape,
  ...lens.shape,
  ...link.shape,
  ...colored.shape,
};

/**
 * Returns the file that the caller names.
 * @throws ToolError `not_found`; `unavailable` when the target is a folder
 */
function targetFile({ targets: [path] }: Pick<ToolContext, 'targets'>): ResolvedPath {
  if (path === undefined) throw new Error('An address of the input was not resolved');
  if (path.kind === 'file') return path;
  throw path.kind === 'missing'
    ? new MissingPathError(path.path, `${path.path} does not exist.`, 'Find it with find_files.')
    : new ToolError('unavailable', `${path.path} is a folder.`, 'Name a file in it.');
}

/** The most characters of the text of an item. */
const maximumText = 100;

/** Returns each found range with its text, limited to the first line of the range. */
async function withText<Found extends TextRange>(
  found: readonly Found[],
  path: ResolvedPath,
  context: DetailContext,
): Promise<readonly (readonly [{ line: number; column: number; text: string }, Found])[]> {
  const lines = found.length === 0 ? [] : await new SourceLines(context).of(path);
  return found.map((each) => {
    const { firstLine, firstColumn, lastLine, lastColumn } = each;
    const end = lastLine === firstLine ? lastColumn - 1 : undefined;
    const text = (lines[firstLine - 1] ?? '').slice(firstColumn - 1, end);
    const shown = text.length <= maximumText ? text : `${text.slice(0, maximumText).toWellFormed()}…`;
    return [{ line: firstLine, column: firstColumn, text: shown }, each];
  });
}
