import type { ProblemsChange, Problems, ProblemsSnapshot } from '#language/problems.ts';

/** A problems list whose changes a test sets. */
export class FakeProblems implements Problems {
  change: ProblemsChange | undefined;
  /** The paths of each snapshot and of each comparison, in order. */
  readonly asked: (readonly string[])[] = [];

  async snapshot(realPaths: readonly string[]): Promise<ProblemsSnapshot> {
    this.asked.push(realPaths);
    return {
      changeSince: async (now) => {
        this.asked.push(now);
        return this.change;
      },
    };
  }
}
