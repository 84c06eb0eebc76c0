import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import type { Completion } from '../../ports/languageDetails.ts';
import { cursorInput } from '../cursor.ts';
import { symbolInput, symbolTargets } from '../language/symbols/symbolAddress.ts';
import { detailOutput, detailPage, detailText } from './detailPage.ts';
import { resolvePosition } from './positionAddress.ts';

const completion = z.object({
  label: z.string().describe('As editors list it'),
  kind: z.string().describe('For example "method"'),
  detail: z.string().exactOptional().describe('For example its type'),
  insertText: z.string().exactOptional().describe('What is inserted, where that is not the label'),
});

/** Characters of a detail or a text to insert. */
const maximumText = 300;

/** What may be written at a place. */
export const getCompletions = defineTool({
  name: 'get_completions',
  title: 'Get completions',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'List what a language service offers to write at a place, such as the members behind a dot. ' +
    'Example: {"path":"src/a.ts:10:15","prefix":"add"}.',
  input: inputFromZod(
    z.strictObject({
      ...symbolInput,
      prefix: z.string().max(200).default('').describe('Only what begins with it, in any case'),
      cursor: cursorInput,
    }),
  ),
  output: detailOutput(completion, 'Best first'),
  targets: (asked) => symbolTargets(asked),
  async run(input, context, signal) {
    const { prefix } = input;
    const { path, at } = await resolvePosition(input, context, signal);
    const all = await context.languageDetails.completions(path, at, signal);
    const begins = ({ label }: Completion): boolean => label.toLowerCase().startsWith(prefix.toLowerCase());
    return detailPage(all.filter(begins).map(asShown), lineOf, input, path, 'completions', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'completion') }),
});

function asShown({ label, kind, detail, insertText }: Completion): z.infer<typeof completion> {
  const cut = (text: string): string => text.slice(0, maximumText).toWellFormed();
  return {
    label,
    kind,
    ...(detail === undefined || detail === '' ? {} : { detail: cut(detail) }),
    ...(insertText === undefined || insertText === label ? {} : { insertText: cut(insertText) }),
  };
}

function lineOf({ label, kind, detail, insertText }: z.infer<typeof completion>): string {
  const inserted = insertText === undefined ? '' : ` inserts ${insertText}`;
  return `${label} (${kind})${detail === undefined ? '' : ` ${detail}`}${inserted}`;
}
