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
interface Held {
  readonly uri: vscode.Uri;
  readonly address: DiffAddress;
  base: string;
  /** What would be applied, as far as it is known here. */
  current: string;
  /** State and revision of the approval that was last looked at. */
  seen: string;
  writable: boolean;
  /** Counts the times at which the editor was asked to read the file again. */
  generation: number;
  save?: Subscription;
  saving: boolean;
  /** The human did something in the document while it was being saved. */
  touched: boolean;
  /** Saving makes a formatter change the text: it is left unsaved. */
  formatted: boolean;
  /** The human has been told that nothing can be typed here any more. */
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
 * Keeps the right sides of open diffs and the texts of their approvals the same. What is typed, or put back with the editor's
 * arrows, becomes the approval's text in the same turn, saved or not; what the card takes out, the editor reads again.
 */
export class ProposalDocuments {
  readonly #options: ProposalDocumentsOptions;
  readonly #held = new Map<string, Held>();
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
      options.approvals.onDidChange(() => {
        for (const held of this.#held.values()) if (held.seen !== this.#stateOf(held)) this.#follow(held);
      }),
    );
    for (const document of workspace.textDocuments) void this.#adopt(document).catch(options.onError);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const { save } of this.#held.values()) save?.dispose();
    this.#held.clear();
  }

  /** Whether the editor may write this right side: while its approval waits, and until what was typed before is saved. */
  isWritable(uri: vscode.Uri, address: DiffAddress): boolean {
    return this.#isEditable(address) || documentAt(uri)?.isDirty === true;
  }

  /**
   * Rises when the editor should read this right side again. A document with unsaved text is told nothing of it, or the
   * editor would refuse to save over what it takes for somebody else's change.
   */
  generation(uri: vscode.Uri): number {
    if (documentAt(uri)?.isDirty === true) return 0;
    return this.#held.get(uri.toString())?.generation ?? 0;
  }

  /** The text of a document was taken when it was typed; only what is written past the editor is new. */
  write(uri: vscode.Uri, { approvalId, fileIndex }: DiffAddress, text: string): boolean {
    return documentAt(uri) !== undefined || this.#options.approvals.setText(approvalId, fileIndex, text);
  }

  async #adopt(document: vscode.TextDocument): Promise<void> {
    const address = parseDiffUri(document.uri);
    if (address?.side !== 'proposal') return;
    const texts = await this.#options.approvals.texts(address.approvalId, address.fileIndex);
    if (texts === undefined || document.isClosed) return;
    const { uri } = document;
    const held: Held = {
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
    this.#held.set(uri.toString(), held);
    // Unsaved text is the human's, typed while this was loading or kept by the editor over a reload.
    if (document.isDirty) this.#take(document, held);
    this.#follow(held);
  }

  #forget({ uri }: vscode.TextDocument): void {
    this.#held.get(uri.toString())?.save?.dispose();
    this.#held.delete(uri.toString());
  }

  #changed(document: vscode.TextDocument, reason: vscode.TextDocumentChangeReason | undefined): void {
    const held = this.#held.get(document.uri.toString());
    if (held === undefined) return;
    if (reason !== undefined) held.touched = true;
    // A change during our own save that no hand made is a formatter's: the save's end puts it back.
    if (held.saving && !held.touched) return;
    // Without unsaved text it is what the editor has just read from us, unless undo led back to what was saved.
    if (document.isDirty || reason !== undefined) this.#take(document, held);
    else if (!this.#isEditable(held.address) && !shows(document, held.current)) this.#refuse(held);
  }

  #touched(document: vscode.TextDocument): void {
    const held = this.#held.get(document.uri.toString());
    if (held === undefined || held.touched) return;
    held.touched = true;
    // The editor tells of what was typed before it tells that somebody types.
    if (held.saving) this.#take(document, held);
  }

  /** What the document holds is what the human wants applied. */
  #take(document: vscode.TextDocument, held: Held): void {
    const { approvals, clock } = this.#options;
    const { approvalId, fileIndex } = held.address;
    const before = held.current;
    held.current = fromDocument(document.getText(), before, held.base);
    if (held.current !== before && !approvals.setText(approvalId, fileIndex, held.current)) {
      held.current = before;
      this.#refuse(held);
    }
    held.save?.dispose();
    held.save = clock.after(saveDelay, () => this.#follow(held, true));
  }

  /** The multi-file diff lets the human type even when the file is no longer writable. */
  #refuse(held: Held): void {
    const { approvalId, fileIndex } = held.address;
    const path = this.#options.approvals.get(approvalId)?.files[fileIndex]?.path ?? '';
    if (!held.refused) {
      const message = vscode.l10n.t(
        '{0}: this change is already decided. What you typed in its diff since then is not part of it.',
        plain(path),
      );
      void vscode.window.showWarningMessage(message);
    }
    held.refused = true;
    this.#follow(held);
  }

  /** Makes the document hold the approval's text, after whatever else is done with it. */
  #follow(held: Held, save = false): void {
    held.following = held.following.then(() => this.#catchUp(held, save)).catch(this.#options.onError);
  }

  async #catchUp(held: Held, save: boolean): Promise<void> {
    await this.#look(held);
    const isEditable = this.#isEditable(held.address);
    let document = documentAt(held.uri);
    if (document?.isDirty === true && ((save && !held.formatted) || !isEditable || !shows(document, held.current))) {
      await this.#save(document, held);
      document = documentAt(held.uri);
    }
    if (document === undefined || document.isDirty) return;
    if (shows(document, held.current) && held.writable === isEditable) return;
    held.writable = isEditable;
    held.generation += 1;
    this.#options.reread(held.uri);
  }

  /** Learns what the approval says now; what was typed while it was asked is newer. */
  async #look(held: Held): Promise<void> {
    const { approvals } = this.#options;
    const { approvalId, fileIndex } = held.address;
    for (;;) {
      held.seen = this.#stateOf(held);
      const texts = await approvals.texts(approvalId, fileIndex);
      if (held.seen !== this.#stateOf(held)) continue;
      if (texts === undefined) return;
      held.current = texts.current;
      if (texts.base === held.base) return;
      // Another change of the file was applied, and this one was recomputed on top of it.
      held.base = texts.base;
      this.#options.reread(baseOf(held.uri));
      return;
    }
  }

  async #save(document: vscode.TextDocument, held: Held): Promise<void> {
    const before = document.getText();
    held.save?.dispose();
    held.saving = true;
    held.touched = false;
    try {
      await document.save();
    } finally {
      held.saving = false;
    }
    // Whatever was changed since a hand was seen has been taken.
    if (held.touched) return;
    // Changed again by other means than the keyboard, such as an arrow of the diff.
    if (document.isDirty) this.#take(document, held);
    else if (document.getText() !== before && this.#isEditable(held.address)) {
      // A formatter's work is taken back. Reading the file again would move the cursor.
      held.formatted = true;
      await showText(document, held.current);
    }
  }

  #isEditable({ approvalId, fileIndex }: DiffAddress): boolean {
    const approval = this.#options.approvals.get(approvalId);
    const change = approval?.files[fileIndex]?.change;
    return approval?.state === 'waiting' && !approval.indivisible && (change === 'edit' || change === 'create');
  }

  #stateOf({ address }: Held): string {
    const approval = this.#options.approvals.get(address.approvalId);
    return `${approval?.revision} ${approval?.state}`;
  }
}

/** The document in which the editor holds an address, if it does. */
function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find(({ uri: each, isClosed }) => !isClosed && each.toString() === address);
}

/** Whether a document shows a text, but for line ends that it cannot hold. */
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
