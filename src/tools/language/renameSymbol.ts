import * as z from 'zod';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { codeLanguageOf } from '#language/codeLanguages.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { realTarget } from '../edit/editableText.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { proposeLanguageEdits } from './edits/languageEdits.ts';
import {
  resolvedData,
  type ResolvedSymbol,
  resolvedText,
  resolveSymbol,
  symbolInput,
  symbolTargets,
} from './symbols/symbolAddress.ts';
import { wordOf } from './symbols/symbolInFile.ts';

/** The `rename_symbol` tool: renames a symbol everywhere it is used, as "Rename Symbol" of the editor. */
export const renameSymbol = defineProposingTool({
  name: 'rename_symbol',
  title: 'Rename symbol',
  toolset: 'language',
  risk: 'edit',
  timeLimitSeconds: 30,
  needs: ['files', 'language', 'refactorings', 'search', 'sourceControl', 'symbols', 'workspace'],
  description: 'Rename a symbol everywhere it is used.',
  example: { symbol: 'Cart.addItem', newName: 'add' },
  input: inputFromZod(
    z.strictObject({
      ...symbolInput,
      newName: z
        .string()
        .max(1000)
        .refine((name) => name.trim() !== '' && !/[\r\n]/.test(name), 'the name must be one line of text')
        .describe('Gives the unqualified name'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: (input) => symbolTargets(input),
  reason: ({ reason }) => reason,
  async propose({ newName, ...address }, context, signal) {
    const symbol = await resolveSymbol(address, context, signal);
    refuseInvalidName(symbol, newName);
    try {
      const path = await realTarget(await context.resolve(symbol.path.uri), context);
      const edits = await context.refactorings.rename(path, symbol.at, newName, signal);
      const files = await proposeLanguageEdits(edits, context);
      const places = edits.texts.length;
      const purpose = { kind: 'rename_symbol', from: symbol.name, to: newName, places } as const;
      if (files.length > 0) return { kind: 'changes', files, ...(files.length > 1 && { indivisible: true }), purpose };
      throw new ToolError(
        'unavailable',
        `No language service can rename it. ${await context.language.explain(path, 'rename')}`.trimEnd(),
        'Find its uses with find_references or search_code, and change them with apply_edit.',
      );
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const message = `${resolvedText(resolvedData(symbol))} is not renamed: ${error.message}`;
      throw new ToolError(error.code, message, error.hint);
    }
  },
  render: renderOutcome,
});

/**
 * Refuses a name that the language cannot have, because language services rename to anything. A name that is none already, such as a
 * quoted property, may get any other.
 */
function refuseInvalidName({ path, name }: ResolvedSymbol, newName: string): void {
  const language = codeLanguageOf(path.path);
  const rule = language?.identifier;
  if (language === undefined || rule === undefined || !rule.test(wordOf(name)) || rule.test(newName)) return;
  throw new InvalidArgumentsError(
    `newName: ${quoted(newName)} is no name in ${language.name}. Give letters, digits and underscores, without a qualifier; the first is no digit`,
  );
}
