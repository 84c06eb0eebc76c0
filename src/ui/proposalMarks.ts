import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import { proposedLines, type ProposedLines, type ProposedSpan } from '#changes/proposedLines.ts';
import { lineDecoration } from '#editor/marks/lineDecoration.ts';
import { clientName } from './page/words/clientText.ts';

/** Milliseconds without typing before the marks are computed again; until then the editor moves them with the text. */
const redrawDelay = 200;

/** A request that waits, for one of its files. */
interface WaitingFile {
  readonly uri: vscode.Uri;
  readonly approval: Approval;
  /** The index of the file in the approval. */
  readonly index: number;
}

export interface ProposalMarksOptions {
  readonly approvals: Pick<Approvals, 'all' | 'get' | 'texts' | 'onDidChange'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Marks the lines that waiting proposals would change in the editors, with a CodeLens that leads to the review, and their files
 * in the explorer. It decides nothing, and registers nothing in VS Code before the first proposal.
 */
export class ProposalMarks implements vscode.CodeLensProvider, vscode.FileDecorationProvider {
  readonly #options: ProposalMarksOptions;
  /** The files with waiting proposals by URI, each with its proposals, the oldest first. */
  readonly #waiting = new Map<string, readonly WaitingFile[]>();
  readonly #filesChanged = new vscode.EventEmitter<vscode.Uri[]>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeFileDecorations = this.#filesChanged.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #subscription: Subscription;
  #shown: { readonly kinds: Kinds; readonly registrations: vscode.Disposable } | undefined;
  #redraw: Subscription | undefined;

  constructor(options: ProposalMarksOptions) {
    this.#options = options;
    const { approvals } = options;
    this.#subscription = approvals.onDidChange((changed) => this.#follow(changed.approvals));
    this.#follow(approvals.all.map(({ id }) => id));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#redraw?.dispose();
    this.#shown?.registrations.dispose();
    this.#filesChanged.dispose();
    this.#lensesChanged.dispose();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const waiting = this.#waiting.get(uri.toString());
    if (waiting === undefined) return undefined;
    const names = [...new Set(waiting.map(nameOf))].join(', ');
    const decoration = new vscode.FileDecoration('?', vscode.l10n.t('{0} proposes a change', names));
    decoration.propagate = true;
    return decoration;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const [first, ...others] = this.#waiting.get(document.uri.toString()) ?? [];
    if (first === undefined) return [];
    const lines = await this.#linesOf(document, [first, ...others]);
    const starts = lines.flatMap((each) => each?.spans[0]?.first ?? []);
    const line = starts.length === 0 ? 0 : onLine(document, Math.min(...starts));
    const title = others.length > 0 ? vscode.l10n.t('{0} proposals', others.length + 1) : titleOf(first, lines[0]);
    const command = {
      title: vscode.l10n.t('{0} · Review', title),
      command: 'drawbridge.reviewThisApproval',
      arguments: [first.approval.id],
    };
    return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)];
  }

  #follow(ids: Iterable<string>): void {
    const changed = new Map<string, vscode.Uri>();
    for (const id of ids) {
      for (const [key, files] of this.#waiting) {
        const left = files.filter(({ approval }) => approval.id !== id);
        if (left.length === files.length) continue;
        for (const { uri } of files) changed.set(key, uri);
        if (left.length === 0) this.#waiting.delete(key);
        else this.#waiting.set(key, left);
      }
      for (const file of waitingFiles(this.#options.approvals.get(id))) {
        const key = file.uri.toString();
        const files = [...(this.#waiting.get(key) ?? []), file];
        this.#waiting.set(
          key,
          files.toSorted((one, other) => one.approval.requestedAt - other.approval.requestedAt),
        );
        changed.set(key, file.uri);
      }
    }
    if (changed.size === 0) return;
    this.#shown ??= this.#register();
    this.#filesChanged.fire([...changed.values()]);
    this.#lensesChanged.fire();
    this.#draw();
  }

  #register(): { readonly kinds: Kinds; readonly registrations: vscode.Disposable } {
    const { languages, window, workspace } = vscode;
    const kinds = {
      added: lineDecoration({ border: 'editorGutter.addedBackground', place: 'above' }),
      modified: lineDecoration({ border: 'editorGutter.modifiedBackground', place: 'beside' }),
      deleted: lineDecoration({
        border: 'editorGutter.deletedBackground',
        background: 'diffEditor.removedLineBackground',
        place: 'beside',
      }),
    };
    const registrations = vscode.Disposable.from(
      ...Object.values(kinds),
      languages.registerCodeLensProvider('*', this),
      window.registerFileDecorationProvider(this),
      window.onDidChangeVisibleTextEditors(() => this.#draw()),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (!this.#waiting.has(document.uri.toString())) return;
        this.#redraw?.dispose();
        this.#redraw = this.#options.clock.after(redrawDelay, () => this.#draw());
      }),
    );
    return { kinds, registrations };
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) void this.#drawIn(editor).catch(this.#options.onError);
  }

  async #drawIn(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const key = document.uri.toString();
    const waiting = this.#waiting.get(key);
    const lines = waiting === undefined ? [] : await this.#linesOf(document, waiting);
    // A newer drawing follows when the proposals or the text changed during the await.
    if (this.#waiting.get(key) !== waiting || document.version !== version || this.#shown === undefined) return;
    const spans = lines.flatMap((each) => each?.spans ?? []);
    for (const kind of spanKinds) {
      const ranges = spans.filter((span) => span.kind === kind).map((span) => rangeOf(document, span));
      editor.setDecorations(this.#shown.kinds[kind], ranges);
    }
  }

  /** Returns the lines that each proposal would change; undefined for one that does not fit the text or has no text. */
  #linesOf(
    document: vscode.TextDocument,
    waiting: readonly WaitingFile[],
  ): Promise<readonly (ProposedLines | undefined)[]> {
    return Promise.all(
      waiting.map(async ({ approval, index }) => {
        if (approval.files[index]?.hasText !== true) return undefined;
        const texts = await this.#options.approvals.texts(approval.id, index);
        return texts && proposedLines(texts, document.getText());
      }),
    );
  }
}

type Kinds = Readonly<Record<ProposedSpan['kind'], vscode.TextEditorDecorationType>>;

const spanKinds = ['added', 'modified', 'deleted'] as const satisfies readonly ProposedSpan['kind'][];

/** Returns the files of a waiting request that its approval would change. */
function waitingFiles(approval: Approval | undefined): WaitingFile[] {
  if (approval?.state !== 'waiting') return [];
  return approval.files.flatMap((file, index) =>
    file.included ? [{ uri: vscode.Uri.parse(file.uri), approval, index }] : [],
  );
}

function titleOf(file: WaitingFile, lines: ProposedLines | undefined): string {
  const name = nameOf(file);
  if (lines === undefined || lines.spans.length === 0) return vscode.l10n.t('{0} proposes a change', name);
  return vscode.l10n.t('{0} proposes +{1} -{2}', name, lines.addedLines, lines.removedLines);
}

/** A CodeLens would draw an icon for `$(name)`, which the name of an assistant must not contain. */
function nameOf({ approval: { client } }: WaitingFile): string {
  return clientName(client, (message, ...args) => vscode.l10n.t(message, ...args)).replaceAll('$(', '(');
}

function rangeOf(document: vscode.TextDocument, { first, last }: ProposedSpan): vscode.Range {
  return new vscode.Range(onLine(document, first), 0, onLine(document, last), 0);
}

/** A proposal may add lines after the last one. */
function onLine({ lineCount }: vscode.TextDocument, line: number): number {
  return Math.min(line, lineCount - 1);
}
