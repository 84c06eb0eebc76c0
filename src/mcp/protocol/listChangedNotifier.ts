import type { Server, ServerNotifier } from '@modelcontextprotocol/server';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { Coalescer } from '../coalescer.ts';
import type { Product } from '../product.ts';

const lists = ['tools', 'resources', 'prompts'] as const;
type List = (typeof lists)[number];

interface Ways {
  readonly modern: (notifier: ServerNotifier) => void;
  readonly session: (server: Server) => Promise<void>;
}

const ways: Readonly<Record<List, Ways>> = {
  tools: { modern: (notifier) => notifier.toolsChanged(), session: (server) => server.sendToolListChanged() },
  resources: {
    modern: (notifier) => notifier.resourcesChanged(),
    session: (server) => server.sendResourceListChanged(),
  },
  prompts: { modern: (notifier) => notifier.promptsChanged(), session: (server) => server.sendPromptListChanged() },
};

/** Tells the clients of both eras that a list changed: on the sessions' streams, and on `subscriptions/listen` streams. */
export class ListChangedNotifier {
  readonly #sessions: () => Iterable<Server>;
  readonly #modern: ServerNotifier;
  readonly #bursts: Coalescer<List>;
  readonly #subscriptions: readonly Subscription[];

  constructor(
    { product, clock }: { readonly product: Product; readonly clock: Clock },
    sessions: () => Iterable<Server>,
    modern: ServerNotifier,
  ) {
    this.#sessions = sessions;
    this.#modern = modern;
    this.#bursts = new Coalescer(clock, (list) => this.#tell(list));
    this.#subscriptions = [
      product.catalog.onDidChange(() => {
        // Resources and prompts are turned on and off together with the tool they are judged as.
        for (const list of lists) this.#bursts.changed(list);
      }),
      // The client's profile decides whether output schemas are listed.
      product.onDidChangeProfiles(() => this.#bursts.changed('tools')),
      product.onDidChangeResources(() => this.#bursts.changed('resources')),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#bursts.dispose();
  }

  #tell(list: List): void {
    const { modern, session } = ways[list];
    modern(this.#modern);
    for (const server of this.#sessions()) {
      // The session may close meanwhile.
      session(server).catch(() => undefined);
    }
  }
}
