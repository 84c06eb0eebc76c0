import { redactText } from '#audit/redactText.ts';
import { secretHint } from '#audit/secretHint.ts';
import { ToolError } from '#base/toolError.ts';
import type { FileMatches, Search, TextQuery } from '#search/search.ts';
import type { MayRead } from './gate.ts';
import type { JudgedPath } from '#policy/protectedPaths.ts';

/** The largest file with a secret that is searched, in bytes; nothing is found in a larger one. */
const maximumBytes = 64 * 1024 * 1024;

/** Number of files that are searched anew at a time. */
const concurrentFiles = 4;

const hint = secretHint();

interface Searched {
  readonly search: Search;
  readonly mayRead: MayRead;
  /** Reads a file as the editor has it, as far as the call may read it. */
  readonly readText: (fsPath: string, maxBytes: number) => Promise<string>;
}

/**
 * Searches the text that the assistant may see. ripgrep searches the files as they are and also flags those that may hold a secret.
 * Whatever it found in a flagged file is dropped, and the query is evaluated anew on the redacted text, even when the query matched
 * nothing: otherwise a query could tell what a secret is by whether it matches (threat row A28). A match that touches a redacted
 * piece does not exist.
 */
export async function* redactedMatches(
  query: TextQuery,
  searched: Searched,
  signal: AbortSignal,
): AsyncGenerator<FileMatches> {
  const ended = new AbortController();
  const untilEnd = AbortSignal.any([signal, ended.signal]);
  const { search, mayRead } = searched;
  const pending: Promise<FileMatches | undefined>[] = [];
  const next = async function* (most: number): AsyncGenerator<FileMatches> {
    while (pending.length > most) {
      const file = await pending.shift();
      if (file !== undefined) yield file;
    }
  };
  try {
    for await (const { isFlagged, ...file } of onlyReadable(search.text({ ...query, flag: hint }, untilEnd), mayRead)) {
      if (isFlagged !== true && pending.length === 0) {
        yield file;
        continue;
      }
      const found = isFlagged === true ? redactedFile(query, file, searched, untilEnd) : Promise.resolve(file);
      // The promise is awaited below, but may reject before that.
      found.catch(() => undefined);
      pending.push(found);
      yield* next(concurrentFiles - 1);
    }
    yield* next(0);
  } finally {
    // No program of this search is left behind.
    ended.abort();
    await Promise.allSettled(pending);
  }
}

/** Returns the matches in the redacted form of a file; undefined when there are none. */
async function redactedFile(
  query: TextQuery,
  file: FileMatches,
  { search, readText }: Searched,
  signal: AbortSignal,
): Promise<FileMatches | undefined> {
  const text = await textOrNothing(file.fsPath, readText);
  if (text === undefined) return undefined;
  const shown = redactText(text);
  const hidden = shown.hidden.map(({ shownStart, shownEnd }) => ({ start: shownStart, end: shownEnd }));
  const matches = await search.inText(query, shown.text, hidden, signal);
  return matches.length === 0 ? undefined : { ...file, matches };
}

/** Leaves out what the call may not read. */
export async function* onlyReadable<Found extends JudgedPath>(
  found: AsyncIterable<Found>,
  mayRead: MayRead,
): AsyncIterable<Found> {
  for await (const file of found) {
    if (mayRead(file)) yield file;
  }
}

/** Returns undefined for a file that cannot be read as text, so that nothing is shown of it. */
async function textOrNothing(fsPath: string, readText: Searched['readText']): Promise<string | undefined> {
  try {
    return await readText(fsPath, maximumBytes);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
