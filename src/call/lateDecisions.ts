/** The decisions of the user about edits and commands whose assistants no longer waited for them. */
import { type Principal, principalKey } from '#base/principal.ts';
import type { Approver, ChangeOutcome } from '#changes/approver.ts';

/** A decision that a session has not been told yet. */
export interface LateDecision {
  /** The words that name what was decided about; empty when the outcome names its files. */
  readonly about: string;
  readonly outcome: ChangeOutcome;
}

/** The calls of each session that the user had not decided about when they were answered. */
export class LateDecisions {
  readonly #approver: Pick<Approver, 'outcome'>;
  /** What each approval is about, by its id. The key is the principal. */
  readonly #open = new Map<string, Map<string, string>>();

  constructor(approver: Pick<Approver, 'outcome'>) {
    this.#approver = approver;
  }

  /** Notes a call that was answered before the user decided. @param about the words that name it, unless its outcome has files */
  add(principal: Principal, approvalId: string, about = ''): void {
    const key = principalKey(principal);
    this.#open.set(key, (this.#open.get(key) ?? new Map<string, string>()).set(approvalId, about));
  }

  /** Forgets a call, because the same call was made again and is told the decision itself. */
  forget(principal: Principal, approvalId: string): void {
    this.#open.get(principalKey(principal))?.delete(approvalId);
  }

  /** Returns the decisions that a session has not been told yet, and forgets them. */
  async take(principal: Principal): Promise<readonly LateDecision[]> {
    const open = this.#open.get(principalKey(principal)) ?? new Map<string, string>();
    const now = { principal, waitMilliseconds: 0, signal: new AbortController().signal, progress: () => {} };
    const outcomes = await Promise.all(
      [...open].map(async ([id, about]) => ({ id, about, outcome: await this.#approver.outcome(id, now) })),
    );
    return outcomes.flatMap(({ id, about, outcome }) => {
      if (outcome?.status === 'pending_approval') return [];
      open.delete(id);
      return outcome === undefined ? [] : [{ about, outcome }];
    });
  }
}
