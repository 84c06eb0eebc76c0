import { principalKey, type Principal } from '#base/principal.ts';
import type { NativeWatch, WatchedCall } from '#call/nativeWatch.ts';

/** Notes what it is told, and has the words that a test sets. */
export class FakeNativeWatch implements NativeWatch {
  readonly calls: WatchedCall[] = [];
  readonly ends: { readonly key: string; readonly paths: readonly string[] }[] = [];
  readonly sessions = new Set<string>();
  isReady: Promise<void> = Promise.resolve();
  /** The words that the next call is told. */
  words: string | undefined;

  saw(principal: Principal): void {
    this.sessions.add(principalKey(principal));
  }

  ready(): Promise<void> {
    return this.isReady;
  }

  began(call: WatchedCall): void {
    this.calls.push(call);
  }

  ended({ key, paths }: { readonly key: string; readonly paths: readonly string[] }): void {
    this.ends.push({ key, paths });
  }

  takeWords(): string | undefined {
    const { words } = this;
    this.words = undefined;
    return words;
  }
}
