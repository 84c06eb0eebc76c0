import { principalKey, type Principal } from '#base/principal.ts';
import type { LineMark, LineMarks } from '#call/ports/lineMarks.ts';

/** Marks by caller. */
export class FakeLineMarks implements LineMarks {
  readonly #marks = new Map<string, readonly LineMark[]>();

  replace(principal: Principal, marks: readonly LineMark[]): number {
    const before = this.of(principal).length;
    this.#marks.set(principalKey(principal), marks);
    return before;
  }

  of(principal: Principal): readonly LineMark[] {
    return this.#marks.get(principalKey(principal)) ?? [];
  }
}
