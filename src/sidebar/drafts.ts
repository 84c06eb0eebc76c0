/** Words to the assistant that were not sent yet: they outlive the page, which is drawn anew whenever it is shown. */
export interface Drafts {
  get(id: string): string | undefined;
  /** `undefined` when the field was closed. */
  set(id: string, text: string | undefined): void;
  /** Forgets all others. */
  keep(ids: readonly string[]): void;
}

/** The part of the webview's own storage that drafts need. */
export interface PageStorage {
  getState(): unknown;
  setState(state: unknown): void;
}

export function createDrafts(storage: PageStorage): Drafts {
  const drafts = new Map<string, string>(stored(storage.getState()));
  const save = (): void => storage.setState([...drafts]);
  return {
    get: (id) => drafts.get(id),
    set(id, text) {
      if (text === undefined) drafts.delete(id);
      else drafts.set(id, text);
      save();
    },
    keep(ids) {
      for (const id of drafts.keys()) if (!ids.includes(id)) drafts.delete(id);
      save();
    },
  };
}

function stored(state: unknown): [string, string][] {
  if (!Array.isArray(state)) return [];
  return state.filter(
    (pair): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((value) => typeof value === 'string'),
  );
}
