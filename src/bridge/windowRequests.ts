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
  /** As the window knows it. */
  readonly id: RequestId;
}

/** What windows ask of the client (sampling, elicitation, roots), so that each answer goes to the one that asked. */
export class WindowRequests {
  readonly #asked = new Map<RequestId, Asked>();
  readonly #prefix = `window-${randomBytes(8).toString('hex')}-`;
  #count = 0;

  /** The request as the client gets it: as it came, but for an id that another window's request has already. */
  add(request: Request, link: WindowLink): string {
    const isTaken = this.#asked.has(request.id);
    const id = isTaken ? `${this.#prefix}${++this.#count}` : request.id;
    this.#asked.set(id, { link, id: request.id });
    return isTaken ? withId(request.text, id) : request.text;
  }

  /** Where an answer of the client goes; undefined when nobody waits for it. */
  take(response: Response): { readonly link: WindowLink; readonly text: string } | undefined {
    const asked = response.id === undefined ? undefined : this.#asked.get(response.id);
    if (asked === undefined || response.id === undefined) return undefined;
    this.#asked.delete(response.id);
    const text = asked.id === response.id ? response.text : withId(response.text, asked.id);
    return { link: asked.link, text };
  }

  /** A notification as the client gets it: one that withdraws a request names it as the client knows it. */
  renamed({ method, params, text }: Notification, link: WindowLink): string {
    if (method !== 'notifications/cancelled') return text;
    for (const [own, asked] of this.#asked) {
      if (asked.link !== link || asked.id !== params['requestId']) continue;
      this.#asked.delete(own);
      return own === asked.id ? text : notificationText(method, { ...params, requestId: own });
    }
    return text;
  }

  /** The window is gone: what tells the client that its questions need no answer. */
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
