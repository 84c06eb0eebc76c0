import * as z from 'zod';
import { defineTool, inputFromZod, outputFromZod } from '../../core/tool.ts';
import { visible } from '../../policy/unsafeNames.ts';
import type { Signature } from '../../ports/languageDetails.ts';
import { symbolInput, symbolTargets } from '../language/symbols/symbolAddress.ts';
import { lineOutput } from './detailPage.ts';
import { resolvePosition } from './positionAddress.ts';

const maximumSignatures = 50;
const maximumParameters = 100;
/** Characters of one documentation. */
const maximumDocumentation = 2000;

const signature = z.object({
  label: z.string().describe('As it is written'),
  documentation: z.string().exactOptional().describe('Markdown'),
  parameters: z.array(z.string()).max(maximumParameters).describe('In order'),
});

/** How the function is called whose call stands at a place. */
export const getSignatureHelp = defineTool({
  name: 'get_signature_help',
  title: 'Get signature help',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'Get the signatures of the function whose call stands at a place, between its parentheses, all overloads included. ' +
    'Example: {"path":"src/a.ts:10:15"}.',
  input: inputFromZod(z.strictObject(symbolInput)),
  output: outputFromZod(
    z.object({
      path: z.string().describe('Workspace-relative path'),
      line: lineOutput,
      column: lineOutput,
      signatures: z.array(signature).max(maximumSignatures).describe('Overloads'),
      activeSignature: z.int().min(0).max(1000).exactOptional().describe('The one that fits, from 0'),
      activeParameter: z.int().min(0).max(1000).exactOptional().describe('The one at the place, from 0'),
      note: z.string().exactOptional().describe('Why there may be none'),
    }),
  ),
  targets: (asked) => symbolTargets(asked),
  async run(input, context, signal) {
    const { path, at } = await resolvePosition(input, context, signal);
    const help = await context.languageDetails.signatureHelp(path, at, signal);
    const note = help === undefined ? await context.language.explain(path, 'signature help') : '';
    return {
      path: visible(path.path),
      ...at,
      signatures: help?.signatures.slice(0, maximumSignatures).map(asShown) ?? [],
      ...(help === undefined ? {} : { activeSignature: help.activeSignature, activeParameter: help.activeParameter }),
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({ path, line, column, signatures, activeSignature, activeParameter, note }) => ({
    text: [
      `At ${path}:${line}:${column}${activeParameter === undefined ? '' : `, parameter ${activeParameter}`}`,
      ...signatures.flatMap(({ label, documentation, parameters }, at) => [
        `${at === activeSignature ? '> ' : ''}${label}`,
        ...(parameters.length === 0 ? [] : [`parameters: ${parameters.join('; ')}`]),
        ...(documentation === undefined ? [] : [documentation]),
      ]),
      ...(activeSignature === undefined ? [] : [`(signature ${activeSignature} fits, from 0)`]),
      ...(note === undefined ? [] : [`(${note})`]),
    ].join('\n'),
  }),
});

function asShown({ label, documentation, parameters }: Signature): z.infer<typeof signature> {
  return {
    label,
    ...(documentation === undefined || documentation === ''
      ? {}
      : { documentation: documentation.slice(0, maximumDocumentation).toWellFormed() }),
    parameters: parameters.slice(0, maximumParameters),
  };
}
