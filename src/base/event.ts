/** A subscription or resource that can be ended. It has the shape of the editor's own disposables. */
export interface Subscription {
  dispose(): void;
}

/** Subscribes a listener until the returned subscription is disposed. */
export type Event<T> = (listener: (value: T) => void) => Subscription;

/** The sending end of an {@link Event}. A throwing listener does not stop the others; its error is thrown afterwards. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'A listener failed');
  }
}
