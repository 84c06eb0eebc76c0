import * as z from 'zod';
import type { OutlineSymbol } from '#base/language.ts';
import { MissingPathError, ToolError } from '#base/toolError.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, fittingCount, type ShownItem } from '../page.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { type Declaration, declarationsIn } from './symbols/declarations.ts';

const maximumDepth = 10;
/** The most characters of the detail of a symbol. */
const maximumDetail = 200;

const symbol = z.object({
  name: z.string().describe('Its name'),
  kind: z.string().describe('For example "method"'),
  detail: z.string().exactOptional().describe('What the language service adds'),
  depth: z.int().min(1).max(maximumDepth).describe('1: top level; 2: in the nearest one above of depth 1'),
  firstLine: z.int().min(1).max(maximumLine).describe('Of the declaration, 1-based'),
  lastLine: z.int().min(1).max(maximumLine).describe('Inclusive'),
  isDeprecated: z.boolean().exactOptional().describe('Marked deprecated'),
});

type Symbol = z.infer<typeof symbol>;

const file = z.object({
  path: z.string().describe('Workspace-relative path'),
  symbols: z.array(symbol).max(100_000).describe('In the order of the file'),
  omitted: z.int().min(1).max(10_000_000).exactOptional().describe('Symbols that lie deeper, or did not fit'),
  foundBy: z.enum(['syntax']).exactOptional().describe('By the grammar, not by a language service'),
  note: z.string().exactOptional().describe('What may be missing and why'),
});

type OutlinedFile = z.infer<typeof file>;

const failure = z.object({
  path: z.string().describe('The path as asked'),
  message: z.string().describe('What happened and what to do'),
  code: z.string().describe('The error code'),
});

type Failure = z.infer<typeof failure>;

/** The `get_outline` tool: lists what files declare. */
export const getOutline = defineTool({
  name: 'get_outline',
  title: 'Get outline',
  toolset: 'language',
  risk: 'read',
  needs: ['language'],
  timeLimitSeconds: 30,
  description: 'List what files declare, with line ranges; far shorter than the files.',
  example: { paths: ['src/a.ts'] },
  input: inputFromZod(
    z.strictObject({
      paths: z.array(pathInput).min(1).max(20).describe('Names files'),
      depth: z.int().min(1).max(maximumDepth).default(2).describe('Lists this many levels; 1 has no members'),
    }),
  ),
  output: outputFromZod(
    z.object({
      files: z.array(file).max(20).describe('In the order asked'),
      failed: z.array(failure).max(20).exactOptional().describe('What could not be outlined'),
      notShown: z.array(z.string()).max(20).exactOptional().describe('Did not fit; ask for them again'),
    }),
  ),
  targets: () => [],
  async run({ paths, depth }, context, signal) {
    const answers = await Promise.all(paths.map((path) => outlineOf(path, context, signal)));
    const files: OutlinedFile[] = [];
    const failed = answers.filter((each) => 'code' in each);
    const notShown: string[] = [];
    let left = context.limits.listBytes;
    for (const answer of answers) {
      if ('code' in answer) continue;
      if (left !== undefined && left < leastBytes && files.length > 0) {
        notShown.push(answer.path);
        continue;
      }
      const shown = fitting(answer, depth, { ...context.limits, listBytes: left });
      files.push(shown);
      if (left !== undefined) left -= Math.max(Buffer.byteLength(fileText(shown)), dataBytes(shown, context.limits));
    }
    return { files, ...(failed.length > 0 ? { failed } : {}), ...(notShown.length > 0 ? { notShown } : {}) };
  },
  render: ({ files, failed = [], notShown = [] }) => ({
    text: [
      ...files.map(fileText),
      ...failed.map(({ path, message, code }) => `${path}: ${message} [${code}]`),
      ...(notShown.length > 0 ? [`Not shown, the page is full; ask again for: ${notShown.join(', ')}`] : []),
    ].join('\n'),
  }),
});

/** The fewest bytes left for which a further file is shown. */
const leastBytes = 1500;

