/** The calls of assistants during which files may change, and which of them were running at a time. */
import { principalKey, type Principal } from '#base/principal.ts';

/** A command or another call of an assistant's own tool. */
export interface OutsideCall {
  readonly principal: Principal;
  readonly callId: string;
  /** The command, or what the tool does. */
  readonly headline: string;
}

interface KnownCall extends OutsideCall {
  /** Milliseconds since the epoch. */
  readonly began: number;
  ended: number | undefined;
}

/** File systems take the time of a change from a clock that ticks every few milliseconds, before or after ours. */
const tickMilliseconds = 20;
/** Ended calls that are remembered until the next look at everything. */
const mostEnded = 500;

/** Remembers when calls ran. */
export class OutsideCalls {
  readonly #calls: KnownCall[] = [];

  begin(principal: Principal, callId: string, headline: string, now: number): void {
    this.end(principal, callId, now);
    this.#calls.push({ principal, callId, headline, began: now, ended: undefined });
    const ended = this.#calls.filter((call) => call.ended !== undefined);
    if (ended.length > mostEnded) this.#forget(ended.slice(0, ended.length - mostEnded));
  }

  /** Ends a call that is running. Returns it, also when it had ended before; undefined when it is not known. */
  end(principal: Principal, callId: string, now: number): OutsideCall | undefined {
    const call = this.#calls.findLast(
      (each) => each.callId === callId && principalKey(each.principal) === principalKey(principal),
    );
    if (call !== undefined) call.ended ??= now;
    return call;
  }

  /** Ends what a session left running. */
  endAll(principal: Principal, now: number): void {
    for (const call of this.#calls) {
      if (principalKey(call.principal) === principalKey(principal)) call.ended ??= now;
    }
  }

  /** Returns the calls that ran at a time, in milliseconds since the epoch. */
  at(time: number): readonly OutsideCall[] {
    return this.between(time, time);
  }

  /** Returns the calls that ran at some time between two. */
  between(begin: number, end: number): readonly OutsideCall[] {
    return this.#calls.filter(
      ({ began, ended = Infinity }) => began - tickMilliseconds <= end && begin <= ended + tickMilliseconds,
    );
  }

  isRunning(principal: Principal): boolean {
    return this.#calls.some(
      (call) => call.ended === undefined && principalKey(call.principal) === principalKey(principal),
    );
  }

  /** Forgets calls that ended before a look at everything began: what they changed was seen by it. */
  forgetBefore(time: number): void {
    this.#forget(this.#calls.filter(({ ended }) => ended !== undefined && ended + tickMilliseconds < time));
  }

  #forget(calls: readonly KnownCall[]): void {
    const gone = new Set(calls);
    this.#calls.splice(0, this.#calls.length, ...this.#calls.filter((call) => !gone.has(call)));
  }
}
