import type { DeclineReason } from './fromPage.ts';

/** A decline or an answer that was not sent yet. */
export interface Draft {
  readonly message: string;
  readonly reasonCode?: DeclineReason;
  /** Index of the answer that was chosen. */
  readonly choice?: number;
}

/** Declines and answers that were not sent yet: they outlive the page, which is drawn anew whenever it is shown. */
export interface Drafts {
  get(id: string): Draft | undefined;
  /** `undefined` when the field was closed. */
  set(id: string, draft: Draft | undefined): void;
  /** Forgets all others. */
  keep(ids: readonly string[]): void;
}

/** The part of the webview's own storage that drafts need. */
export interface PageStorage {
  getState(): unknown;
  setState(state: unknown): void;
}

const reasonCodes: readonly unknown[] = [
  'wrong_file',
  'too_broad',
  'do_it_differently',
  'stop',
] satisfies DeclineReason[];

export function createDrafts(storage: PageStorage): Drafts {
  const drafts = new Map<string, Draft>(stored(storage.getState()));
  const save = (): void =>
    storage.setState(
      [...drafts].map(([id, { message, reasonCode, choice }]) => [id, message, reasonCode ?? null, choice ?? null]),
    );
  return {
    get: (id) => drafts.get(id),
    set(id, draft) {
      if (draft === undefined) drafts.delete(id);
      else drafts.set(id, draft);
      save();
    },
    keep(ids) {
      for (const id of drafts.keys()) if (!ids.includes(id)) drafts.delete(id);
      save();
    },
  };
}

function stored(state: unknown): [string, Draft][] {
  if (!Array.isArray(state)) return [];
  return state.flatMap((entry: unknown): [string, Draft][] => {
    if (!Array.isArray(entry)) return [];
    const [id, message, reasonCode, choice]: unknown[] = entry;
    if (typeof id !== 'string' || typeof message !== 'string') return [];
    return [
      [id, { message, ...(isReason(reasonCode) && { reasonCode }), ...(typeof choice === 'number' && { choice }) }],
    ];
  });
}

function isReason(value: unknown): value is DeclineReason {
  return reasonCodes.includes(value);
}
