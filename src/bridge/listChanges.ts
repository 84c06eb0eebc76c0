import type { WindowRecord } from '#home/windows.ts';
import { notificationText } from './jsonRpc.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface ListChangesOptions {
  readonly send: (text: string) => void;
  /** Whether a client of the 2025 era may be told things. */
  readonly isReady: () => boolean;
  readonly subscriptions: Subscriptions;
}

/** Tells the client when the lists that it may have read are those of another window, or of none. */
export class ListChanges {
  readonly #options: ListChangesOptions;
  #listsOf: string | undefined;

  constructor(options: ListChangesOptions) {
    this.#options = options;
  }

  /** The client was answered without a window. */
  readWithoutWindow(): void {
    this.#listsOf = '';
  }

  /** This window answers from now on. */
  readFrom({ windowId, extensionVersion }: WindowRecord): void {
    const { send, isReady, subscriptions } = this.#options;
    const before = this.#listsOf;
    this.#listsOf = `${windowId} ${extensionVersion}`;
    if (before === undefined || before === this.#listsOf) return;
    subscriptions.tellListsChanged();
    if (!isReady()) return;
    send(notificationText('notifications/tools/list_changed'));
    send(notificationText('notifications/resources/list_changed'));
    send(notificationText('notifications/prompts/list_changed'));
  }
}
