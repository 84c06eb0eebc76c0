import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { Position } from '#base/language.ts';
import { outputFromZod } from '#call/tool.ts';
import type { Completion, Signature } from '#language/languageDetails.ts';
import { visible } from '#policy/unsafeNames.ts';
import { SourceLines } from '../language/symbols/sourceLines.ts';
import { placeIn, resolveSymbol, type SymbolContext, type SymbolInput } from '../language/symbols/symbolAddress.ts';
import { secretsText } from '../redactedSecrets.ts';
import { detailOutput, lineOutput, listDetail, type Detail } from './detail.ts';

const ofPlace = ['symbol', 'path'] as const;

const maximumSignatures = 50;
const maximumParameters = 100;
/** The most characters of one documentation. */
const maximumDocumentation = 2000;

const signature = z.object({
  label: z.string().describe('As it is written'),
  documentation: z.string().exactOptional().describe('Markdown'),
  parameters: z.array(z.string()).max(maximumParameters).describe('In order'),
});

export const signatureHelpOutput = z.object({
  ...detailOutput,
  line: lineOutput,
  column: lineOutput,
  signatures: z.array(signature).max(maximumSignatures).describe('Overloads'),
  activeSignature: z.int().min(0).max(1000).exactOptional().describe('The one that fits, from 0'),
  activeParameter: z.int().min(0).max(1000).exactOptional().describe('The one at the place, from 0'),
});

export const signatureHelp: Detail<z.infer<typeof signatureHelpOutput>> = {
  takes: ofPlace,
  output: outputFromZod(signatureHelpOutput),
  async read(input, context, signal) {
    const { path, at } = await resolvePosition(input, context, signal);
    const help = await context.languageDetails.signatureHelp(path, at, signal);
    const note = help === undefined ? await context.language.explain(path, 'signature help') : '';
    return {
      path: visible(path.path),
      ...at,
      signatures: help?.signatures.slice(0, maximumSignatures).map(shownSignature) ?? [],
      ...(help === undefined ? {} : { activeSignature: help.activeSignature, activeParameter: help.activeParameter }),
      ...(note === '' ? {} : { note }),
    };
  },
  text: (help) =>
    [
      `At ${help.path}:${help.line}:${help.column}${help.activeParameter === undefined ? '' : `, parameter ${help.activeParameter}`}`,
      ...help.signatures.flatMap(({ label, documentation, parameters }, at) => [
        `${at === help.activeSignature ? '> ' : ''}${label}`,
        ...(parameters.length === 0 ? [] : [`parameters: ${parameters.join('; ')}`]),
        ...(documentation === undefined ? [] : [documentation]),
      ]),
      ...(help.activeSignature === undefined ? [] : [`(signature ${help.activeSignature} fits, from 0)`]),
      ...(help.note === undefined ? [] : [`(${help.note})`]),
      ...secretsText(help.redactedSecrets),
    ].join('\n'),
};

function shownSignature({ label, documentation, parameters }: Signature): z.infer<typeof signature> {
  return {
    label,
    ...(documentation === undefined || documentation === ''
      ? {}
      : { documentation: documentation.slice(0, maximumDocumentation).toWellFormed() }),
    parameters: parameters.slice(0, maximumParameters),
  };
}

const completion = z.object({
  label: z.string().describe('As editors list it'),
  kind: z.string().describe('For example "method"'),
  detail: z.string().exactOptional().describe('For example its type'),
  insertText: z.string().exactOptional().describe('What is inserted, where that is not the label'),
});

export const completions = listDetail({
  takes: [...ofPlace, 'cursor', 'prefix'],
  item: completion,
  noun: 'completion',
  missing: 'completions',
  async find(input, context, signal) {
    const { path, at } = await resolvePosition(input, context, signal);
    const found = await context.languageDetails.completions(path, at, signal);
    const prefix = input.prefix?.toLowerCase() ?? '';
    const items = found.filter(({ label }) => label.toLowerCase().startsWith(prefix)).map(shownCompletion);
    return { path, items };
  },
  lineOf: ({ label, kind, detail, insertText }) =>
    [
      `${label} (${kind})`,
      ...(detail === undefined ? [] : [detail]),
      ...(insertText === undefined ? [] : [`inserts ${insertText}`]),
    ].join(' '),
});

/** The most characters of a detail or a text to insert. */
const maximumCompletion = 300;

function shownCompletion({ label, kind, detail, insertText }: Completion): z.infer<typeof completion> {
  const cut = (text: string): string => text.slice(0, maximumCompletion).toWellFormed();
  return {
    label,
    kind,
    ...(detail === undefined || detail === '' ? {} : { detail: cut(detail) }),
    ...(insertText === undefined || insertText === label ? {} : { insertText: cut(insertText) }),
  };
}

const highlight = z.object({
  line: lineOutput,
  column: lineOutput,
  access: z.enum(['read', 'write', 'unknown']).describe('unknown: the language service does not tell'),
  code: z.string().describe('The line, trimmed; a long one is cut'),
});

export const documentHighlights = listDetail({
  takes: [...ofPlace, 'cursor'],
  item: highlight,
  noun: 'use',
  missing: 'highlights',
  async find(input, context, signal) {
    const { path, at } = await resolveSymbol(input, context, signal);
    const found = await context.languageDetails.highlights(path, at, signal);
    const source = new SourceLines(context);
    const items = await Promise.all(
      found.map(async ({ firstLine, firstColumn, access = 'unknown' as const }) => {
        const code = (await source.around(path, firstLine, firstColumn)) ?? '';
        return { line: firstLine, column: firstColumn, access, code };
      }),
    );
    return { path, items };
  },
  lineOf: (use) => `${use.line}:${use.column}${use.access === 'unknown' ? '' : ` ${use.access}`}\t${use.code}`,
});

const range = z.object({
  firstLine: lineOutput,
  firstColumn: lineOutput,
  lastLine: lineOutput,
  lastColumn: lineOutput.describe('After the last character'),
});

export const selectionRanges = listDetail({
  takes: [...ofPlace, 'cursor'],
  item: range,
  noun: 'range',
  missing: 'selection ranges',
  async find(input, context, signal) {
    const { path, at } = await resolvePosition(input, context, signal);
    const found = await context.languageDetails.selectionRanges(path, at, signal);
    const items = found.map(({ firstLine, firstColumn, lastLine, lastColumn }) => ({
      firstLine,
      firstColumn,
      lastLine,
      lastColumn,
    }));
    return { path, items };
  },
  lineOf: ({ firstLine, firstColumn, lastLine, lastColumn }) => `${firstLine}:${firstColumn}-${lastLine}:${lastColumn}`,
});

/** The fields of the items of all these kinds. */
export const placeItem = { ...completion.shape, ...highlight.shape, ...range.shape };

/** A place in a text, with or without a name there. */
interface ResolvedPosition {
  readonly path: ResolvedPath;
  readonly at: Position;
}

/**
 * Returns the place that the caller names: exactly, or by a symbol.
 * @throws as {@link resolveSymbol}
 */
async function resolvePosition(
  input: SymbolInput,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<ResolvedPosition> {
  const [path] = context.targets;
  const { line, column } = placeIn(input.path ?? '');
  if (path?.kind === 'file' && input.symbol === undefined && line !== undefined && column !== undefined) {
    return { path, at: { line, column } };
  }
  return resolveSymbol(input, context, signal);
}
