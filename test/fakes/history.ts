import { createHash } from 'node:crypto';
import type { History } from '#changes/history.ts';

/** A history in memory, which survives a "reload" by being handed to the next queue. */
export class FakeHistory implements History {
  readonly contents = new Map<string, Uint8Array>();
  readonly kept = new Map<string, string>();
  /** Set to make every write fail, as on a full disk. */
  failure: Error | undefined;
  /** Every write waits for this promise, as on a slow disk. */
  beforeWrite: Promise<void> | undefined;

  async putContent(bytes: Uint8Array): Promise<string> {
    await this.beforeWrite;
    if (this.failure) throw this.failure;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.contents.set(sha256, bytes);
    return sha256;
  }

  async getContent(sha256: string): Promise<Uint8Array> {
    const bytes = this.contents.get(sha256);
    if (bytes === undefined) throw new Error(`No content ${sha256}`);
    return bytes;
  }

  async putRecord(id: string, record: unknown): Promise<void> {
    await this.beforeWrite;
    if (this.failure) throw this.failure;
    this.kept.set(id, JSON.stringify(record));
  }

  async records(): Promise<readonly unknown[]> {
    return [...this.kept.values()].map((text): unknown => JSON.parse(text));
  }
}
