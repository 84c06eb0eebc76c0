import type { Principal } from '#base/principal.ts';

/** A call of an assistant's own tool that may change files which nobody approves before. */
export interface WatchedCall {
  /** The same for the beginning and the end of one call. */
  readonly key: string;
  readonly principal: Principal;
  /** What the user reads above the files that it changes. */
  readonly headline: string;
}

/** Follows the calls of assistants' own tools, so that the files that they change can be listed. */
export interface NativeWatch {
  /** Notes that a session is at work. */
  saw(principal: Principal): void;
  /** Resolves when the files are known as they are before the call, or after two seconds. */
  ready(): Promise<void>;
  began(call: WatchedCall): void;
  /** @param paths the files that the call names, absolute */
  ended(call: Pick<WatchedCall, 'key' | 'principal'> & { readonly paths: readonly string[] }): void;
  /** Returns what the model must be told once, about changes that the user took back; undefined when there is nothing. */
  takeWords(principal: Principal): string | undefined;
}
