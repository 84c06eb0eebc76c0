import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { textDigest } from '#base/textDigest.ts';
import { plain } from '#base/visibleText.ts';
import type { Approval, ApprovalFile, Approvals, ApprovalState } from '#changes/approval.ts';
import { lineDecoration } from '#editor/marks/lineDecoration.ts';
import {
  afterEdit,
  editedSpans,
  type LineEdit,
  lineEditOf,
  lineEdits,
  type LineSpan,
  withoutLines,
} from '#editor/marks/lineSpans.ts';

/** Milliseconds for which lines must be visible to count as seen. */
const lookTime = 3000;

/** The lines of a file that one approval changed, without those that were seen or edited since. */
interface Mark {
  readonly approvalId: string;
  /** The name that the assistant reports. */
  readonly by: string;
  /** Undefined when the whole file is new at its path: showing the file counts as seeing it. */
  readonly spans: readonly LineSpan[] | undefined;
}

interface MarkedFile {
  readonly uri: vscode.Uri;
  marks: Mark[];
  /** The version of the text that the line numbers refer to, while no open document tracks edits. */
  version: string | undefined;
}

export interface ChangeMarksOptions {
  readonly approvals: Pick<Approvals, 'all' | 'get' | 'texts' | 'onDidChange'>;
  readonly clock: Clock;
  readonly isEnabled: () => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Marks the lines that assistants changed, in the editors, and their files in the explorer, until they were on screen for
 * three seconds in the active editor, or were edited, or the change was undone. A reload forgets all marks.
 */
export class ChangeMarks implements vscode.FileDecorationProvider {
  readonly #options: ChangeMarksOptions;
  readonly #states = new Map<string, ApprovalState>();
  readonly #files = new Map<string, MarkedFile>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #lines = lineDecoration({
    border: 'editorGutter.modifiedBackground',
    background: 'diffEditor.insertedLineBackground',
    ruler: 'editorOverviewRuler.modifiedForeground',
  });
  readonly #subscriptions: vscode.Disposable;
  #look: Subscription | undefined;

  constructor(options: ChangeMarksOptions) {
    this.#options = options;
    for (const { id, state } of options.approvals.all) this.#states.set(id, state);
    const { window, workspace } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      options.approvals.onDidChange(({ approvals }) => this.#follow(approvals)),
      workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      workspace.onDidCloseTextDocument((document) => this.#closed(document)),
      workspace.onDidChangeTextDocument((change) => this.#edited(change)),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('drawbridge') && !options.isEnabled()) this.#clear();
      }),
      window.onDidChangeVisibleTextEditors(() => this.#draw()),
      window.onDidChangeActiveTextEditor(() => this.#startLooking()),
      window.onDidChangeTextEditorVisibleRanges(() => this.#startLooking()),
      window.onDidChangeWindowState(() => this.#startLooking()),
      window.registerFileDecorationProvider(this),
    );
  }

  dispose(): void {
    this.#look?.dispose();
    this.#subscriptions.dispose();
    this.#lines.dispose();
    this.#changed.dispose();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const marks = this.#files.get(uri.toString())?.marks;
    if (marks === undefined) return undefined;
    const names = [...new Set(marks.map(({ by }) => by))].join(', ');
    const decoration = new vscode.FileDecoration('AI', vscode.l10n.t('Changed by {0}', names));
    decoration.propagate = true;
    return decoration;
  }

  /** Marks or unmarks files for those of the approvals whose state changed since the last call. */
  #follow(changed: ReadonlySet<string>): void {
    for (const id of changed) {
      const approval = this.#options.approvals.get(id);
      const before = this.#states.get(id);
      if (approval === undefined) {
        this.#states.delete(id);
        continue;
      }
      const { state } = approval;
      this.#states.set(id, state);
      // A change of an earlier run, of which the state is seen for the first time, has not just been applied.
      if (before === undefined || before === state) continue;
      if (state === 'applied' && this.#options.isEnabled()) void this.#mark(approval).catch(this.#options.onError);
      if (state === 'undone') this.#change(this.#files.values(), (mark) => (mark.approvalId === id ? undefined : mark));
    }
  }

  async #mark(approval: Approval): Promise<void> {
    for (const [index, file] of approval.files.entries()) {
      const texts = await this.#options.approvals.texts(approval.id, index);
      // The change was undone, or marks were switched off, during the await.
      if (this.#states.get(approval.id) !== 'applied' || !this.#options.isEnabled()) return;
      const uri = placeOf(approval, file, index);
      if (uri !== undefined) this.#markFile(uri, approval, texts);
    }
    this.#draw();
    this.#startLooking();
  }

  #markFile(uri: vscode.Uri, { id, client }: Approval, texts: Awaited<ReturnType<Approvals['texts']>>): void {
    const key = uri.toString();
    const file: MarkedFile = this.#files.get(key) ?? { uri, marks: [], version: undefined };
    const document = vscode.workspace.textDocuments.find((each) => !each.isClosed && each.uri.toString() === key);
    const now = document?.getText() ?? texts?.current;
    const edits = texts === undefined || now === undefined ? [] : lineEdits(texts.base, now);
    if (document === undefined && texts !== undefined) {
      file.marks = file.version === textDigest(texts.base) ? edits.reduce(marksAfter, file.marks) : [];
    }
    file.version = document === undefined && now !== undefined ? textDigest(now) : undefined;
    const spans = edits.length === 0 ? undefined : editedSpans(edits);
    file.marks.push({ approvalId: id, by: plain(client?.name ?? vscode.l10n.t('an assistant')), spans });
    this.#files.set(key, file);
    this.#changed.fire([uri]);
  }

  #opened(document: vscode.TextDocument): void {
    const file = this.#files.get(document.uri.toString());
    if (file?.version === undefined) return;
    // Another program wrote the file meanwhile, so the positions of the lines are unknown.
    if (file.version !== textDigest(document.getText())) this.#change([file], () => undefined);
    file.version = undefined;
  }

  #closed(document: vscode.TextDocument): void {
    const file = this.#files.get(document.uri.toString());
    if (file !== undefined) file.version = textDigest(document.getText());
  }

  #edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const file = this.#files.get(document.uri.toString());
    if (file === undefined || contentChanges.length === 0) return;
    // The editor lists edits from the last to the first.
    const edits = contentChanges.map(lineEditOf);
    this.#change([file], (mark) => edits.reduce<Mark | undefined>((left, edit) => left && markAfter(left, edit), mark));
  }

  /** Lines count as seen when they stay visible in the active editor of the focused window. */
  #startLooking(): void {
    this.#look?.dispose();
    const editor = vscode.window.activeTextEditor;
    const file = editor && this.#files.get(editor.document.uri.toString());
    if (file === undefined || !vscode.window.state.focused) return;
    this.#look = this.#options.clock.after(lookTime, () => {
      const seen = editor?.visibleRanges.map(({ start, end }) => ({ first: start.line, last: end.line })) ?? [];
      this.#change([file], (mark) => mark.spans && withSpans(mark, withoutLines(mark.spans, seen)));
    });
  }

  #clear(): void {
    this.#change(this.#files.values(), () => undefined);
  }

  /** Changes marks and forgets files without marks. */
  #change(files: Iterable<MarkedFile>, change: (mark: Mark) => Mark | undefined): void {
    const unmarked: vscode.Uri[] = [];
    for (const file of files) {
      file.marks = file.marks.flatMap((mark) => change(mark) ?? []);
      if (file.marks.length > 0) continue;
      this.#files.delete(file.uri.toString());
      unmarked.push(file.uri);
    }
    if (unmarked.length > 0) this.#changed.fire(unmarked);
    this.#draw();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const marks = this.#files.get(editor.document.uri.toString())?.marks ?? [];
      editor.setDecorations(this.#lines, marks.flatMap(decorations));
    }
  }
}

/** Returns the current URI of a changed file; undefined for a deleted file and for folders. */
function placeOf({ outcomes }: Approval, file: ApprovalFile, index: number): vscode.Uri | undefined {
  const outcome = outcomes?.[index];
  if (outcome?.state !== 'applied' || file.change === 'delete' || file.folderFiles !== undefined) return undefined;
  return vscode.Uri.parse(outcome.uri);
}

function withSpans(mark: Mark, spans: readonly LineSpan[]): Mark | undefined {
  return spans.length === 0 ? undefined : { ...mark, spans };
}

function markAfter(mark: Mark, edit: LineEdit): Mark | undefined {
  return mark.spans === undefined ? mark : withSpans(mark, afterEdit(mark.spans, edit));
}

function marksAfter(marks: readonly Mark[], edit: LineEdit): Mark[] {
  return marks.flatMap((mark) => markAfter(mark, edit) ?? []);
}

function decorations({ by, spans = [] }: Mark): vscode.DecorationOptions[] {
  const hoverMessage = new vscode.MarkdownString().appendText(vscode.l10n.t('Changed by {0}', by));
  return spans.map(({ first, last }) => ({ range: new vscode.Range(first, 0, last, 0), hoverMessage }));
}
