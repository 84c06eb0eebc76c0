/** Serves both sides of Drawbridge's native diffs as files of the scheme `drawbridge:`. */
import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import { plain } from '#base/visibleText.ts';
import type { UserChanges } from '../appliedChanges.ts';
import type { Approval, Approvals } from '../approval.ts';
import { changeAsText, type FileAsText } from '../changeAsText.ts';
import { DecidedTabs } from './diff/decidedTabs.ts';
import { type DiffAddress, diffScheme, diffUris, parseDiffUri, textUri } from './diff/diffUris.ts';
import { ProposalDocuments } from './diff/proposalDocuments.ts';

/** Makes the editor read a text as UTF-8 whatever `files.encoding` says. It is no part of the text. */
const byteOrderMark = '\u{FEFF}';

export interface DiffDocumentsOptions {
  readonly approvals: Pick<Approvals, 'get' | 'texts' | 'review' | 'setText' | 'onDidChange'>;
  readonly changes: Pick<UserChanges, 'textsOfFile'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Serves the texts of approvals as files: the read-only base as it was when the change was proposed, and the proposal, which the
 * user may write while it waits. Neither follows the real file. Also serves the texts before and after applied changes.
 */
export class DiffDocuments implements vscode.FileSystemProvider {
  readonly #approvals: DiffDocumentsOptions['approvals'];
  readonly #changes: DiffDocumentsOptions['changes'];
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #proposals: ProposalDocuments;
  readonly #decidedTabs: DecidedTabs;

  constructor(options: DiffDocumentsOptions) {
    this.#approvals = options.approvals;
    this.#changes = options.changes;
    const reread = (uri: vscode.Uri): void => this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    this.#proposals = new ProposalDocuments({ ...options, reread });
    this.#decidedTabs = new DecidedTabs(options.approvals);
  }

