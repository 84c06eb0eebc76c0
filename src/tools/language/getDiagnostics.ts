import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import {
  type Diagnostic,
  diagnosticSeverities,
  type ExaminedFile,
  freshnesses,
  type Freshness,
} from '#language/diagnostics.ts';
import { isApplicable } from '#language/refactorings/applicable.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, cursorInput, fewerNote, fittingCount, limitsFor, maxResultsInput, pageOutput } from '../page.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { checkedCounts, checkedText } from './checkedFiles.ts';
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
        .describe(
          'fresh: of the present text; published: what the service said last; unanswered: no word yet; no_service: not checked',
        ),
      diagnostics: z.array(diagnostic),
    }),
  ),
  errorCount: count.describe('On all pages'),
  warningCount: count.describe('On all pages'),
  ...pageOutput,
  note: z.string().exactOptional().describe('Why the page has fewer than maxResults'),
  checkedCount: count.exactOptional().describe('Files that a language service answered for'),
  unansweredCount: count.exactOptional().describe('Files that no language service has answered for yet'),
  notChecked: z
    .array(z.string())
    .exactOptional()
    .describe('Files of languages that no extension here checks, by language'),
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
  description: 'Get errors and warnings of files, folders or the whole workspace, and how fresh they are.',
  example: { paths: ['src/cart.ts'], quickFixes: true },
  input: inputFromZod(
    z.strictObject({
      paths: z.array(pathInput).min(1).max(50).exactOptional().describe('Names files or folders'),
      changedOnly: z.boolean().default(false).describe('Keeps files that assistants changed'),
      severity: z.enum(diagnosticSeverities).default('warning').describe('Sets the lowest severity'),
      quickFixes: z.boolean().default(false).describe('Adds titles of fixes'),
      maxResults: maxResultsInput,
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(output),
  targets: ({ paths = [] }) => paths,
  async run({ cursor, maxResults, ...query }, context, signal): Promise<z.infer<typeof output>> {
    const after = cursor === undefined ? 0 : decodeCursor(cursor, query, count);
    const { files, named, notExamined } = await examinedFiles(query, context, signal);
    const least = diagnosticSeverities.indexOf(query.severity);
    const listed = files.flatMap((file) =>
      file.diagnostics
        .filter(({ severity }) => diagnosticSeverities.indexOf(severity) <= least)
        .map((each): FoundDiagnostic => ({ file, diagnostic: shownDiagnostic(each) })),
    );
    const rest = listed.slice(after);
    const limits = limitsFor(maxResults, context.limits);
    const fitting = fittingCount(rest, show, limits);
    const page = rest.slice(0, fitting);
    const fixes = query.quickFixes ? await quickFixTitles(page, context, signal) : undefined;
    // Files with a fresh answer come first, and those that no language service has answered for come last.
    const known: readonly string[] = ['fresh', 'published', 'unanswered'];
    const silent = files
      .filter((file) => after === 0 && named.has(file.path) && known.includes(file.freshness) && !has(listed, file))
      .toSorted((one, other) => known.indexOf(one.freshness) - known.indexOf(other.freshness));
    const truncated = after + fitting < listed.length;
    const [note] = truncated ? fewerNote(maxResults, fitting, limits) : [];
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
      ...(note !== undefined && { note }),
      ...checkedCounts(files),
      ...(notExamined > 0 && { notExaminedCount: notExamined }),
    };
  },
  render: ({ files, nextCursor, note, notExaminedCount, ...counts }) => ({
    text: [
      checkedText(
        counts,
        files.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0),
      ),
      ...files.flatMap(({ path, freshness, diagnostics }) => [
        `${visible(path)} (${diagnostics.length === 0 ? silences[freshness] : freshness})`,
        ...diagnostics.flatMap(diagnosticLines),
      ]),
      ...(notExaminedCount === undefined
        ? []
        : [`(${counted(notExaminedCount, 'more file')} not examined; name them or their folder)`]),
      ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
      ...(note === undefined ? [] : [`(${note})`]),
    ].join('\n'),
  }),
});

/** The words for a file without problems. */
const silences: Readonly<Record<Freshness, string>> = {
  fresh: 'no problems, fresh',
  published: 'no problems, published',
  unanswered: 'no answer yet',
  no_service: 'not checked',
};

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
      const actions = await refactorings.codeActions(path, { firstLine, lastLine: firstLine }, ['quickfix'], signal);
      titles.set(key, actions.filter(isApplicable));
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
