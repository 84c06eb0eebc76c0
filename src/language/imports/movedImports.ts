import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Search } from '#search/search.ts';
import type { ImportEdit, Imports } from '../imports.ts';
import { raceAbort } from '../raceAbort.ts';
import {
  afterMove,
  isAtOrBelow,
  isRelative,
  mayLeadTo,
  type Move,
  movedSpecifier,
  pointedAt,
} from './movedSpecifier.ts';
import { importSpecifiers, type Specifier } from './specifiers.ts';

/** A position in a text, 0-based as in the VS Code API. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** The editor functions that finding imports needs. */
export interface ImportFacts {
  readonly search: Search;
  /** Resolves with the workspace folders. */
  readonly roots: () => Promise<readonly ResolvedPath[]>;
  /** Reads a file's text as the editor holds it; undefined when the file is not readable text. */
  readonly readText: (fsPath: string) => Promise<string | undefined>;
  /** Asks language services for the definitions at positions of a file. Resolves with absolute paths, one list a position. */
  readonly definitions: (fsPath: string, positions: readonly TextPosition[]) => Promise<readonly (readonly string[])[]>;
}

/** The files whose imports have JavaScript syntax. */
export const importerFiles = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,astro}';
export const importerName = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
/** The number of files examined at a time. */
const parallel = 8;
/** Milliseconds for one move; a language service that has to start and load a project takes seconds. */
const patience = 20_000;

/**
 * Finds imports by their text and asks language services for their targets; an import without a confirmed target stays as it
 * is. The editor's own "update imports" starts only after a file has moved, which is too late for a proposal.
 * `editsForMove` throws ToolError `timeout` after 20 seconds.
 */
export function createMovedImports(facts: ImportFacts): Imports {
  return {
    async editsForMove(from, to, signal) {
      const timeLimit = AbortSignal.timeout(patience);
      try {
        return await editsForMove(facts, from, to, AbortSignal.any([signal, timeLimit]));
      } catch (error) {
        if (!timeLimit.aborted || signal.aborted) throw error;
        throw new ToolError(
          'timeout',
          `The language service did not say within ${patience / 1000} seconds which imports lead to ${from.path}.`,
          'Try again in a moment, or move it with updateImports: false and change the imports yourself.',
        );
      }
    },
  };
}

async function editsForMove(
  facts: ImportFacts,
  from: ResolvedPath,
  to: ResolvedPath,
  signal: AbortSignal,
): Promise<readonly ImportEdit[]> {
  const move = { from: slashed(from.fsPath), to: slashed(to.fsPath) };
  const moved = { move, names: [move.from, slashed(from.realPath)] };
  const files = await filesToLookAt(facts, from, move, signal);
  const edits: ImportEdit[] = [];
  const worker = async (): Promise<void> => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      edits.push(...(await editsOf(file, facts, moved, signal)));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return edits.toSorted((a, b) => (a.fsPath === b.fsPath ? a.offset - b.offset : a.fsPath < b.fsPath ? -1 : 1));
}

/** Returns the files that mention the name of the moved file or folder, and the moved files. */
async function filesToLookAt(
  { search, roots }: ImportFacts,
  from: ResolvedPath,
  { from: moved }: Move,
  signal: AbortSignal,
): Promise<string[]> {
  const scope = { include: [importerFiles], exclude: [], includeIgnored: false };
  const found = new Set<string>();
  const naming = {
    ...scope,
    within: await roots(),
    pattern: patternFor(moved),
    isRegex: true,
    caseSensitive: true,
    wholeWord: false,
    multiline: false,
    linesBefore: 0,
    linesAfter: 0,
    sorted: false,
  };
  for await (const { fsPath } of search.text(naming, signal)) found.add(fsPath);
  if (from.kind !== 'directory') {
    if (importerName.test(from.fsPath)) found.add(from.fsPath);
  } else {
    for await (const { fsPath } of search.files({ ...scope, within: [from] }, signal)) found.add(fsPath);
  }
  return [...found];
}

/**
 * Returns a regular expression for quoted paths with the moved name. An `index` file may also be named by its folder or by
 * dots.
 */
export function patternFor(moved: string): string {
  const names = moved.split('/');
  const name = (names.at(-1) ?? '').replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const alternatives = name === 'index' ? [name, names.at(-2) ?? name] : [name];
  const named = `["'\`/](?:${alternatives.map((one) => one.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&')).join('|')})["'\`/.]`;
  return name === 'index' ? `${named}|["'\`](?:\\.\\.?/?)+["'\`]` : named;
}

async function editsOf(
  fsPath: string,
  { readText, definitions }: ImportFacts,
  { move, names }: { readonly move: Move; readonly names: readonly string[] },
  signal: AbortSignal,
): Promise<readonly ImportEdit[]> {
  signal.throwIfAborted();
  const importer = slashed(fsPath);
  const text = await readText(fsPath);
  if (text === undefined) return [];
  const specifiers = importSpecifiers(text).filter((one) => isAffected(one, importer, move));
  if (specifiers.length === 0) return [];
  const positions = specifiers.map(({ offset }) => positionAt(text, offset));
  const targets = await raceAbort(() => definitions(fsPath, positions), signal);
  return specifiers.flatMap((specifier, at) => {
    const target = targetOf(targets[at] ?? [], move, names);
    const newText = target && movedSpecifier({ specifier: specifier.text, importer, target }, move);
    return newText === undefined ? [] : [{ fsPath, offset: specifier.offset, length: specifier.text.length, newText }];
  });
}

function isAffected({ text }: Specifier, importer: string, move: Move): boolean {
  if (!isAtOrBelow(importer, move.from)) return mayLeadTo(text, importer, move.from);
  if (!isRelative(text)) return mayLeadTo(text, importer, move.from);
  return importer === move.from || !isAtOrBelow(pointedAt(text, importer), move.from);
}

/** Returns the found file that moves, by its path or its real path; otherwise the first one, which counts for a moved importer. */
function targetOf(found: readonly string[], { from }: Move, names: readonly string[]): string | undefined {
  const paths = found.map(slashed);
  for (const path of paths) {
    const name = names.find((one) => isAtOrBelow(path, one));
    if (name !== undefined) return afterMove(path, { from: name, to: from });
  }
  return paths[0];
}

/** Splits lines at the line ends that the editor recognizes. */
function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

export function slashed(fsPath: string): string {
  const path = fsPath.replaceAll('\\', '/');
  return /^[a-z]:/i.test(path) ? `/${path.slice(0, 1).toLowerCase()}${path.slice(1)}` : path;
}
