import * as z from 'zod';
import type { TextRange } from '#base/language.ts';
import { versionOfShown } from '#audit/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { editTo, readEditable, realTarget, refuseRedacted } from '../edit/editableText.ts';
import { shownText } from '../edit/lineText.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { editText } from '../edit/replacements.ts';
import { resolvedData, resolvedText, resolveDeclaration, symbolInput, symbolTargets } from './symbols/symbolAddress.ts';

const operations = ['replace', 'insert_before', 'insert_after', 'delete'] as const;

/** The `edit_symbol` tool: replaces or deletes a whole declaration, or inserts text before or after it. */
export const editSymbol = defineProposingTool({
  name: 'edit_symbol',
  title: 'Edit symbol',
  toolset: 'language',
  risk: 'edit',
  timeLimitSeconds: 20,
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  description: 'Replace or delete a whole declaration, or insert beside it.',
  example: { symbol: 'Cart.total', operation: 'insert_after', newText: 'pay() {}\n' },
  input: inputFromZod(
    z
      .strictObject({
        ...symbolInput,
        operation: z.enum(operations).describe('Deletes with comments above; replaces them only if newText has one'),
        newText: z
          .string()
          .max(4_000_000)
          .exactOptional()
          .describe('Gives whole lines, indented for you; none for delete'),
        version: z.string().max(64).exactOptional().describe('Checks the read'),
        reason: reasonInput,
      })
      .refine(({ operation, newText }) => operation === 'delete' || newText !== undefined, {
        message: '"newText" is missing; only the operation delete goes without it',
      })
      .refine(({ operation, newText = '' }) => operation !== 'delete' || newText === '', {
        message: 'The operation delete takes no "newText"; replace does',
      }),
  ),
  output: changeOutcomeSchema,
  targets: (input) => symbolTargets(input),
  reason: ({ reason }) => reason,
  async propose({ operation, newText = '', version, ...address }, context, signal) {
    const symbol = await resolveDeclaration(address, context, signal);
    const named = resolvedText(resolvedData(symbol));
    if (symbol.range === undefined) throw unknownRange(named, await context.language.explain(symbol.path, 'outline'));
    const path = await realTarget(await context.resolve(symbol.path.uri), context);
    const base = await readEditable(path, context.files);
    const shown = shownText(base.text);
    const current = versionOfShown(shown.lf);
    if (version !== undefined && version !== current) {
      throw new ToolError(
        'stale_version',
        `${path.path} is at version ${current}, not ${version}; nothing was changed.`,
        'Read the symbol again, then send the edit with the version of that read.',
      );
    }
    refuseRedacted(`newText for ${named}`, [newText], shown.lf);
    const request = { path: path.path, ...lineEdit(operation, newText, shown.lf, symbol.range, named) };
    const { text, isSame } = editText(path.path, base.text, shown, [request]);
    if (!isSame) return { kind: 'changes', files: [await editTo(path, base, text, context.files)] };
    throw new ToolError('no_match', `${named} already has exactly this text.`, 'Go on; there is nothing to change.');
  },
  render: renderOutcome,
});

interface LineEdit {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly newText: string;
}

function lineEdit(
  operation: (typeof operations)[number],
  given: string,
  text: string,
  range: TextRange,
  named: string,
): LineEdit {
  const lines = text.split('\n');
  const { leadingLine, firstLine, lastLine } = declarationLines(lines, range, given);
  const newText = indentedLike(lines[firstLine - 1] ?? '', given);
  if (operation === 'replace') {
    if (sharesLines(lines, range)) throw sharedLines(named);
    return { firstLine: leadingLine.replaced, lastLine, newText };
  }
  if (operation === 'delete') {
    if (sharesLines(lines, range)) throw sharedLines(named);
    return { ...withBlankLine(lines, leadingLine.above, lastLine), newText: '' };
  }
  // A declaration of several lines gets a blank line beside it, as most people write it.
  const isApart = lastLine > firstLine || newText.trimEnd().includes('\n');
  if (operation === 'insert_before') {
    const before = leadingLine.above;
    return { firstLine: before, lastLine: before - 1, newText: isApart ? `${newText.trimEnd()}\n\n` : newText };
  }
  const isLast = (lines[lastLine] ?? '') === '' && lastLine >= lines.length - 1;
  const after = isApart ? `\n${newText.trimEnd()}\n` : newText;
  return { firstLine: lastLine + 1, lastLine, newText: isLast && !isApart ? newText.trimEnd() : after };
}

