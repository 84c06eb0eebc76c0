/** Remembers the turns in which assistants use their own tools. A turn is the work on one prompt of the user. */
import { createHash } from 'node:crypto';
import type { NativeAnswer, NativeCall, NativeCaller } from '#base/nativeEdit.ts';
import { type Principal, principalKey } from '#base/principal.ts';
import type { AssistantTurn } from '#changes/approver.ts';

/** The most calls of one turn that were declined and are remembered. */
const mostDeclined = 100;

interface Turn {
  readonly id: string;
  calls: number;
  /** The answers to the calls that the user declined. The key is the hash of the call. */
  readonly declined: Map<string, NativeAnswer>;
}

/** The present turn of each session. Calls of an assistant that names no turn are not remembered. */
export class NativeTurns {
  readonly #endRules: (principal: Principal, present: string) => void;
  /** The key is the principal. */
  readonly #turns = new Map<string, Turn>();

  /** @param endRules ends the rules that the user made for another turn of this principal */
  constructor(endRules: (principal: Principal, present: string) => void) {
    this.#endRules = endRules;
  }

  /** Counts a call; undefined when it names no turn. */
  count(call: NativeCaller, principal: Principal): AssistantTurn | undefined {
    const turn = this.#present(call, principal);
    if (turn === undefined) return undefined;
    turn.calls += 1;
    return { id: turn.id, edit: turn.calls };
  }

  /**
   * Returns the refusal of a call that the user declined already in the same turn, so that a model cannot ask again and again.
   * @param hash the same for the same call
   */
  declined(call: NativeCaller, principal: Principal, hash: string): NativeAnswer | undefined {
    return this.#present(call, principal)?.declined.get(hash);
  }

  rememberDeclined(call: NativeCaller, principal: Principal, hash: string, answer: NativeAnswer): void {
    const turn = this.#present(call, principal);
    if (turn !== undefined && turn.declined.size < mostDeclined) turn.declined.set(hash, answer);
  }

  #present({ turn: id }: NativeCaller, principal: Principal): Turn | undefined {
    const key = principalKey(principal);
    const known = this.#turns.get(key);
    if (known?.id === id && known !== undefined) return known;
    // A call without a turn may belong to the next one.
    this.#endRules(principal, id ?? '');
    this.#turns.delete(key);
    if (id === undefined) return undefined;
    const turn: Turn = { id, calls: 0, declined: new Map() };
    this.#turns.set(key, turn);
    return turn;
  }
}

/** Returns the same text for the same tool and edits. */
export function hashOfEdits({ tool, edits }: NativeCall): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, edits]))
    .digest('hex');
}
