import type { ResolvedPath } from '#base/files.ts';
import type { EditorActions, SavedFile, ShowOptions, ShownFile } from '#call/ports/editorActions.ts';

/** Records actions on tabs; a test sets their results. */
export class FakeEditorActions implements EditorActions {
  readonly shown: (ShowOptions & { readonly path: string })[] = [];
  isVisible = true;
  /** Results by path; the tabs of other paths are closed and saved. */
  readonly saves: Record<string, SavedFile | Error> = {};
  readonly closes: Record<string, 'closed' | 'unsaved' | 'not_open' | 'failed'> = {};

  async show({ path }: ResolvedPath, options: ShowOptions): Promise<ShownFile> {
    this.shown.push({ path, ...options });
    return { group: 1, isVisible: this.isVisible };
  }

  async save({ path }: ResolvedPath): Promise<SavedFile> {
    const end = this.saves[path] ?? { state: 'saved', changedOnSave: false };
    if (end instanceof Error) throw end;
    return end;
  }

  async close({ path }: ResolvedPath): Promise<'closed' | 'unsaved' | 'not_open' | 'failed'> {
    return this.closes[path] ?? 'closed';
  }
}
