import type { Request, Response } from './jsonRpc.ts';

/** The resources that a client of the 2025 era has subscribed to. They outlast windows: each one in turn is asked for them. */
export class WatchedResources {
  /** Whether a window has granted it. */
  readonly #isGranted = new Map<string, boolean>();

  get uris(): readonly string[] {
    return [...this.#isGranted].flatMap(([uri, isGranted]) => (isGranted ? [uri] : []));
  }

  /** The client asked for something; what it wants to hear no more of is forgotten whatever a window says. */
  asked({ method, params: { uri } }: Request): void {
    if (typeof uri !== 'string') return;
    if (method === 'resources/unsubscribe') this.#isGranted.delete(uri);
    if (method === 'resources/subscribe') this.#isGranted.set(uri, this.#isGranted.get(uri) ?? false);
  }

  /** A window has answered; what it refused is not asked of the next one, nor what the client has unsubscribed from since. */
  answered({ method, params: { uri } }: Request, { result }: Response): void {
    if (method !== 'resources/subscribe' || typeof uri !== 'string' || !this.#isGranted.has(uri)) return;
    if (result !== undefined) this.#isGranted.set(uri, true);
    else if (this.#isGranted.get(uri) === false) this.#isGranted.delete(uri);
  }

  clear(): void {
    this.#isGranted.clear();
  }
}
