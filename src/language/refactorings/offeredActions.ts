import { randomBytes } from 'node:crypto';
import type { OfferedAction, Refactorings } from '../refactorings.ts';

/** The most actions kept; one list has about a dozen. */
const most = 500;

/** The code actions that were listed for assistants, by id, in memory. */
export class OfferedActions implements Pick<Refactorings, 'offer' | 'offered' | 'withdraw'> {
  readonly #actions = new Map<string, OfferedAction>();

  offer(offered: OfferedAction): string {
    const id = `ca-${randomBytes(6).toString('hex')}`;
    this.#actions.set(id, offered);
    for (const oldest of this.#actions.keys()) {
      if (this.#actions.size <= most) break;
      this.#actions.delete(oldest);
    }
    return id;
  }

  offered(id: string): OfferedAction | undefined {
    return this.#actions.get(id);
  }

  withdraw(id: string): void {
    this.#actions.delete(id);
  }
}
