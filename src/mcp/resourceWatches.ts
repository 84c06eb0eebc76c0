import type { Clock } from '#base/clock.ts';
import type { CallOrigin } from '#call/callTool.ts';
import type { WatchOutcome } from '#call/outcomes.ts';
import { Coalescer } from './coalescer.ts';
import type { Product } from './product.ts';

/** Maximum number of watched resources of one session or one stream. */
export const mostWatches = 100;
export const tooManyWatches = `Too many subscriptions: at most ${mostWatches} resources at a time. Unsubscribe from others first.`;

interface Watch {
  readonly call: CallOrigin;
  readonly ready: Promise<WatchOutcome>;
  isWanted: boolean;
}

/** The resources that one session or stream listens to. Watches each of them once. */
export class ResourceWatches {
  readonly #product: Product;
  readonly #changed: (uri: string) => void;
  readonly #rootsNow: () => CallOrigin['roots'];
  readonly #watches = new Map<string, Watch>();
  #isDisposed = false;

  /**
   * @param changed called with the URI of a resource at each possible change of its content
   * @param rootsNow returns the client's roots as last known
   */
  constructor(product: Product, changed: (uri: string) => void, rootsNow: () => CallOrigin['roots']) {
    this.#product = product;
    this.#changed = changed;
    this.#rootsNow = rootsNow;
  }

  get isFull(): boolean {
    return this.#watches.size >= mostWatches;
  }

  has(uri: string): boolean {
    return this.#watches.has(uri);
  }

  /** Watches a resource, once. This object keeps and disposes the subscription of the outcome. */
  async watch(uri: string, call: CallOrigin): Promise<WatchOutcome> {
    const known = this.#watches.get(uri);
    if (known !== undefined) return known.ready;
    const watch: Watch = {
      ready: this.#product.watchResource(uri, call, () => this.#tell(uri, watch)),
      call,
      isWanted: true,
    };
    this.#watches.set(uri, watch);
    if (this.#isDisposed) this.unwatch(uri);
    const isWatching = await watch.ready.then(
      ({ kind }) => kind === 'watching',
      () => false,
    );
    if (!isWatching) this.#forget(uri, watch);
    return watch.ready;
  }

  unwatch(uri: string): void {
    const watch = this.#watches.get(uri);
    if (watch !== undefined) this.#end(uri, watch);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const [uri, watch] of this.#watches) this.#end(uri, watch);
  }

  /** Reports a change. When the client's roots changed since the watch began, the watch is first checked anew against them. */
  #tell(uri: string, watch: Watch): void {
    if (!watch.isWanted) return;
    const { call } = watch;
    const roots = this.#rootsNow() ?? call.roots;
    if (roots === undefined || roots === call.roots) return this.#changed(uri);
    this.#end(uri, watch);
    this.watch(uri, { ...call, roots }).then(
      ({ kind }) => kind === 'watching' && this.#changed(uri),
      () => undefined,
    );
  }

  #end(uri: string, watch: Watch): void {
    this.#forget(uri, watch);
    watch.isWanted = false;
    watch.ready.then(
      (outcome) => outcome.kind === 'watching' && outcome.watch.dispose(),
      () => undefined,
    );
  }

  #forget(uri: string, watch: Watch): void {
    if (this.#watches.get(uri) === watch) this.#watches.delete(uri);
  }
}

/** The resources whose changes one 2025-era session hears of, once for a burst of changes. */
export class SessionWatches extends ResourceWatches {
  readonly #bursts: Coalescer<string>;

  /**
   * @param rootsNow returns the client's roots as last known
   * @param notify sends the update to the client; it may reject when the session closes meanwhile
   */
  constructor(
    { product, clock }: { readonly product: Product; readonly clock: Clock },
    rootsNow: () => CallOrigin['roots'],
    notify: (uri: string) => Promise<void>,
  ) {
    super(product, (uri) => this.#bursts.changed(uri), rootsNow);
    this.#bursts = new Coalescer(clock, (uri) => {
      if (this.has(uri)) notify(uri).catch(() => undefined);
    });
  }

  override dispose(): void {
    super.dispose();
    this.#bursts.dispose();
  }
}
