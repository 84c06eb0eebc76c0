/** The decisions of the user about edits whose assistants no longer waited for them. */
import { type Principal, principalKey } from '#base/principal.ts';
import type { Approver, ChangeOutcome } from '#changes/approver.ts';

/** The edits of each session that the user had not decided about when their calls were answered. */
export class LateDecisions {
  readonly #approver: Pick<Approver, 'outcome'>;
  /** Ids of approvals. The key is the principal. */
  readonly #open = new Map<string, Set<string>>();

  constructor(approver: Pick<Approver, 'outcome'>) {
    this.#approver = approver;
  }

  /** Notes an edit whose call was answered before the user decided. */
  add(principal: Principal, approvalId: string): void {
    const key = principalKey(principal);
    this.#open.set(key, (this.#open.get(key) ?? new Set()).add(approvalId));
  }

  /** Forgets an edit, because the same call was made again and is told the decision itself. */
  forget(principal: Principal, approvalId: string): void {
    this.#open.get(principalKey(principal))?.delete(approvalId);
  }

  /** Returns the outcomes that a session has not been told yet, and forgets them. */
  async take(principal: Principal): Promise<readonly ChangeOutcome[]> {
    const open = this.#open.get(principalKey(principal)) ?? new Set();
    const now = { principal, waitMilliseconds: 0, signal: new AbortController().signal, progress: () => {} };
    const outcomes = await Promise.all(
      [...open].map(async (id) => ({ id, outcome: await this.#approver.outcome(id, now) })),
    );
    return outcomes.flatMap(({ id, outcome }) => {
      if (outcome?.status === 'pending_approval') return [];
      open.delete(id);
      return outcome ?? [];
    });
  }
}
