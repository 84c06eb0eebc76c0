import type { ServerResponse } from 'node:http';
import type { Principal } from '#base/principal.ts';
import type { Clients } from './clients.ts';
import type { Exchange } from './listener.ts';
import { sendResponse } from './respond.ts';

/** The HTTP responses being sent, with the principal of each. */
export class OpenAnswers {
  readonly #clients: Clients;
  readonly #open = new Map<ServerResponse, Principal>();

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** Sends an answer. Resolves when all of it was sent, or its connection broke. */
  send(exchange: Exchange, answer: Response, principal: Principal): Promise<void> {
    return this.keep(exchange, principal, sendResponse(answer, exchange.response));
  }

  /** Keeps a response among the open ones until `sent` settles. */
  async keep({ response }: Exchange, principal: Principal, sent: Promise<void>): Promise<void> {
    const stream = this.#clients.streamOpened(principal);
    this.#open.set(response, principal);
    try {
      await sent;
    } finally {
      this.#open.delete(response);
      stream.dispose();
    }
  }

  /** Cuts the responses of the principals that the predicate selects. */
  closeOf(which: (principal: Principal) => boolean): void {
    for (const [response, principal] of this.#open) if (which(principal)) response.destroy();
  }
}
