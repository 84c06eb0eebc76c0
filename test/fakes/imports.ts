import type { ResolvedPath } from '#base/files.ts';
import type { ImportEdit, Imports } from '#language/imports.ts';

/** A language service that answers every move with the edits a test sets. */
export class FakeImports implements Imports {
  edits: readonly ImportEdit[] = [];
  /** Paths that were asked about, as `from -> to`. */
  readonly asked: string[] = [];

  async editsForMove(from: ResolvedPath, to: ResolvedPath): Promise<readonly ImportEdit[]> {
    this.asked.push(`${from.path} -> ${to.path}`);
    return this.edits;
  }
}
