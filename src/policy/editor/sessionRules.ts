import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import type { Rule, ScopedRule } from '../rules.ts';

/** The longest time that a session rule lasts, whatever its expiry. */
export const sessionRuleMilliseconds = 4 * 60 * 60 * 1000;

interface Session {
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** The turn with which the rule ends. */
  readonly turn?: string | undefined;
}

interface SessionRule extends Session {
  readonly scoped: ScopedRule;
  readonly timer: Subscription;
}

/**
 * The rules of assistant sessions (threat row F3). They are kept in memory by principal, so that a new session, which has another
 * key, starts without rules.
 */
export class SessionRules implements Subscription {
  readonly #clock: Clock;
  readonly #rules = new Map<string, SessionRule>();
  /** The principals of removed rules, so that these can be restored. */
  readonly #removed = new Map<string, Session>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get all(): readonly ScopedRule[] {
    return [...this.#rules.values()].map(({ scoped }) => scoped);
  }

  /** Returns the name and version that the assistant of a rule reports. */
  clientOf(id: string): ClientInfo | undefined {
    return this.#rules.get(id)?.client;
  }

  add(rule: Rule, session: Session): void {
    const now = this.#clock.now();
    const end = Math.min(
      now + sessionRuleMilliseconds,
      ...(rule.expires === undefined ? [] : [Date.parse(rule.expires)]),
    );
    const scoped: ScopedRule = {
      scope: 'session',
      principal: principalKey(session.principal),
      rule: { ...rule, expires: new Date(end).toISOString() },
    };
    this.#rules.get(rule.id)?.timer.dispose();
    const timer = this.#clock.after(Math.max(0, end - now), () =>
      this.#end(
        ({
          scoped: {
            rule: { id },
          },
        }) => id === rule.id,
      ),
    );
    this.#rules.set(rule.id, { ...session, scoped, timer });
    this.#changed.fire();
  }

  remove(id: string): ScopedRule | undefined {
    const found = this.#rules.get(id);
    if (found === undefined) return undefined;
    this.#removed.set(id, found);
    this.#end(({ scoped }) => scoped === found.scoped);
    return found.scoped;
  }

  /** @throws when the session of the rule has ended */
  restore({ rule }: ScopedRule): void {
    const session = this.#removed.get(rule.id);
    if (session === undefined) throw new Error('The session of this rule has ended, so the rule has ended too.');
    this.#removed.delete(rule.id);
    this.add(rule, session);
  }

  /** Ends the rules of an access token that was revoked. */
  endCredential(credential: string): void {
    this.#endWhere(({ principal }) => principal.credential === credential);
  }

  /** Ends the rules of a principal whose only session was closed. */
  endPrincipal(ended: Principal): void {
    this.#endWhere(({ principal }) => principalKey(principal) === principalKey(ended));
  }

  /** Ends the rules that were made for another turn of a principal. */
  endTurns(of: Principal, present: string): void {
    this.#endWhere(
      ({ principal, turn }) => turn !== undefined && turn !== present && principalKey(principal) === principalKey(of),
    );
  }

  #endWhere(isOver: (session: Session) => boolean): void {
    for (const [id, session] of this.#removed) if (isOver(session)) this.#removed.delete(id);
    this.#end(isOver);
  }

  dispose(): void {
    for (const { timer } of this.#rules.values()) timer.dispose();
  }

  #end(isOver: (rule: SessionRule) => boolean): void {
    const over = [...this.#rules].filter(([, rule]) => isOver(rule));
    for (const [id, { timer }] of over) {
      timer.dispose();
      this.#rules.delete(id);
    }
    if (over.length > 0) this.#changed.fire();
  }
}
