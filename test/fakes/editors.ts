import { Emitter } from '#base/event.ts';
import type { Editors, EditorSelection, OpenEditor } from '#call/ports/editors.ts';

/** Tabs and a selection that a test sets. */
export class FakeEditors implements Editors {
  readonly #changed = new Emitter<void>();
  readonly #selectionChanged = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeSelection = this.#selectionChanged.event;
  #open: readonly OpenEditor[] = [];
  #selection: EditorSelection | undefined;

  open(): readonly OpenEditor[] {
    return this.#open;
  }

  selection(): EditorSelection | undefined {
    return this.#selection;
  }

  setOpen(...editors: readonly OpenEditor[]): void {
    this.#open = editors;
    this.#changed.fire();
  }

  select(selection: EditorSelection | undefined): void {
    this.#selection = selection;
    this.#selectionChanged.fire();
  }
}
