import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { type Diagnostic, diagnosticSeverities, type ExaminedFile, freshnesses } from '#language/diagnostics.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, cursorInput, fittingCount, pageOutput } from '../page.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { diagnosticLines, shortened, type ShownDiagnostic } from './diagnosticText.ts';
import { examinedFiles } from './examinedFiles.ts';

const line = z.int().min(1).max(10_000_000);
const column = z.int().min(1).max(10_000_000);
const count = z.int().min(0).max(10_000_000);

const diagnostic = z.object({
  severity: z.enum(diagnosticSeverities),
  message: z.string(),
  source: z.string().exactOptional().describe('Its tool'),
  code: z.string().exactOptional(),
  firstLine: line,
  firstColumn: column,
  lastLine: line,
  lastColumn: column.describe('After the last character'),
  related: z.array(z.string()).exactOptional().describe('Places that explain it, such as "src/a.ts:3 Declared here"'),
  quickFixes: z.array(z.string()).exactOptional().describe('Titles; see list_code_actions'),
});

const output = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      freshness: z
        .enum(freshnesses)
        .describe('fresh: of the present text; published: what the service said last; unanswered: no word yet'),
      diagnostics: z.array(diagnostic),
    }),
  ),
  errorCount: count.describe('On all pages'),
  warningCount: count.describe('On all pages'),
  ...pageOutput,
  unansweredCount: count.exactOptional().describe('Files that no language service has answered for yet'),
  notExaminedCount: count.exactOptional().describe('Files beyond the limit; name them or their folder'),
});

/** The `get_diagnostics` tool: asks language services anew for the problems of files. */
export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Get problems',
  summary: 'Tell errors and warnings, of files in no tab too, how fresh they are, and titles of fixes.',
  toolset: 'language',
  risk: 'read',
  needs: ['changes', 'diagnostics', 'refactorings', 'search', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'Errors and warnings of files, folders or the whole workspace, and how fresh they are. ' +
    'Example: {"paths":["src/cart.ts"],"quickFixes":true}.',
  input: inputFromZod(
    z.strictObject({
      paths: z.array(pathInput).min(1).max(50).exactOptional().describe('Files or folders'),
      changedOnly: z.boolean().default(false).describe('Only files that assistants changed'),
      severity: z.enum(diagnosticSeverities).default('warning').describe('Lowest to list'),
      quickFixes: z.boolean().default(false).describe('Also titles of fixes'),
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(output),
  targets: ({ paths = [] }) => paths,
  async run({ cursor, ...query }, context, signal): Promise<z.infer<typeof output>> {
    const after = cursor === undefined ? 0 : decodeCursor(cursor, query, count);
    const { files, named, notExamined } = await examinedFiles(query, context, signal);
    const least = diagnosticSeverities.indexOf(query.severity);
    const listed = files.flatMap((file) =>
      file.diagnostics
        .filter(({ severity }) => diagnosticSeverities.indexOf(severity) <= least)
        .map((each): FoundDiagnostic => ({ file, diagnostic: shownDiagnostic(each) })),
    );
    const rest = listed.slice(after);
    const fitting = fittingCount(rest, show, context.limits.maxResults, context.limits);
    const page = rest.slice(0, fitting);
    const fixes = query.quickFixes ? await quickFixTitles(page, context, signal) : undefined;
    const silent = after === 0 ? files.filter((file) => named.has(file.path) && !has(listed, file)) : [];
    const unanswered = files.filter(({ freshness }) => freshness === 'unanswered').length;
    const truncated = after + fitting < listed.length;
    const counting = (severity: Diagnostic['severity']): number =>
      listed.filter((each) => each.diagnostic.severity === severity).length;
    return {
      files: [
        ...[...Map.groupBy(page, ({ file }) => file)].map(([{ path, freshness }, found]) => ({
          path,
          freshness,
          diagnostics: found.map((each) => ({ ...each.diagnostic, ...fixes?.(each) })),
        })),
        ...silent.map(({ path, freshness }) => ({ path, freshness, diagnostics: [] })),
      ],
      errorCount: counting('error'),
      warningCount: counting('warning'),
      totalCount: listed.length,
      truncated,
      ...(truncated && { nextCursor: encodeCursor(query, after + fitting) }),
      ...(unanswered > 0 && { unansweredCount: unanswered }),
      ...(notExamined > 0 && { notExaminedCount: notExamined }),
    };
  },
  render: ({ files, totalCount, errorCount, warningCount, nextCursor, unansweredCount, notExaminedCount }) => ({
    text: [
      `${counted(totalCount, 'problem')}: ${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}`,
      ...files.flatMap(({ path, freshness, diagnostics }) => [
        `${visible(path)} (${diagnostics.length === 0 ? 'no problems, ' : ''}${freshness})`,
        ...diagnostics.flatMap(diagnosticLines),
      ]),
      ...(unansweredCount === undefined
        ? []
        : [`(${counted(unansweredCount, 'file')} not answered by a language service yet)`]),
      ...(notExaminedCount === undefined
        ? []
        : [`(${counted(notExaminedCount, 'more file')} not examined; name them or their folder)`]),
      ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
    ].join('\n'),
  }),
});

/** One diagnostic of a result, and its file. */
interface FoundDiagnostic {
  readonly file: ExaminedFile;
  readonly diagnostic: ShownDiagnostic;
}

function shownDiagnostic({ related, ...rest }: Diagnostic): ShownDiagnostic {
  if (related === undefined || related.length === 0) return rest;
  return {
    ...rest,
    related: related.map(({ place, message }) => `${visible(place.path)}:${place.firstLine} ${shortened(message)}`),
  };
}

function show({ file, diagnostic: each }: FoundDiagnostic, before: FoundDiagnostic | undefined) {
  const head = before?.file === file ? [] : [`${file.path} (${file.freshness})`];
  return { text: [...head, ...diagnosticLines(each)].join('\n'), data: [each] };
}

function has(listed: readonly FoundDiagnostic[], file: ExaminedFile): boolean {
  return listed.some((each) => each.file === file);
}

/** The most lines with fixes; each line is a request to every service of the language. */
const mostLines = 20;
const mostTitles = 10;

/** Finds the titles of the fixes of each diagnostic, as the lightbulb shows them. */
async function quickFixTitles(
  listed: readonly FoundDiagnostic[],
  { refactorings, resolve }: ToolContext<'refactorings'>,
  signal: AbortSignal,
): Promise<(each: FoundDiagnostic) => { readonly quickFixes?: string[] }> {
  const lines = [...Map.groupBy(listed, lineKey)].slice(0, mostLines);
  const titles = new Map<string, readonly { readonly title: string; readonly fixes: readonly string[] }[]>();
  for (const [key, [first]] of lines) {
    if (first === undefined) continue;
    const { firstLine } = first.diagnostic;
    try {
      const path = await resolve(first.file.uri);
      titles.set(key, await refactorings.codeActions(path, { firstLine, lastLine: firstLine }, ['quickfix'], signal));
    } catch (error) {
      // A problem is listed even when its fixes are not available.
      if (!(error instanceof ToolError)) throw error;
    }
  }
  return (each) => {
    const offered = titles.get(lineKey(each))?.filter(({ fixes }) => fixes.includes(each.diagnostic.message)) ?? [];
    return offered.length === 0 ? {} : { quickFixes: offered.slice(0, mostTitles).map(({ title }) => title) };
  };
}

function lineKey({ file, diagnostic: { firstLine } }: FoundDiagnostic): string {
  return `${file.path}\n${firstLine}`;
}
