/** Keeps the right sides of open diffs and the texts of their approvals equal. */
import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { plain } from '#base/visibleText.ts';
import type { Approvals } from '../../approval.ts';
import { fromDocument, toDocument } from '../../documentText.ts';
import { editsBetween } from '../../textEdits.ts';
import { baseOf, type DiffAddress, parseDiffUri } from './diffUris.ts';

/** Milliseconds without a change after which a document is saved, so that closing its tab does not ask about it. */
const saveDelay = 200;

/** The right side of one file's diff while the editor holds it as a document. */
interface OpenProposal {
  readonly uri: vscode.Uri;
  readonly address: DiffAddress;
  base: string;
  /** The last known text that would be applied. */
  current: string;
  /** The state and revision of the approval when it was last read. */
  seen: string;
  writable: boolean;
  /** The number of times that the editor was asked to read the file again. */
  generation: number;
  save?: Subscription;
  saving: boolean;
  /** True when the user did something in the document while it was being saved. */
  touched: boolean;
  /** True when a formatter changes the text on save: the document is then left unsaved. */
  formatted: boolean;
  /** True when the user has been told that the document can no longer be edited. */
  refused: boolean;
  following: Promise<void>;
}

export interface ProposalDocumentsOptions {
  readonly approvals: Pick<Approvals, 'get' | 'texts' | 'setText' | 'onDidChange'>;
  readonly clock: Clock;
  /** Makes the editor read a file again. */
  readonly reread: (uri: vscode.Uri) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps the right sides of open diffs and the texts of their approvals equal. Text that is typed, or reverted with the editor's
 * arrows, becomes the approval's text at once, saved or not; when the card excludes a hunk, the editor reads the file again.
 */
export class ProposalDocuments {
  readonly #options: ProposalDocumentsOptions;
  readonly #proposals = new Map<string, OpenProposal>();
  readonly #subscriptions: vscode.Disposable;

  constructor(options: ProposalDocumentsOptions) {
    this.#options = options;
    const { workspace, window } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      workspace.onDidOpenTextDocument((document) => void this.#adopt(document).catch(options.onError)),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      workspace.onDidChangeTextDocument(({ document, reason }) => this.#changed(document, reason)),
      window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (kind !== undefined) this.#touched(textEditor.document);
      }),
      options.approvals.onDidChange(({ approvals }) => {
        for (const opened of this.#proposals.values()) {
          if (approvals.has(opened.address.approvalId) && opened.seen !== this.#stateOf(opened)) this.#follow(opened);
        }
      }),
    );
    for (const document of workspace.textDocuments) void this.#adopt(document).catch(options.onError);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const { save } of this.#proposals.values()) save?.dispose();
    this.#proposals.clear();
  }

  /** Returns whether the editor may write this right side: while its approval waits, and until text typed before is saved. */
  isWritable(uri: vscode.Uri, address: DiffAddress): boolean {
    return this.#isEditable(address) || documentAt(uri)?.isDirty === true;
  }

  /**
   * Rises when the editor should read this right side again. It does not rise for a document with unsaved text, or the
   * editor would refuse to save over a supposed change of another program.
   */
  generation(uri: vscode.Uri): number {
    if (documentAt(uri)?.isDirty === true) return 0;
    return this.#proposals.get(uri.toString())?.generation ?? 0;
  }

  /** Takes text that is written past the editor; the text of an open document was taken when it was typed. */
  write(uri: vscode.Uri, { approvalId, fileIndex }: DiffAddress, text: string): boolean {
    return documentAt(uri) !== undefined || this.#options.approvals.setText(approvalId, fileIndex, text);
  }

