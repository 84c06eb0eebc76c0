import type { Clock } from '#base/clock.ts';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import type { Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Approval, ApprovalFile, Restriction } from './approval.ts';

/** So many declines of one file within the window, in milliseconds, decline it by themselves for a while (threat row A16). */
const [mostDeclines, declineWindow, declinedFor] = [3, 5 * 60_000, 10 * 60_000];
/** Of an action: nothing about it changes from one time to the next, as a file's text does. */
const mostDeclinesOfAction = 2;

interface Kept extends Restriction {
  readonly principal: string;
  /** Of what is declined. */
  readonly key?: string;
}

/** A file, or an action by its definition. */
interface Declinable {
  readonly key: string;
  readonly shown: Pick<Restriction, 'path' | 'action'>;
  readonly mostDeclines: number;
}

/** What a decision is about. */
type Declined = Pick<Approval, 'principal' | 'client' | 'action'> & {
  readonly files: readonly Pick<ApprovalFile, 'path' | 'realPath'>[];
};

/** Assistants that the human paused, and files and actions that they declined again and again. In memory: a reload ends them. */
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
    return [...this.#kept.values()].map(({ principal: _principal, key: _key, ...shown }) => shown);
  }

  /** @throws ToolError `denied` when the caller is paused, or one of these files, or this action, was declined too often */
  admit(principal: Principal, proposal: Proposal): void {
    const key = principalKey(principal);
    const wanted =
      proposal.kind === 'action'
        ? [keyOfAction(proposal.definition)]
        : proposal.files.map(({ path }) => keyOfFile(path.realPath));
    for (const { principal: restricted, key: declined, path, action, until } of this.#kept.values()) {
      if (restricted !== key) continue;
      if (declined === undefined) {
        throw new ToolError(
          'denied',
          'The user has paused you: you can read, but change nothing until they resume you.',
          'Tell the user what you wanted to change and wait for their word; do not send changes again before.',
        );
      }
      if (!wanted.includes(declined)) continue;
      const end = new Date(until ?? 0).toISOString();
      throw action === undefined
        ? new ToolError(
            'denied',
            `The user has declined changes of ${path ?? 'this file'} ${mostDeclines} times; until ${end} they are declined by themselves.`,
            'Ask the user what they want instead; do not send another change of this file before.',
          )
        : new ToolError(
            'denied',
            `The user has declined this ${mostDeclinesOfAction} times (${action}); until ${end} it is declined by itself.`,
            'Ask the user what they want instead; do not ask for it again before, with other arguments neither.',
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

  declined({ principal, client, ...declined }: Declined): void {
    const now = this.#clock.now();
    for (const [key, times] of this.#declines) {
      if ((times.at(-1) ?? 0) <= now - declineWindow) this.#declines.delete(key);
    }
    for (const { key: what, shown, mostDeclines: most } of declinables(declined)) {
      const key = declineKey(principal, what);
      const recent = [...(this.#declines.get(key) ?? []).filter((at) => at > now - declineWindow), now];
      this.#declines.set(key, recent);
      if (recent.length < most) continue;
      this.#declines.delete(key);
      const id = `r-${this.#next++}`;
      const until = now + declinedFor;
      this.#keep({
        id,
        kind: 'declined_repeatedly',
        principal: principalKey(principal),
        client,
        ...shown,
        key: what,
        until,
      });
      this.#clock.after(declinedFor, () => this.lift(id));
    }
  }

  /** The human wants it after all. */
  approved({ principal, ...approved }: Declined): void {
    for (const { key } of declinables(approved)) this.#declines.delete(declineKey(principal, key));
  }

  lift(id: string): void {
    if (this.#kept.delete(id)) this.#changed();
  }

  #keep(kept: Kept): void {
    this.#kept.set(kept.id, kept);
    this.#changed();
  }
}

function declinables({ files, action }: Pick<Declined, 'files' | 'action'>): readonly Declinable[] {
  if (action !== undefined) {
    const { definition } = action;
    return [{ key: keyOfAction(definition), shown: { action: definition }, mostDeclines: mostDeclinesOfAction }];
  }
  return files.map(({ path, realPath }) => ({ key: keyOfFile(realPath), shown: { path }, mostDeclines }));
}

function keyOfFile(realPath: string): string {
  return JSON.stringify(['file', realPath]);
}

function keyOfAction(definition: string): string {
  return JSON.stringify(['action', definition]);
}

function declineKey(principal: Principal, key: string): string {
  return JSON.stringify([principalKey(principal), key]);
}
