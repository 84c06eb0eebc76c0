import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { counted } from '../page.ts';

/** A notebook as text for a reader. */
export interface NotebookView {
  readonly text: string;
  /** Tells that the lines are not those of the file. */
  readonly note: string;
}

/** Characters and lines of one output that are shown. */
const longestOutput = 2000;
const mostOutputLines = 20;

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === 'string' ? text : text.join('')));
const output = z.looseObject({
  output_type: z.string(),
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
});
const cell = z.looseObject({
  cell_type: z.string(),
  id: z.string().optional(),
  source: lines,
  execution_count: z.number().nullish(),
  outputs: z.array(output).optional(),
});
const notebook = z.looseObject({
  cells: z.array(cell),
  metadata: z
    .looseObject({
      language_info: z.looseObject({ name: z.string() }).optional(),
      kernelspec: z.looseObject({ language: z.string().optional() }).optional(),
    })
    .optional(),
});

/** Returns true for a Jupyter notebook, by its name. */
export function isNotebook({ path }: Pick<ResolvedPath, 'path'>): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Renders a notebook as numbered cells with short outputs. Returns undefined for a text that is no notebook. */
export function notebookView(json: string): NotebookView | undefined {
  const parsed = notebook.safeParse(parseJson(json));
  if (!parsed.success) return undefined;
  const { cells, metadata } = parsed.data;
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? 'unknown language';
  const shown = cells.map((each, at) => [
    headOf(each, at, language),
    each.source,
    ...(each.outputs ?? []).map(outputText),
  ]);
  return {
    text: shown.map((parts) => parts.join('\n')).join('\n\n'),
    note: `a notebook of ${counted(cells.length, 'cell')}; edits match its JSON text, which read_files returns`,
  };
}

function headOf(
  { cell_type: kind, id, execution_count: run }: z.infer<typeof cell>,
  at: number,
  language: string,
): string {
  const facts = [kind, ...(kind === 'code' ? [language] : []), ...(id === undefined ? [] : [`id ${id}`])];
  return `[cell ${at + 1}: ${[...facts, ...(typeof run === 'number' ? [`run ${run}`] : [])].join(', ')}]`;
}

function outputText({ output_type: kind, text, data = {}, ename, evalue, traceback }: z.infer<typeof output>): string {
  if (kind === 'error')
    return `[error: ${clean(`${ename ?? ''}: ${evalue ?? ''}`)}]\n${short((traceback ?? []).join('\n'))}`;
  const plain = lines.safeParse(data['text/plain']);
  const shown = text ?? (plain.success ? plain.data : undefined);
  const others = Object.entries(data).filter(([type]) => type !== 'text/plain');
  const left = others.map(([type, value]) => `[${clean(type)}, ${JSON.stringify(value).length} characters, left out]`);
  return ['[output]', ...(shown === undefined ? [] : [short(shown)]), ...left].join('\n');
}

/** Removes escape sequences, and cuts a long output with a mark. */
function short(text: string): string {
  const whole = clean(text);
  const all = whole.replace(/\n$/, '').split('\n');
  const kept = all.slice(0, mostOutputLines).join('\n').slice(0, longestOutput).toWellFormed();
  return kept.length < whole.trimEnd().length
    ? `${kept}\n[cut: the output has ${all.length} lines, ${whole.length} characters]`
    : kept;
}

function clean(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\r\n?/g, '\n');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