  async #adopt(document: vscode.TextDocument): Promise<void> {
    const address = parseDiffUri(document.uri);
    if (address?.side !== 'proposal') return;
    const texts = await this.#options.approvals.texts(address.approvalId, address.fileIndex);
    if (texts === undefined || document.isClosed) return;
    const { uri } = document;
    const opened: OpenProposal = {
      uri,
      address,
      base: texts.base,
      current: texts.current,
      seen: '',
      writable: this.#isEditable(address),
      generation: 0,
      saving: false,
      touched: false,
      formatted: false,
      refused: false,
      following: Promise.resolve(),
    };
    this.#proposals.set(uri.toString(), opened);
    // The user typed unsaved text while this was loading, or the editor kept it over a reload.
    if (document.isDirty) this.#take(document, opened);
    this.#follow(opened);
  }

  #forget({ uri }: vscode.TextDocument): void {
    this.#proposals.get(uri.toString())?.save?.dispose();
    this.#proposals.delete(uri.toString());
  }

  #changed(document: vscode.TextDocument, reason: vscode.TextDocumentChangeReason | undefined): void {
    const opened = this.#proposals.get(document.uri.toString());
    if (opened === undefined) return;
    if (reason !== undefined) opened.touched = true;
    // A change during our own save that the user did not make is a formatter's: #save reverts it afterwards.
    if (opened.saving && !opened.touched) return;
    // Without unsaved text it is what the editor has just read from us, unless undo led back to what was saved.
    if (document.isDirty || reason !== undefined) this.#take(document, opened);
    else if (!this.#isEditable(opened.address) && !shows(document, opened.current)) this.#refuse(opened);
  }

  #touched(document: vscode.TextDocument): void {
    const opened = this.#proposals.get(document.uri.toString());
    if (opened === undefined || opened.touched) return;
    opened.touched = true;
    // The editor reports the typed text before the event that says that the user typed.
    if (opened.saving) this.#take(document, opened);
  }

  /** Makes the document's text the approval's text. */
  #take(document: vscode.TextDocument, opened: OpenProposal): void {
    const { approvals, clock } = this.#options;
    const { approvalId, fileIndex } = opened.address;
    const before = opened.current;
    opened.current = fromDocument(document.getText(), before, opened.base);
    if (opened.current !== before && !approvals.setText(approvalId, fileIndex, opened.current)) {
      opened.current = before;
      this.#refuse(opened);
    }
    opened.save?.dispose();
    opened.save = clock.after(saveDelay, () => this.#follow(opened, true));
  }

  /** Tells the user that the change is decided: the multi-file diff accepts typing even when the file is no longer writable. */
  #refuse(opened: OpenProposal): void {
    const { approvalId, fileIndex } = opened.address;
    const path = this.#options.approvals.get(approvalId)?.files[fileIndex]?.path ?? '';
    if (!opened.refused) {
      const message = vscode.l10n.t(
        '{0}: this change is already decided. What you typed in its diff since then is not part of it.',
        plain(path),
      );
      void vscode.window.showWarningMessage(message);
    }
    opened.refused = true;
    this.#follow(opened);
  }

  /** Makes the document hold the approval's text, after pending work on it. */
  #follow(opened: OpenProposal, save = false): void {
    opened.following = opened.following.then(() => this.#catchUp(opened, save)).catch(this.#options.onError);
  }

  async #catchUp(opened: OpenProposal, save: boolean): Promise<void> {
    await this.#look(opened);
    const isEditable = this.#isEditable(opened.address);
    let document = documentAt(opened.uri);
    if (
      document?.isDirty === true &&
      ((save && !opened.formatted) || !isEditable || !shows(document, opened.current))
    ) {
      await this.#save(document, opened);
      document = documentAt(opened.uri);
    }
    if (document === undefined || document.isDirty) return;
    if (shows(document, opened.current) && opened.writable === isEditable) return;
    opened.writable = isEditable;
    opened.generation += 1;
    this.#options.reread(opened.uri);
  }

  /** Reads the approval's present text; text typed meanwhile is newer and makes it read again. */
  async #look(opened: OpenProposal): Promise<void> {
    const { approvals } = this.#options;
    const { approvalId, fileIndex } = opened.address;
    for (;;) {
      opened.seen = this.#stateOf(opened);
      const texts = await approvals.texts(approvalId, fileIndex);
      if (opened.seen !== this.#stateOf(opened)) continue;
      if (texts === undefined) return;
      opened.current = texts.current;
      if (texts.base === opened.base) return;
      // Another change of the file was applied, and this one was recomputed on top of it.
      opened.base = texts.base;
      this.#options.reread(baseOf(opened.uri));
      return;
    }
  }

  async #save(document: vscode.TextDocument, opened: OpenProposal): Promise<void> {
    const before = document.getText();
    opened.save?.dispose();
    opened.saving = true;
    opened.touched = false;
    try {
      await document.save();
    } finally {
      opened.saving = false;
    }
    // Changes of the user during the save have been taken already.
    if (opened.touched) return;
    // Changed again by other means than the keyboard, such as an arrow of the diff.
    if (document.isDirty) this.#take(document, opened);
    else if (document.getText() !== before && this.#isEditable(opened.address)) {
      // A formatter's work is taken back. Reading the file again would move the cursor.
      opened.formatted = true;
      await showText(document, opened.current);
    }
  }

  #isEditable({ approvalId, fileIndex }: DiffAddress): boolean {
    const approval = this.#options.approvals.get(approvalId);
    const change = approval?.files[fileIndex]?.change;
    return approval?.state === 'waiting' && !approval.indivisible && (change === 'edit' || change === 'create');
  }

  #stateOf({ address }: OpenProposal): string {
    const approval = this.#options.approvals.get(address.approvalId);
    return `${approval?.revision} ${approval?.state}`;
  }
}

/** Returns the open document of an address. */
function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find(({ uri: each, isClosed }) => !isClosed && each.toString() === address);
}

/** Returns whether a document shows a text, apart from line ends that it cannot hold. */
function shows(document: vscode.TextDocument, text: string): boolean {
  return document.getText() === asShown(document, text);
}

/** Makes a document show a text, in edits that leave the cursor where it is. */
async function showText(document: vscode.TextDocument, wanted: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { offset, length, text } of editsBetween(document.getText(), asShown(document, wanted))) {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    edit.replace(document.uri, range, text);
  }
  await vscode.workspace.applyEdit(edit);
}

function asShown({ eol }: vscode.TextDocument, text: string): string {
  return toDocument(text, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}
