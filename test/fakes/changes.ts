import type { ChangesProposal } from '#base/proposal.ts';
import type { AppliedChange, Changes } from '#changes/changes.ts';

/** The applied changes that a test sets, each with its inverse. */
export class FakeChanges implements Changes {
  readonly #changes: readonly { readonly change: AppliedChange; readonly inverse?: ChangesProposal }[];

  constructor(...changes: readonly { readonly change: AppliedChange; readonly inverse?: ChangesProposal }[]) {
    this.#changes = changes;
  }

  list(): readonly AppliedChange[] {
    return this.#changes.map(({ change }) => change);
  }

  async inverse(id: string): Promise<ChangesProposal> {
    const inverse = this.#changes.find(({ change }) => change.id === id)?.inverse;
    if (inverse === undefined) throw new Error(`There is no inverse of ${id}`);
    return inverse;
  }
}
