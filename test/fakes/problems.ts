import type { ProblemsChange, Problems, ProblemsSnapshot } from '#language/problems.ts';

/** Says what it was told to say. */
export class FakeProblems implements Problems {
  change: ProblemsChange | undefined;
  /** Paths of each snapshot and of each question for a change, in order. */
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