/** Adds a blank line beside lines that are deleted, so that their neighbours stay one blank line apart. */
function withBlankLine(lines: readonly string[], firstLine: number, lastLine: number): Omit<LineEdit, 'newText'> {
  const isBlank = (line: number): boolean => (lines[line - 1] ?? '').trim() === '';
  const isBlankAbove = firstLine === 1 || /(?:^|[{(:[])\s*$/.test(lines[firstLine - 2] ?? '');
  if (isBlankAbove && lastLine < lines.length && isBlank(lastLine + 1)) return { firstLine, lastLine: lastLine + 1 };
  // At the end of a block, the blank line is above.
  const isLast = /^\s*(?:[)\]}>]|end\b|$)/.test(lines[lastLine] ?? '');
  return { firstLine: isLast && firstLine > 1 && isBlank(firstLine - 1) ? firstLine - 1 : firstLine, lastLine };
}

function unknownRange(named: string, why: string): ToolError {
  return new ToolError(
    'unavailable',
    `Where ${named} begins and ends is not known. ${why}`.trimEnd(),
    'Name the symbol where it is declared, or change its lines with apply_edit.',
  );
}

function sharedLines(named: string): ToolError {
  return new ToolError(
    'unavailable',
    `${named} shares its lines with other code; nothing was changed.`,
    'Change it with apply_edit.',
  );
}

/** Match comments, and annotations that belong to the declaration below them. */
const comment = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!)|--|<!--|;;|%|""")/;
const annotation = /^\s*(?:@[\w.]|#!?\[|\[[\w.]+[\](])/;

interface DeclarationLines {
  /** First line of the comments and annotations above: of all, and of those that the new text replaces. */
  readonly leadingLine: { readonly above: number; readonly replaced: number };
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * Returns the whole lines of a declaration, 1-based. Services omit comments above it, and some omit the beginning of
 * `export const cart = ...`. A new text that has a comment or annotations replaces those above.
 */
function declarationLines(lines: readonly string[], range: TextRange, newText: string): DeclarationLines {
  const { firstLine } = range;
  const start = /\S.*/.exec(newText)?.[0] ?? '';
  const linesAbove = (isPart: (line: string) => boolean): number => {
    let first = firstLine;
    while (first > 1 && isPart(lines[first - 2] ?? '')) first -= 1;
    return first;
  };
  const above = linesAbove((line) => comment.test(line) || annotation.test(line));
  const annotated = linesAbove((line) => annotation.test(line));
  const replaced = comment.test(start) ? above : annotation.test(start) ? annotated : firstLine;
  // A range may end before the first character of the next line.
  const lastLine = range.lastColumn === 1 && range.lastLine > firstLine ? range.lastLine - 1 : range.lastLine;
  return { leadingLine: { above, replaced }, firstLine, lastLine };
}

/** Returns true when other code stands on the first or last line of a declaration. */
function sharesLines(lines: readonly string[], range: TextRange): boolean {
  const before = (lines[range.firstLine - 1] ?? '').slice(0, range.firstColumn - 1);
  const after = (lines[range.lastLine - 1] ?? '').slice(range.lastColumn - 1);
  const isOwnStart = /^[\s\w@().:<>[\]&*-]*$/.test(before);
  const isOwnEnd = range.lastColumn === 1 || /^\s*[;,)]*\s*(?:(?:\/\/|\/\*|#|--).*)?$/.test(after);
  return !isOwnStart || !isOwnEnd;
}

/** Matches the end of a block, which is indented like its beginning. */
const blockEnd = /^(?:[)\]}>]|<\/|end\b|fi\b|done\b|esac\b)/;

/**
 * Returns the text with LF, its first line indented like `line`. The other lines stay unchanged when they fit; when the
 * text was written from the left margin, they are indented too.
 */
function indentedLike(line: string, text: string): string {
  if (text.trim() === '') return '';
  const wanted = indentOf(line);
  const lines = text
    .replaceAll(/\r\n|\r/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .split('\n');
  const [first = '', ...rest] = lines;
  const isFromMargin = indentOf(first) === '' && rest.some((one) => one.trim() !== '' && !fits(one, wanted, first));
  if (!isFromMargin) return [wanted + first.trimStart(), ...rest].join('\n');
  return lines.map((one) => (one.trim() === '' ? one : wanted + one)).join('\n');
}

/** Returns true when a line is indented at least like the first one; in a block without end mark it must be deeper. */
function fits(line: string, wanted: string, first: string): boolean {
  const own = indentOf(line);
  if (!own.startsWith(wanted)) return false;
  return own.length > wanted.length || blockEnd.test(line.trimStart()) || !/:\s*(?:#.*)?$/.test(first);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
