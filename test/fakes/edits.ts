import type { ApplyOutcome, Edits } from '../../src/ports/edits.ts';
import type { FileChange } from '../../src/ports/proposal.ts';

/** Files in memory that are written only over their base, as the real adapter does. */
export class FakeEdits implements Edits {
  readonly texts: Map<string, string>;
  /** Every apply that wrote something. */
  readonly writes: (readonly FileChange[])[] = [];
  /** What save participants make of a text. */
  onSave: (text: string) => string = (text) => text;
  failure: Extract<ApplyOutcome, { status: 'failed' }> | undefined;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
  }

  async apply(changes: readonly FileChange[]): Promise<ApplyOutcome> {
    if (this.failure) return this.failure;
    const stale = changes.find(({ path, base }) => this.texts.get(path.realPath) !== base.text);
    if (stale) return { status: 'stale', path: stale.path.path, reason: 'the file was changed' };
    this.writes.push(changes);
    const files = changes.map(({ path, result }) => {
      const text = this.onSave(result.text);
      this.texts.set(path.realPath, text);
      return {
        text,
        encoding: result.encoding,
        saved: true,
        dirty: false,
        changedOnSave: text !== result.text,
        size: text.length,
        modified: 1,
      };
    });
    return { status: 'applied', files };
  }
}
