import type { Recovery } from '#base/proposal.ts';
import type { SourceControl } from '#changes/sourceControl.ts';

/** Version control that answers what a test sets. */
export class FakeSourceControl implements SourceControl {
  answer: Recovery = 'unknown';
  /** Every list of paths that was asked about. */
  readonly asked: (readonly string[])[] = [];

  async recovery(fsPaths: readonly string[]): Promise<Recovery> {
    this.asked.push(fsPaths);
    return this.answer;
  }
}
