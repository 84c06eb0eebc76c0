import type { Recovery } from '#base/proposal.ts';
import type { SourceControl } from '#changes/sourceControl.ts';

/** Version control that returns what a test sets. */
export class FakeSourceControl implements SourceControl {
  answer: Recovery = 'unknown';
  /** The list of paths of each question. */
  readonly asked: (readonly string[])[] = [];

  async recovery(fsPaths: readonly string[]): Promise<Recovery> {
    this.asked.push(fsPaths);
    return this.answer;
  }
}
