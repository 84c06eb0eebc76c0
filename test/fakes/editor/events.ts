import type * as vscode from 'vscode';

/** Disposables, events and cancellation of the VS Code API. */

export class Disposable implements vscode.Disposable {
  #dispose: (() => unknown) | undefined;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }

  /** Only the first call does something. */
  dispose(): void {
    const dispose = this.#dispose;
    this.#dispose = undefined;
    dispose?.();
  }
}

export class EventEmitter<T> implements vscode.EventEmitter<T> {
  #listeners: ((value: T) => unknown)[][] = [];

  /** A listener that subscribes twice is called twice. */
  readonly event = (listener: (value: T) => unknown): Disposable => {
    const subscription = [listener];
    this.#listeners = [...this.#listeners, subscription];
    return new Disposable(() => {
      subscription.length = 0;
      this.#listeners = this.#listeners.filter((each) => each !== subscription);
    });
  };

  /** Calls the listeners in the order in which they subscribed, without those that subscribe or leave meanwhile. */
  fire(value: T): void {
    for (const subscription of this.#listeners) for (const listener of subscription) listener(value);
  }

  dispose(): void {
    this.#listeners = [];
  }
}

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}
