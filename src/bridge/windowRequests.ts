import { randomBytes } from 'node:crypto';
import {
  isMembers,
  notificationText,
  type Notification,
  type Request,
  type RequestId,
  type Response,
} from './jsonRpc.ts';
import type { WindowLink } from './windowLink.ts';

interface Asked {
  readonly link: WindowLink;
  /** The id that the window gave the request. */
  readonly id: RequestId;
}

/** The requests of windows to the client (sampling, elicitation, roots). Each answer goes to the window that asked. */
export class WindowRequests {
  readonly #asked = new Map<RequestId, Asked>();
  readonly #prefix = `window-${randomBytes(8).toString('hex')}-`;
  #count = 0;

  /** Returns the request for the client, with a new id if a request of another window already has the same id. */
  add(request: Request, link: WindowLink): string {
    const isTaken = this.#asked.has(request.id);
    const id = isTaken ? `${this.#prefix}${++this.#count}` : request.id;
    this.#asked.set(id, { link, id: request.id });
    return isTaken ? withId(request.text, id) : request.text;
  }

  /** Returns the window that a response of the client belongs to; undefined when no window waits for it. */
  take(response: Response): { readonly link: WindowLink; readonly text: string } | undefined {
    const asked = response.id === undefined ? undefined : this.#asked.get(response.id);
    if (asked === undefined || response.id === undefined) return undefined;
    this.#asked.delete(response.id);
    const text = asked.id === response.id ? response.text : withId(response.text, asked.id);
    return { link: asked.link, text };
  }

  /** Returns the notification for the client; a cancellation gets the request id that the client knows. */
  renamed({ method, params, text }: Notification, link: WindowLink): string {
    if (method !== 'notifications/cancelled') return text;
    for (const [own, asked] of this.#asked) {
      if (asked.link !== link || asked.id !== params['requestId']) continue;
      this.#asked.delete(own);
      return own === asked.id ? text : notificationText(method, { ...params, requestId: own });
    }
    return text;
  }

  /** Forgets the requests of a window that is gone; returns the notifications that cancel them at the client. */
  drop(link: WindowLink): readonly string[] {
    const ids = [...this.#asked].filter(([, asked]) => asked.link === link).map(([id]) => id);
    for (const id of ids) this.#asked.delete(id);
    const reason = 'The editor window was reloaded or closed.';
    return ids.map((requestId) => notificationText('notifications/cancelled', { requestId, reason }));
  }
}

function withId(text: string, id: RequestId): string {
  const message: unknown = JSON.parse(text);
  return JSON.stringify(isMembers(message) ? { ...message, id } : message);
}
