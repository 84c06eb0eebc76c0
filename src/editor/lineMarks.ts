import * as vscode from 'vscode';
import { Emitter, type Event } from '#base/event.ts';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import { plain } from '#base/visibleText.ts';
import type { LineMark, LineMarks } from '#call/ports/lineMarks.ts';
import { allTabs, uriOfTab } from '#files/editor/tabs.ts';
import { lineDecoration } from './marks/lineDecoration.ts';
import { followed, lineEditOf, type LineSpan } from './marks/lineSpans.ts';

interface Mark {
  /** The URI of the real file. */
  readonly address: string;
  /** The marked lines, 0-based. */
  readonly span: LineSpan;
  readonly note: string;
}

interface Marks {
  readonly principal: Principal;
  readonly marks: readonly Mark[];
}

/** A connected assistant, with the name that it reports. */
interface Assistant {
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
}

/**
 * Marks the lines that assistants point at. A mark follows the edits of its file. It disappears when its lines are deleted, the
 * last tab of its file is closed, its assistant disconnects, or the user clears all marks.
 */
export class AssistantMarks implements LineMarks {
  readonly #marks = new Map<string, Marks>();
  readonly #lines = lineDecoration({
    border: 'editorInfo.foreground',
    background: 'editor.rangeHighlightBackground',
    ruler: 'editorOverviewRuler.infoForeground',
    lane: vscode.OverviewRulerLane.Right,
  });
  readonly #subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
    vscode.workspace.onDidChangeTextDocument((change) => this.#edited(change)),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#closed(closed)),
  );
  readonly #changed = new Emitter<void>();
  /** Fires when marks were added or removed, or follow an edit. */
  readonly onDidChange: Event<void> = this.#changed.event;
  #assistants: readonly Assistant[] = [];

  get hasMarks(): boolean {
    return this.#marks.size > 0;
  }

  replace(principal: Principal, marks: readonly LineMark[]): number {
    const key = principalKey(principal);
    const before = this.#marks.get(key)?.marks.length ?? 0;
    const placed = marks.map(({ file, firstLine, lastLine, note }) => ({
      address: vscode.Uri.file(file.realPath).toString(),
      span: { first: firstLine - 1, last: lastLine - 1 },
      note: plain(note),
    }));
    this.#marks.delete(key);
    if (placed.length > 0) this.#marks.set(key, { principal, marks: placed });
    this.#draw();
    return before;
  }

  /** Sets the connected assistants and removes the marks of the others. */
  showAssistants(assistants: readonly Assistant[]): void {
    this.#assistants = assistants;
    const keys = new Set(assistants.map(({ principal }) => principalKey(principal)));
    for (const key of this.#marks.keys()) if (!keys.has(key)) this.#marks.delete(key);
    this.#draw();
  }

  clear(): void {
    this.#marks.clear();
    this.#draw();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#lines.dispose();
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    // The editor lists the edits from the last to the first.
    const edits = contentChanges.map(lineEditOf);
    this.#change(document.uri.toString(), (mark) => {
      const span = edits.reduce<LineSpan | undefined>((left, edit) => left && followed(left, edit), mark.span);
      return span && { ...mark, span };
    });
  }

  #closed(tabs: readonly vscode.Tab[]): void {
    const open = new Set(allTabs().map((tab) => uriOfTab(tab)?.toString()));
    for (const tab of tabs) {
      const address = uriOfTab(tab)?.toString();
      if (address !== undefined && !open.has(address)) this.#change(address, () => undefined);
    }
  }

  #change(address: string, change: (mark: Mark) => Mark | undefined): void {
    for (const [key, { principal, marks }] of this.#marks) {
      if (!marks.some((mark) => mark.address === address)) continue;
      const left = marks.flatMap((mark) => (mark.address === address ? (change(mark) ?? []) : mark));
      if (left.length === 0) this.#marks.delete(key);
      else this.#marks.set(key, { principal, marks: left });
    }
    this.#draw();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const address = editor.document.uri.toString();
      const decorations = [...this.#marks].flatMap(([key, { marks }]) =>
        marks.flatMap((mark) => (mark.address === address ? this.#decoration(key, mark) : [])),
      );
      editor.setDecorations(this.#lines, decorations);
    }
    this.#changed.fire();
  }

  #decoration(key: string, { span, note }: Mark): vscode.DecorationOptions {
    const { client } = this.#assistants.find(({ principal }) => principalKey(principal) === key) ?? {};
    const by = plain(client?.name ?? vscode.l10n.t('an assistant'));
    return {
      range: new vscode.Range(span.first, 0, span.last, 0),
      // Append the note as plain text, so that it cannot contain links or commands.
      hoverMessage: new vscode.MarkdownString().appendText(vscode.l10n.t('Marked by {0}: {1}', by, note)),
    };
  }
}
