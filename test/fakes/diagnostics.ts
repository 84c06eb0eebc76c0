import { Emitter } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { Diagnostic, Diagnostics, ExaminedFile, FileDiagnostics, Freshness } from '#language/diagnostics.ts';

/** A problems list that a test sets. */
export class FakeDiagnostics implements Diagnostics {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #files: readonly FileDiagnostics[] = [];
  /** The answers of language services by workspace-relative path; other files have what is published, or are `fresh` without any. */
  readonly answers = new Map<string, { readonly freshness: Freshness; readonly diagnostics: readonly Diagnostic[] }>();
  /** The examined paths of each call. */
  readonly examined: (readonly string[])[] = [];

  list(): readonly FileDiagnostics[] {
    return this.#files;
  }

  async listShown(): Promise<readonly FileDiagnostics[]> {
    return this.#files;
  }

  async examine(files: readonly ResolvedPath[], report: (done: number) => void): Promise<readonly ExaminedFile[]> {
    this.examined.push(files.map(({ path }) => path));
    report(files.length);
    return files.map(({ path, uri, fsPath, realPath, folder }) => {
      const listed = this.#files.find((each) => [fsPath, realPath].includes(each.fsPath));
      const { diagnostics = [] } = listed ?? {};
      const published = { freshness: listed === undefined ? 'fresh' : 'published', diagnostics } as const;
      return { path, uri, fsPath, folder, ...(this.answers.get(path) ?? published) };
    });
  }

  publish(...files: readonly FileDiagnostics[]): void {
    this.#files = files;
    this.#changed.fire();
  }
}
