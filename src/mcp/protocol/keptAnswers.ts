import type { ClientInfo } from '#base/principal.ts';
import type { Exchange } from '../listener.ts';
import { mirrorHeaders } from '../inbound.ts';
import type { Product } from '../product.ts';
import type { Message } from '../requestBody.ts';

/** The requests whose results follow from the catalog, the client's profile and the request alone. */
const keptMethods: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/templates/list',
  'server/discover',
]);
/** Clients choose the parameters, so the number and the length of the keys are limited. */
const mostKept = 64;
const longestKey = 8192;

/** The sender of a request, as far as results depend on it. */
interface Asker {
  readonly client: ClientInfo | undefined;
  /** The negotiated revision. */
  readonly revision: string | undefined;
}

/**
 * Keeps the results of lists as JSON, so that each is made, checked and encoded once for a version of the catalog and a profile,
 * and not for each client that asks. The SDK makes the first answer to a request and checks it; equal requests get its result.
 */
export class KeptAnswers {
  readonly #product: Product;
  readonly #results = new Map<string, string>();
  #version: number | undefined;

  constructor(product: Product) {
    this.#product = product;
  }

  /** Returns what the result of a request depends on, as a key; undefined when more than that decides about it. */
  keyOf({ method, params }: Message, headers: Exchange['headers'], { client, revision }: Asker): string | undefined {
    if (method === undefined || !keptMethods.has(method)) return undefined;
    const profile = this.#product.profileFor(client, revision);
    const given = [method, params, mirrorHeaders(headers), headers.accept];
    const key = JSON.stringify([this.#product.catalog.version, revision, profile, given]);
    return key.length > longestKey ? undefined : key;
  }

  /** Returns the kept result as JSON. */
  get(key: string): string | undefined {
    return this.#results.get(key);
  }

  /** @param result as JSON */
  keep(key: string, result: string): void {
    const { version } = this.#product.catalog;
    if (this.#version !== version || this.#results.size >= mostKept) this.#results.clear();
    this.#version = version;
    this.#results.set(key, result);
  }
}
