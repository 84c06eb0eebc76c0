import type { Server, ServerNotifier } from '@modelcontextprotocol/server';
import type { Clock } from '../ports/clock.ts';
import type { Subscription } from '../ports/event.ts';
import { Coalescer } from './coalescer.ts';
import type { Product } from './product.ts';

type List = 'tools' | 'resources';

/** Tells the clients of both eras that a list changed: sessions on their own streams, the others where they listen. */
export class Notices {
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
    const tools = (): void => this.#bursts.changed('tools');
    this.#subscriptions = [
      product.catalog.onDidChange(tools),
      // What is listed of a tool depends on the client's profile.
      product.onDidChangeProfiles(tools),
      product.onDidChangeResources(() => this.#bursts.changed('resources')),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#bursts.dispose();
  }

  #tell(list: List): void {
    if (list === 'tools') this.#modern.toolsChanged();
    else this.#modern.resourcesChanged();
    for (const server of this.#sessions()) {
      const sent = list === 'tools' ? server.sendToolListChanged() : server.sendResourceListChanged();
      // A session that closes meanwhile has nothing to hear.
      sent.catch(() => undefined);
    }
  }
}
