import { Emitter } from '#base/event.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import type { FileFacts, SyntaxFact } from '#ui/page/messages.ts';

/**
 * Returns the lines with syntax errors of a text; `no_grammar` when there is no grammar for the file, and undefined when its text has
 * no syntax. Rejects when the text could not be checked.
 */
export type SyntaxCheck = (
  path: string,
  text: string,
  signal: AbortSignal,
) => Promise<readonly number[] | 'no_grammar' | undefined>;

export interface CardFactsOptions {
  readonly approvals: Pick<Approvals, 'texts'>;
  readonly syntaxErrors: SyntaxCheck;
}

/** The facts of one revision of an approval. */
interface Known {
  readonly revision: number;
  readonly stop: AbortController;
  /** By the index of the file. */
  files: readonly FileFacts[];
}

/** Files of one change of which facts are looked for. */
const mostFiles = 50;

/** Finds out about waiting changes what takes time. No card waits for it: a card is drawn again when there is news. */
export class CardFacts {
  readonly #options: CardFactsOptions;
  readonly #known = new Map<string, Known>();
  readonly #found = new Emitter<string>();
  /** Fires with the id of an approval of which facts were found. */
  readonly onFound = this.#found.event;

  constructor(options: CardFactsOptions) {
    this.#options = options;
  }

  /** Returns what is known of the files of an approval, and begins to look for more when its text is new. */
  of(approval: Approval): readonly FileFacts[] {
    const { id, revision, state } = approval;
    const known = this.#known.get(id);
    if (known?.revision === revision) return known.files;
    known?.stop.abort();
    if (state !== 'waiting' || approval.files.length === 0) return [];
    const begun: Known = { revision, stop: new AbortController(), files: [] };
    this.#known.set(id, begun);
    void this.#look(approval, begun);
    return [];
  }

  /** Forgets the other approvals, and stops looking. */
  keep(ids: ReadonlySet<string>): void {
    for (const [id, { stop }] of this.#known) {
      if (ids.has(id)) continue;
      stop.abort();
      this.#known.delete(id);
    }
  }

  async #look({ id, files }: Approval, known: Known): Promise<void> {
    const found: FileFacts[] = [];
    for (const [index, { path, change, hasText }] of files.slice(0, mostFiles).entries()) {
      const isChecked = hasText && change !== 'delete';
      const syntax = isChecked ? await this.#syntaxOf(id, index, path, known.stop.signal) : undefined;
      if (known.stop.signal.aborted) return;
      found.push(syntax ? { syntax } : {});
    }
    if (found.every(({ syntax }) => syntax === undefined)) return;
    known.files = found;
    this.#found.fire(id);
  }

  async #syntaxOf(id: string, index: number, path: string, signal: AbortSignal): Promise<SyntaxFact | undefined> {
    const { approvals, syntaxErrors } = this.#options;
    try {
      const texts = await approvals.texts(id, index);
      if (texts === undefined) return undefined;
      const lines = await syntaxErrors(path, texts.current, signal);
      if (lines === 'no_grammar') return { kind: 'not_checked' };
      if (lines === undefined || lines.length === 0) return undefined;
      const before = await syntaxErrors(path, texts.base, signal);
      return Array.isArray(before) && before.length >= lines.length ? undefined : { kind: 'errors', lines };
    } catch {
      return { kind: 'not_checked' };
    }
  }
}