  /** Serves `drawbridge:` addresses until disposed. */
  register(): vscode.Disposable {
    const registration = vscode.workspace.registerFileSystemProvider(diffScheme, this, { isCaseSensitive: true });
    return vscode.Disposable.from(registration, this.#proposals, this.#decidedTabs, this.#changed);
  }

  /**
   * Opens the change of an approval in the editor's diff: one file of it, or all of them in the multi-file diff. The
   * focus stays in the side bar when the editor allows it.
   */
  async openDiff(approvalId: string, fileIndex?: number): Promise<void> {
    const approval = this.#approvals.get(approvalId);
    if (approval === undefined) return;
    const shown = approval.files.flatMap(({ hasText }, index) => (hasText ? [index] : []));
    const index = fileIndex ?? (shown.length === 1 ? shown[0] : undefined);
    if (index !== undefined) {
      const file = approval.files[index];
      if (file === undefined) throw new RangeError(`Approval ${approvalId} has no file ${index}`);
      const [base, proposal] = diffUris(approval, index);
      const title = `${plain(file.path)} (${stateText(approval)})`;
      await vscode.commands.executeCommand('vscode.diff', base, proposal, title, {
        preview: true,
        preserveFocus: true,
      });
      return;
    }
    if (shown.length === 0) return;
    const resources = shown.map((each) => [realUri(approval, each), ...diffUris(approval, each)]);
    // The editor adds how many files there are.
    const title = vscode.l10n.t(
      '{0} and more, {1}',
      plain(approval.files[shown[0] ?? 0]?.path ?? ''),
      stateText(approval),
    );
    if (isWaiting(approval)) this.#decidedTabs.opened(title, approvalId);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /** Opens the whole change of an approval as one text that can be searched and copied. */
  async openText(approvalId: string): Promise<void> {
    const approval = this.#approvals.get(approvalId);
    if (approval === undefined) return;
    const count = approval.files.length;
    const title = count === 1 ? vscode.l10n.t('Change of 1 file') : vscode.l10n.t('Change of {0} files', count);
    await vscode.window.showTextDocument(textUri(approval, title), { preview: true });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const applied = await this.#loadApplied(uri);
    if (applied !== undefined) {
      const permissions = vscode.FilePermission.Readonly;
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: applied.length, permissions };
    }
    const { approval, address, bytes } = await this.#load(uri);
    const isProposal = address.side === 'proposal';
    return {
      type: vscode.FileType.File,
      ctime: approval.requestedAt,
      mtime: approval.requestedAt + (isProposal ? this.#proposals.generation(uri) : approval.revision),
      size: bytes.length,
      ...(!(isProposal && this.#proposals.isWritable(uri, address)) && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#loadApplied(uri)) ?? (await this.#load(uri)).bytes;
  }

  /** Does nothing, since every change is reported to the editor. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  /** Returns nothing: approvals have no folders. */
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** @throws FileSystemError `NoPermissions` for everything but a proposal that still waits */
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const address = parseDiffUri(uri);
    const text = textOf(content);
    if (address?.side !== 'proposal' || text === undefined || !this.#proposals.write(uri, address, text)) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** Returns the text of an applied change; undefined for the address of an approval. */
  async #loadApplied(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const address = parseDiffUri(uri);
    if (address?.side !== 'before' && address?.side !== 'after') return undefined;
    const { approvalId, fileIndex, side } = address;
    const texts = await this.#changes.textsOfFile(approvalId, fileIndex).catch(() => undefined);
    if (texts === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    // There was none before a creation, and there is none after a delete.
    return bytesOf(uri, texts[side] ?? '');
  }

  async #load(uri: vscode.Uri): Promise<{ approval: Approval; address: DiffAddress; bytes: Uint8Array }> {
    const address = parseDiffUri(uri);
    const approval = address && this.#approvals.get(address.approvalId);
    if (address === undefined || approval === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const text = address.side === 'text' ? await this.#changeAsText(approval) : await this.#sideOf(address);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return { approval, address, bytes: bytesOf(uri, text) };
  }

  async #sideOf({ approvalId, fileIndex, side }: DiffAddress): Promise<string | undefined> {
    const texts = await this.#approvals.texts(approvalId, fileIndex).catch(() => undefined);
    return side === 'base' ? texts?.base : texts?.current;
  }

  async #changeAsText({ id, files }: Approval): Promise<string> {
    const shown: FileAsText[] = [];
    for (const [index, { path, to, change, hasText }] of files.entries()) {
      const texts = hasText ? await this.#approvals.texts(id, index) : undefined;
      const review = hasText ? await this.#approvals.review(id, index) : undefined;
      const text = texts && review && { base: texts.base, review };
      shown.push({ path, change, ...(to && { to: to.path }), ...(text && { text }) });
    }
    return changeAsText(shown);
  }
}

function realUri({ files }: Approval, fileIndex: number): vscode.Uri {
  return vscode.Uri.parse(files[fileIndex]?.uri ?? '');
}

/** Encodes a text. The editor calls a file with a mark "UTF-8 with BOM", so one is added only where it would be read otherwise. */
function bytesOf(uri: vscode.Uri, text: string): Uint8Array {
  return Buffer.from(isReadAsUtf8(uri) && !text.startsWith(byteOrderMark) ? text : byteOrderMark + text);
}

function isReadAsUtf8(uri: vscode.Uri): boolean {
  const settings = vscode.workspace.getConfiguration('files', uri);
  const isForAllLanguages = (name: string): boolean => (settings.inspect(name)?.languageIds ?? []).length === 0;
  const isUsual = settings.get('encoding', 'utf8') === 'utf8' && !settings.get('autoGuessEncoding', false);
  return isUsual && isForAllLanguages('encoding') && isForAllLanguages('autoGuessEncoding');
}

/** Decodes UTF-8 without its byte-order mark; returns undefined for anything else. */
function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

function isWaiting({ state }: Pick<Approval, 'state'>): boolean {
  return state === 'waiting' || state === 'applying';
}

function stateText({ state }: Approval): string {
  const { t } = vscode.l10n;
  if (isWaiting({ state })) return t('proposed change');
  if (state === 'applied') return t('applied change');
  return state === 'undone' ? t('undone change') : t('change that was not applied');
}
