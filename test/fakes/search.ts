import picomatch from 'picomatch';
import { comparePaths } from '../../src/ports/pathOrder.ts';
import type { FoundFile } from '../../src/ports/files.ts';
import type { FileMatches, FileQuery, Search, TextQuery } from '../../src/ports/search.ts';

/** Search over texts in memory, in whatever order they were given; each line apart. */
export class FakeSearch implements Search {
  readonly entries: { readonly file: FoundFile; readonly text: string }[] = [];
  /** Queries asked, in order. */
  readonly queries: FileQuery[] = [];
  /** Searches that were ended before their end. */
  stopped = 0;

  add(file: FoundFile, text: string): void {
    this.entries.push({ file, text });
  }

  async *text(query: TextQuery, signal: AbortSignal): AsyncGenerator<FileMatches> {
    let finished = false;
    try {
      for (const { file, text } of this.#admitted(query, query.sorted)) {
        signal.throwIfAborted();
        const matches = text.split('\n').flatMap((line, at) => {
          const column = (query.isRegex ? line.search(new RegExp(query.pattern)) : line.indexOf(query.pattern)) + 1;
          return column > 0 ? [{ line: at + 1, column, text: line, before: [], after: [] }] : [];
        });
        if (matches.length > 0) yield { ...file, matches };
      }
      finished = true;
    } finally {
      if (!finished) this.stopped += 1;
    }
  }

  async *files(query: FileQuery, signal: AbortSignal): AsyncGenerator<FoundFile> {
    for (const { file } of this.#admitted(query, false)) {
      signal.throwIfAborted();
      yield file;
    }
  }

  #admitted(query: FileQuery, sorted: boolean): readonly { readonly file: FoundFile; readonly text: string }[] {
    this.queries.push(query);
    const includes = query.include.length === 0 ? () => true : picomatch([...query.include], { dot: true });
    const admitted = this.entries.filter(
      ({ file }) =>
        includes(file.path) &&
        query.within.some(({ realPath }) => file.fsPath === realPath || file.fsPath.startsWith(`${realPath}/`)),
    );
    return sorted ? admitted.toSorted((a, b) => comparePaths(a.file.path, b.file.path)) : admitted;
  }
}
