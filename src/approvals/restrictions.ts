import { ToolError } from '../core/tool.ts';
import type { Clock } from '../ports/clock.ts';
import { principalKey, type ClientInfo, type Principal } from '../ports/principal.ts';
import type { ChangesProposal } from '../ports/proposal.ts';
import type { Restriction } from './approval.ts';

/** So many declines of one file within the window, in milliseconds, decline it by themselves for a while (approval-and-security.md 1.7). */
const [mostDeclines, declineWindow, declinedFor] = [3, 5 * 60_000, 10 * 60_000];

interface Kept extends Restriction {
  readonly principal: string;
  readonly realPath?: string;
}

/** Assistants that the human paused, and files whose changes they declined again and again. In memory: a reload ends them. */
export class Restrictions {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #changed: () => void;
  readonly #kept = new Map<string, Kept>();
  readonly #declines = new Map<string, number[]>();
  #next = 1;

  /** @param changed called when `all` answers something else */
  constructor(clock: Pick<Clock, 'now' | 'after'>, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get all(): readonly Restriction[] {
    return [...this.#kept.values()].map(({ principal: _principal, realPath: _realPath, ...shown }) => shown);
  }

  /** @throws ToolError `denied` when the caller is paused, or one of these files was declined too often */
  admit(principal: Principal, proposal: ChangesProposal): void {
    const key = principalKey(principal);
    const places = new Set(proposal.files.map(({ path }) => path.realPath));
    for (const { principal: restricted, realPath, path, until } of this.#kept.values()) {
      if (restricted !== key) continue;
      if (realPath === undefined) {
        throw new ToolError(
          'denied',
          'The user has paused you: you can read, but change nothing until they resume you.',
          'Tell the user what you wanted to change and wait for their word; do not send changes again before.',
        );
      }
      if (!places.has(realPath)) continue;
      throw new ToolError(
        'denied',
        `The user has declined changes of ${path ?? 'this file'} ${mostDeclines} times; until ${new Date(until ?? 0).toISOString()} they are declined by themselves.`,
        'Ask the user what they want instead; do not send another change of this file before.',
      );
    }
  }

  /** @throws ToolError `denied` when the caller is paused: nobody is asked for it then */
  admitRead(principal: Principal): void {
    if (this.pauseOf(principal) === undefined) return;
    throw new ToolError(
      'denied',
      'The user has paused you: what is closed to you stays closed until they resume you.',
      'Go on without it, and do not ask for it again before.',
    );
  }

  pause(principal: Principal, client: ClientInfo | undefined): void {
    if (this.pauseOf(principal) !== undefined) return;
    this.#keep({ id: `r-${this.#next++}`, kind: 'paused', principal: principalKey(principal), client });
  }

  /** The id of the restriction by which an assistant is paused, for `lift`; undefined when it is not. */
  pauseOf(principal: Principal): string | undefined {
    const key = principalKey(principal);
    return [...this.#kept.values()].find((kept) => kept.principal === key && kept.kind === 'paused')?.id;
  }

  declined(
    principal: Principal,
    client: ClientInfo | undefined,
    files: readonly { readonly path: string; readonly realPath: string }[],
  ): void {
    const now = this.#clock.now();
    for (const [key, times] of this.#declines) {
      if ((times.at(-1) ?? 0) <= now - declineWindow) this.#declines.delete(key);
    }
    for (const { path, realPath } of files) {
      const key = declineKey(principal, realPath);
      const recent = [...(this.#declines.get(key) ?? []).filter((at) => at > now - declineWindow), now];
      this.#declines.set(key, recent);
      if (recent.length < mostDeclines) continue;
      this.#declines.delete(key);
      const id = `r-${this.#next++}`;
      const until = now + declinedFor;
      this.#keep({
        id,
        kind: 'declined_repeatedly',
        principal: principalKey(principal),
        client,
        path,
        realPath,
        until,
      });
      this.#clock.after(declinedFor, () => this.lift(id));
    }
  }

  /** The human wants changes of these files after all. */
  approved(principal: Principal, files: readonly { readonly realPath: string }[]): void {
    for (const { realPath } of files) this.#declines.delete(declineKey(principal, realPath));
  }

  lift(id: string): void {
    if (this.#kept.delete(id)) this.#changed();
  }

  #keep(kept: Kept): void {
    this.#kept.set(kept.id, kept);
    this.#changed();
  }
}

function declineKey(principal: Principal, realPath: string): string {
  return JSON.stringify([principalKey(principal), realPath]);
}