interface Outlined {
  readonly path: string;
  readonly declarations: readonly Declaration[];
  readonly foundBy?: 'syntax';
  readonly note?: string;
}

async function outlineOf(
  address: string,
  { language, resolve, withNearestPaths }: Pick<ToolContext<'language'>, 'language' | 'resolve' | 'withNearestPaths'>,
  signal: AbortSignal,
): Promise<Outlined | Failure> {
  try {
    const path = await resolve(address);
    if (path.kind !== 'file') throw noFile(path.path, path.kind === 'missing');
    const outline: readonly OutlineSymbol[] = (await language.outline(path, signal)) ?? [];
    const foundBy = outline[0]?.foundBy;
    const isSure = outline.length > 0 && foundBy === undefined;
    const note = isSure ? '' : await language.explain(path, 'outline');
    return {
      path: visible(path.path),
      declarations: declarationsIn(outline),
      ...(foundBy !== undefined && { foundBy }),
      ...(note === '' ? {} : { note }),
    };
  } catch (thrown) {
    const error = await withNearestPaths(thrown, signal);
    if (!(error instanceof ToolError)) throw error;
    return { path: visible(address), message: `${error.message} ${error.hint}`, code: error.code };
  }
}

function noFile(path: string, isMissing: boolean): ToolError {
  return isMissing
    ? new MissingPathError(path, `${path} does not exist.`, 'Find it with find_files.')
    : new ToolError('unavailable', `${path} is a folder.`, 'Name files in it; list_directory shows them.');
}

/** Shows the outline as deep as requested when it fits, otherwise less deep, so that the whole file is covered. */
function fitting(
  { path, declarations, foundBy, note }: Outlined,
  depth: number,
  limits: Pick<ToolContext['limits'], 'listBytes' | 'form'>,
): OutlinedFile {
  const upTo = (level: number): readonly Symbol[] =>
    declarations.filter(({ containers }) => containers.length < level).map(asSymbol);
  const show = (each: Symbol): ShownItem => ({ text: symbolText(each), data: [each] });
  let shown: readonly Symbol[] = [];
  for (let level = depth; level > 0; level -= 1) {
    const all = upTo(level);
    const count = fittingCount(all, show, { ...limits, maxResults: all.length });
    shown = all.slice(0, count);
    if (count === all.length) break;
  }
  const omitted = declarations.length - shown.length;
  return {
    path,
    symbols: [...shown],
    ...(omitted > 0 ? { omitted } : {}),
    ...(foundBy === undefined ? {} : { foundBy }),
    ...(note === undefined ? {} : { note }),
  };
}

function asSymbol({
  symbol: { name, kind, detail, firstLine, lastLine, isDeprecated },
  containers,
}: Declaration): Symbol {
  return {
    name,
    kind,
    ...(detail === undefined || detail === '' ? {} : { detail: detail.slice(0, maximumDetail).toWellFormed() }),
    depth: containers.length + 1,
    firstLine,
    lastLine,
    ...(isDeprecated === true ? { isDeprecated } : {}),
  };
}

function dataBytes(shown: OutlinedFile, { form }: Pick<ToolContext['limits'], 'form'>): number {
  return form === 'text' ? 0 : Buffer.byteLength(JSON.stringify(shown));
}

function fileText({ path, symbols, omitted, foundBy, note }: OutlinedFile): string {
  return [
    foundBy === undefined ? path : `${path} (found by syntax)`,
    ...symbols.map(symbolText),
    ...(omitted === undefined ? [] : [`(${counted(omitted, 'symbol')} left out: deeper, or too many)`]),
    ...(note === undefined ? [] : [`(${note})`]),
  ].join('\n');
}

function symbolText({ name, kind, detail, depth, firstLine, lastLine, isDeprecated }: Symbol): string {
  const lines = firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`;
  const marks = `${detail === undefined ? '' : ` ${detail}`}${isDeprecated === true ? ' (deprecated)' : ''}`;
  return `${' '.repeat(depth - 1)}${lines} ${kind} ${name}${marks}`;
}
