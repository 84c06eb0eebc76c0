import { Emitter } from '#base/event.ts';
import type { Approval, ApprovalFile, Approvals } from '#changes/approval.ts';
import type { FileUses, UsedFile } from '#base/language.ts';
import { pathOfFileUri } from '#policy/paths.ts';
import type { FileFacts, SyntaxFact, UseFact } from '#ui/page/messages.ts';

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
  /** Finds the files that use another one; undefined when there is nothing to look for. */
  readonly usesOf: (used: UsedFile, signal: AbortSignal) => Promise<FileUses | undefined>;
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
    const files = approval.files
      .slice(0, mostFiles)
      .map((file): FileFacts => (isUsed(file) ? { uses: { kind: 'looking' } } : {}));
    const begun: Known = { revision, stop: new AbortController(), files };
    this.#known.set(id, begun);
    void this.#look(approval, begun);
    return files;
  }

  /** Forgets the other approvals, and stops looking. */
  keep(ids: ReadonlySet<string>): void {
    for (const [id, { stop }] of this.#known) {
      if (ids.has(id)) continue;
      stop.abort();
      this.#known.delete(id);
    }
  }

  async #look(approval: Approval, known: Known): Promise<void> {
    const { id, files } = approval;
    const { signal } = known.stop;
    for (const [index, file] of files.slice(0, mostFiles).entries()) {
      const isChecked = file.hasText && file.change !== 'delete';
      const uses = isUsed(file) ? await this.#usesOf(approval, file, signal) : undefined;
      const syntax = isChecked ? await this.#syntaxOf(id, index, file.path, signal) : undefined;
      if (signal.aborted) return;
      if (uses === undefined && syntax === undefined) continue;
      known.files = known.files.with(index, { ...(uses && { uses }), ...(syntax && { syntax }) });
      this.#found.fire(id);
    }
  }

  /** The files of the change itself do not count: a move changes the imports of the others. */
  async #usesOf({ files }: Approval, { uri, folderFiles }: ApprovalFile, signal: AbortSignal): Promise<UseFact> {
    const used = { fsPath: pathOfFileUri(uri), isFolder: folderFiles !== undefined };
    const found = await this.#options.usesOf(used, signal).catch(() => undefined);
    if (found === undefined) return { kind: 'not_looked_for' };
    const own = new Set(files.map((file) => file.uri));
    const others = found.files.filter((file) => !own.has(file.uri));
    const { kind, total, isPartial } = found;
    const left = total - found.files.length + others.length;
    return { kind, paths: others.map(({ path }) => path), total: left, isPartial };
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

/** Only a file that would be gone from its place. */
function isUsed({ change }: ApprovalFile): boolean {
  return change === 'delete' || change === 'move';
}
