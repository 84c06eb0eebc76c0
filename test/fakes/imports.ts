import type { ResolvedPath } from '#base/files.ts';
import type { ImportEdit, Imports } from '#language/imports.ts';

/** A language service that returns the edits set by a test for every move. */
export class FakeImports implements Imports {
  edits: readonly ImportEdit[] = [];
  /** The moves of the questions, as `from -> to`. */
  readonly asked: string[] = [];

  async editsForMove(from: ResolvedPath, to: ResolvedPath): Promise<readonly ImportEdit[]> {
    this.asked.push(`${from.path} -> ${to.path}`);
    return this.edits;
  }
}
