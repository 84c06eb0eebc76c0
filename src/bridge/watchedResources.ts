import type { Request, Response } from './jsonRpc.ts';

/** The resources that a client of the 2025 era has subscribed to. They outlast windows: each one in turn is asked for them. */
export class WatchedResources {
  readonly #uris = new Set<string>();

  get uris(): readonly string[] {
    return [...this.#uris];
  }

  /** The client asked for something; what it wants to hear no more of is forgotten whatever a window says. */
  asked({ method, params }: Request): void {
    if (method === 'resources/unsubscribe' && typeof params['uri'] === 'string') this.#uris.delete(params['uri']);
  }

  /** A window has answered; what it refused is not asked of the next one. */
  answered({ method, params }: Request, { result }: Response): void {
    if (method !== 'resources/subscribe' || result === undefined) return;
    if (typeof params['uri'] === 'string') this.#uris.add(params['uri']);
  }

  clear(): void {
    this.#uris.clear();
  }
}
