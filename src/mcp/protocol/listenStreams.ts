import type { ServerNotifier } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { CallOrigin } from '#call/callTool.ts';
import type { Message } from '../requestBody.ts';
import { Coalescer } from '../coalescer.ts';
import type { Product } from '../product.ts';
import { mostWatches, ResourceWatches } from '../resourceWatches.ts';

/** A `subscriptions/listen` message for the SDK. Disposing it ends the watches of its stream. */
export interface ListenStream extends Subscription {
  readonly body: unknown;
}

const listenParams = z.looseObject({
  notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()) }),
});

/** Watches the resources that 2026-era streams listen to. The SDK sends each update to every stream that asked for it. */
export class ListenStreams {
  readonly #product: Product;
  readonly #updates: Coalescer<string>;

  constructor(product: Product, clock: Clock, notify: ServerNotifier) {
    this.#product = product;
    this.#updates = new Coalescer(clock, (uri) => notify.resourceUpdated(uri));
  }

  /**
   * Watches the resources that a stream asks for. Removes those it may not watch from the message, so that the SDK
   * acknowledges only the others. Leaves malformed messages to the SDK.
   */
  async open(
    message: Message,
    call: CallOrigin,
    rootsNow: () => CallOrigin['roots'],
  ): Promise<ListenStream | 'too_many'> {
    const watches = new ResourceWatches(this.#product, (uri) => this.#updates.changed(uri), rootsNow);
    const params = listenParams.safeParse(message.params);
    const asked = params.success ? [...new Set(params.data.notifications.resourceSubscriptions)] : [];
    if (asked.length > mostWatches) return 'too_many';
    try {
      const outcomes = await Promise.all(asked.map((uri) => watches.watch(uri, call)));
      const resourceSubscriptions = asked.filter((_, index) => outcomes[index]?.kind === 'watching');
      const body = { jsonrpc: '2.0', ...message };
      if (!params.success) return { body, dispose: () => watches.dispose() };
      const notifications = { ...params.data.notifications, resourceSubscriptions };
      return { body: { ...body, params: { ...params.data, notifications } }, dispose: () => watches.dispose() };
    } catch (error) {
      watches.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#updates.dispose();
  }
}
