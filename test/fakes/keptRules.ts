import { Emitter } from '#base/event.ts';
import { principalKey } from '#base/principal.ts';
import type { NewRule, NewRulePlace, RuleReference, Rules, RuleUse, ScopedRule } from '#policy/rules.ts';

/** Stores rules in memory, without a check. */
export class FakeRules implements Rules {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  all: readonly ScopedRule[] = [];
  /** The error of the next `add`. */
  failure: string | undefined;
  /** The places of the rules that were added. */
  readonly places: NewRulePlace[] = [];
  #next = 1;

  use(): RuleUse {
    return { hits: 0 };
  }

  add(rule: NewRule, place: NewRulePlace): Promise<RuleReference> {
    if (this.failure !== undefined) return Promise.reject(new Error(this.failure));
    const id = `r-${String(this.#next++).padStart(4, '0')}`;
    const { scope } = place;
    this.places.push(place);
    this.#set([
      ...this.all,
      {
        scope,
        rule: { id, ...rule },
        ...(place.scope === 'session' && { principal: principalKey(place.principal) }),
        ...(place.scope === 'workspace' && { folder: place.folder }),
      },
    ]);
    return Promise.resolve({ id, scope });
  }

  remove(id: string): Promise<ScopedRule | undefined> {
    const found = this.all.find(({ rule }) => rule.id === id);
    this.#set(this.all.filter((each) => each !== found));
    return Promise.resolve(found);
  }

  restore(rule: ScopedRule): Promise<void> {
    this.#set([...this.all, rule]);
    return Promise.resolve();
  }

  #set(all: readonly ScopedRule[]): void {
    this.all = all;
    this.#changed.fire();
  }
}
