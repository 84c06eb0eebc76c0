import type { FoundFile } from '#base/files.ts';
import type { DebugState, EditorState, EditorTab, OpenTerminal, VisibleEditor } from '#call/ports/editorState.ts';

/** The tabs, editors and terminals that a test sets. */
export class FakeEditorState implements EditorState {
  tabsShown: readonly EditorTab[] = [];
  editors: readonly VisibleEditor[] = [];
  recent: readonly FoundFile[] = [];
  openTerminals: readonly OpenTerminal[] = [];
  debugging: DebugState = { sessions: [], breakpoints: 0 };

  tabs(): readonly EditorTab[] {
    return this.tabsShown;
  }

  visibleEditors(): readonly VisibleEditor[] {
    return this.editors;
  }

  recentFiles(): readonly FoundFile[] {
    return this.recent;
  }

  terminals(): readonly OpenTerminal[] {
    return this.openTerminals;
  }

  debug(): DebugState {
    return this.debugging;
  }
}
