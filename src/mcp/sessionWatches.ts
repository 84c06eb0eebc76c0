import type { Clock } from '#base/clock.ts';
import { Coalescer } from './coalescer.ts';
import type { Product } from './product.ts';
import type { SessionRoots } from './protocol/clientRoots.ts';
import { ResourceWatches } from './resourceWatches.ts';

/** Resources that one session of the 2025 era is told the changes of, once for a burst. */
export class SessionWatches extends ResourceWatches {
  readonly #bursts: Coalescer<string>;

  /** @param tell its client; of a session that closes meanwhile it may fail */
  constructor(
    { product, clock }: { readonly product: Product; readonly clock: Clock },
    roots: SessionRoots,
    tell: (uri: string) => Promise<void>,
  ) {
    super(
      product,
      (uri) => this.#bursts.changed(uri),
      () => roots.known,
    );
    this.#bursts = new Coalescer(clock, (uri) => {
      if (this.has(uri)) tell(uri).catch(() => undefined);
    });
  }

  override dispose(): void {
    super.dispose();
    this.#bursts.dispose();
  }
}
