import * as z from 'zod';
import { defineTool, inputFromZod, outputFromZod, type OutputSchema } from '#call/tool.ts';
import { symbolInput, symbolTargets } from '../language/symbols/symbolAddress.ts';
import { cursorInput } from '../page.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { type Detail, detailOutput, detailPageOutput } from './detail.ts';
import {
  codeLenses,
  documentColors,
  documentLinks,
  fileItem,
  foldingRanges,
  inlayHints,
  semanticTokens,
} from './fileDetails.ts';
import {
  completions,
  documentHighlights,
  placeItem,
  selectionRanges,
  signatureHelp,
  signatureHelpOutput,
} from './placeDetails.ts';

/** The kinds in the order in which clients show them. */
const kinds = [
  'signature_help',
  'completions',
  'document_highlights',
  'inlay_hints',
  'folding_ranges',
  'selection_ranges',
  'semantic_tokens',
  'code_lenses',
  'document_links',
  'document_colors',
] as const;

type Kind = (typeof kinds)[number];

const kind = z.enum(kinds);

const item = z
  .object({
    ...placeItem,
    ...fileItem,
    kind: z.string().describe('For example "method", "type", "comment"'),
    label: z.string().describe('As editors show it'),
    text: z.string().describe('As it is written'),
  })
  .partial();

/** The fields of all kinds in one flat object, because hardly any client accepts a union. */
const output = z.object({
  kind: kind.describe('As asked for'),
  ...detailPageOutput(item).partial().shape,
  ...signatureHelpOutput.partial().shape,
  ...detailOutput,
});

/** How each kind is read; the names that rules, settings and the record know them by are in {@link getLanguageDetails}. */
export const details: Readonly<Record<Kind, Detail<Omit<z.infer<typeof output>, 'kind'>>>> = {
  signature_help: signatureHelp,
  completions,
  document_highlights: documentHighlights,
  inlay_hints: inlayHints,
  folding_ranges: foldingRanges,
  selection_ranges: selectionRanges,
  semantic_tokens: semanticTokens,
  code_lenses: codeLenses,
  document_links: documentLinks,
  document_colors: documentColors,
};

const input = z
  .strictObject({
    kind: kind.describe('Selects what to get'),
    ...symbolInput,
    prefix: z.string().max(200).exactOptional().describe('Keeps completions that begin so, in any case'),
    firstLine: z
      .int()
      .min(1)
      .max(maximumLine)
      .exactOptional()
      .describe('Begins here; only for inlay_hints and semantic_tokens'),
    lastLine: z.int().min(1).max(maximumLine).exactOptional().describe('Ends with this line'),
    cursor: cursorInput,
  })
  .superRefine(({ kind: asked, ...fields }, context) => {
    const takes: readonly string[] = details[asked].takes;
    for (const field of Object.keys(fields).filter((each) => !takes.includes(each))) {
      context.addIssue({ code: 'custom', path: [field], message: `${asked} does not take it` });
    }
    if (isOfFile(asked) && fields.path === undefined) {
      context.addIssue({ code: 'custom', path: ['path'], message: `${asked} needs a file` });
    }
  });

const ofAllKinds = outputFromZod(output);

/** The schema lists the fields of all kinds; the check of a result uses the schema of its kind. */
const answer: OutputSchema<z.infer<typeof output>> = {
  get jsonSchema() {
    return ofAllKinds.jsonSchema;
  },
  check({ kind: asked, ...data }) {
    details[asked].output.check(data);
  },
};

/** The `get_language_details` tool: asks a language service for one kind of detail. */
export const getLanguageDetails = defineTool({
  name: 'get_language_details',
  title: 'Get language details',
  summary: 'Tell signatures, completions, inlay hints, code lenses and other details that language services know.',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  namesByKind: {
    signature_help: 'get_signature_help',
    completions: 'get_completions',
    document_highlights: 'get_document_highlights',
    inlay_hints: 'get_inlay_hints',
    folding_ranges: 'get_folding_ranges',
    selection_ranges: 'get_selection_ranges',
    semantic_tokens: 'get_semantic_tokens',
    code_lenses: 'get_code_lenses',
    document_links: 'get_document_links',
    document_colors: 'get_document_colors',
  } satisfies Record<Kind, string>,
  description:
    'Ask a language service for one kind of detail. About a place (a path with line and column, or a symbol): ' +
    'signature_help: signatures of the call whose parentheses it is in, all overloads; ' +
    'completions: what may be written there, such as members behind a dot; ' +
    'document_highlights: uses of the symbol in one file, writes told from reads (find_references finds them everywhere); ' +
    'selection_ranges: the pieces of syntax around it. About a file: ' +
    'inlay_hints: inferred types and names of parameters that the settings of the user show; ' +
    'folding_ranges: blocks, comments, imports, regions (get_outline names what is declared); ' +
    'semantic_tokens: what its words are (parameter, property, readonly, ...); ' +
    'code_lenses: what editors show above lines, such as "Run test", and their commands, which are not run; ' +
    'document_links: links and where they lead, none followed; ' +
    'document_colors: colors, however they are written. ' +
    'Example: {"kind":"completions","path":"src/a.ts:10:15","prefix":"add"}.',
  input: inputFromZod(input),
  output: answer,
  targets: (asked) => (isOfFile(asked.kind) && asked.path !== undefined ? [asked.path] : symbolTargets(asked)),
  async run(asked, context, signal) {
    return { kind: asked.kind, ...(await details[asked.kind].read(asked, context, signal)) };
  },
  render: ({ kind: asked, ...data }) => ({ text: details[asked].text(data) }),
});

function isOfFile(asked: Kind): boolean {
  return !details[asked].takes.includes('symbol');
}
