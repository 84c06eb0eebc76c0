import { Emitter, type Event, type Subscription } from '#base/event.ts';

export interface WhenDifferent extends Subscription {
  readonly event: Event<void>;
}

/**
 * Of events that say that something may be another one, those after which it is.
 * @param valueOf what is compared; equal texts mean the same
 */
export function whenDifferent(sources: readonly Event<unknown>[], valueOf: () => string): WhenDifferent {
  const changed = new Emitter<void>();
  let last = valueOf();
  const compare = (): void => {
    const value = valueOf();
    if (value === last) return;
    last = value;
    changed.fire();
  };
  const subscriptions = sources.map((source) => source(compare));
  return {
    event: changed.event,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
