import * as z from 'zod';
import type { TextRange } from '#base/language.ts';
import { textVersion } from '#base/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { editTo, readEditable, realTarget } from '../edit/editableText.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { refuseRedacted } from '../edit/redactedText.ts';
import { applyRequests } from '../edit/replacements.ts';
import { indentedLike } from './edits/indentation.ts';
import { declarationLines, sharesLines } from './symbols/declarationLines.ts';
import { resolvedData, resolvedText, resolveSymbol, symbolInput, symbolTargets } from './symbols/symbolAddress.ts';

/** Text in place of a declaration, or beside it. */
export const editSymbol = defineProposingTool({
  name: 'edit_symbol',
  title: 'Edit symbol',
  toolset: 'language',
  risk: 'edit',
  timeLimitSeconds: 20,
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  description:
    'Replace a whole declaration, or insert beside it. ' +
    'Example: {"symbol":"Cart.total","operation":"insert_after","newText":"..."}.',
  input: inputFromZod(
    z.strictObject({
      ...symbolInput,
      operation: z
        .enum(['replace', 'insert_before', 'insert_after'])
        .describe('replace keeps comments above, unless newText has one'),
      newText: z.string().max(4_000_000).describe('Whole lines'),
      version: z.string().max(64).exactOptional().describe('Of a read'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: (input) => symbolTargets(input),
  reason: ({ reason }) => reason,
  async propose({ operation, newText, version, ...address }, context, signal) {
    const symbol = await resolveSymbol(address, context, signal);
    const named = resolvedText(resolvedData(symbol));
    if (symbol.range === undefined) throw unknownRange(named, await context.language.explain(symbol.path, 'outline'));
    const path = await realTarget(await context.resolve(symbol.path.uri), context);
    const base = await readEditable(path, context.files);
    if (version !== undefined && version !== textVersion(base.text)) {
      throw new ToolError(
        'stale_version',
        `${path.path} is at version ${textVersion(base.text)}, not ${version}; nothing was changed.`,
        'Read the symbol again, then send the edit with the version you got.',
      );
    }
    refuseRedacted(`newText for ${named}`, [newText], base.text);
    const request = { path: path.path, ...lineEdit(operation, newText, base.text, symbol.range, named) };
    const text = applyRequests(path.path, base.text, [request]);
    if (text !== base.text) return { kind: 'changes', files: [await editTo(path, base, text, context.files)] };
    throw new ToolError('no_match', `${named} already reads like that.`, 'Go on; nothing is left to do.');
  },
  render: renderOutcome,
});

interface LineEdit {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly newText: string;
}

function lineEdit(
  operation: 'replace' | 'insert_before' | 'insert_after',
  given: string,
  text: string,
  range: TextRange,
  named: string,
): LineEdit {
  const lines = text.split(/\r\n|\n|\r/);
  const { leadingLine, firstLine, lastLine } = declarationLines(lines, range, given);
  const newText = indentedLike(lines[firstLine - 1] ?? '', given);
  if (operation === 'replace') {
    if (sharesLines(lines, range)) throw sharedLines(named);
    return { firstLine: leadingLine.replaced, lastLine, newText };
  }
  // What takes several lines stands apart from its neighbours, as most people write it.
  const isApart = lastLine > firstLine || newText.trimEnd().includes('\n');
  if (operation === 'insert_before') {
    const before = leadingLine.above;
    return { firstLine: before, lastLine: before - 1, newText: isApart ? `${newText.trimEnd()}\n\n` : newText };
  }
  const isLast = (lines[lastLine] ?? '') === '' && lastLine >= lines.length - 1;
  const after = isApart ? `\n${newText.trimEnd()}\n` : newText;
  return { firstLine: lastLine + 1, lastLine, newText: isLast && !isApart ? newText.trimEnd() : after };
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
