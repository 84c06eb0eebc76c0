import * as vscode from 'vscode';
import type { Approval, Approvals } from '../approvals/approval.ts';
import { plain } from '../approvals/visibleText.ts';

/** Of both sides of every native diff of ours. */
export const diffScheme = 'drawbridge';

/**
 * Left and right side; the authority of the address: `drawbridge://base/src/a.ts?<approval id>/<file index>`. Both sides have
 * one path, or the editor would call the change a rename; it is the file's, because the editor shows it.
 */
export type DiffSide = 'base' | 'proposal';

export interface DiffAddress {
  readonly side: DiffSide;
  readonly approvalId: string;
  readonly fileIndex: number;
}

/** With a byte-order mark, so that the editor reads it as UTF-8 whatever `files.encoding` says. The text does not have one. */
const byteOrderMark = '\u{FEFF}';

/**
 * The texts of approvals as read-only files: the base as it was when the change was proposed, and the proposal
 * (architecture.md). They stay what they were, whatever happens to the real file.
 */
export class DiffDocuments implements vscode.FileSystemProvider {
  readonly #approvals: Pick<Approvals, 'get' | 'texts'>;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  constructor(approvals: Pick<Approvals, 'get' | 'texts'>) {
    this.#approvals = approvals;
  }

  /** Serves `drawbridge:` addresses until disposed. */
  register(): vscode.Disposable {
    const registration = vscode.workspace.registerFileSystemProvider(diffScheme, this, { isCaseSensitive: true });
    return vscode.Disposable.from(registration, this.#changed);
  }

  /**
   * Opens the change of an approval in the editor's diff: one file of it, or all of them in the multi-file diff. The
   * keyboard stays in the side bar where the editor lets it.
   */
  async openDiff(approvalId: string, fileIndex?: number): Promise<void> {
    const approval = this.#approvals.get(approvalId);
    if (approval === undefined) return;
    const index = fileIndex ?? (approval.files.length === 1 ? 0 : undefined);
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
    const resources = approval.files.map(({ uri }, each) => [vscode.Uri.parse(uri), ...diffUris(approval, each)]);
    // The editor adds how many files there are.
    const title = `Drawbridge: ${stateText(approval)}`;
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { approval, bytes } = await this.#load(uri);
    return {
      type: vscode.FileType.File,
      ctime: approval.requestedAt,
      mtime: approval.requestedAt,
      size: bytes.length,
      // The next change to this product lets the human edit the right side: it turns on this one value.
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#load(uri)).bytes;
  }

  /** Nothing here ever changes. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  /** Nobody browses approvals as folders. */
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  async #load(uri: vscode.Uri): Promise<{ approval: Approval; bytes: Uint8Array }> {
    const address = parseDiffUri(uri);
    const approval = address && this.#approvals.get(address.approvalId);
    if (address === undefined || approval === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const texts = await this.#approvals.texts(address.approvalId, address.fileIndex).catch(() => {
      throw vscode.FileSystemError.FileNotFound(uri);
    });
    const text = address.side === 'base' ? texts.base : texts.result;
    return { approval, bytes: Buffer.from(byteOrderMark + text) };
  }
}

/** Left and right side of a file of an approval. */
export function diffUris({ id, files }: Approval, fileIndex: number): [vscode.Uri, vscode.Uri] {
  const path = `/${files[fileIndex]?.path ?? ''}`;
  const query = `${id}/${fileIndex}`;
  const uri = (authority: DiffSide): vscode.Uri => vscode.Uri.from({ scheme: diffScheme, authority, path, query });
  return [uri('base'), uri('proposal')];
}

/** Which text an address of ours means; undefined for any other address. */
export function parseDiffUri({ scheme, authority, query }: vscode.Uri): DiffAddress | undefined {
  if (scheme !== diffScheme || (authority !== 'base' && authority !== 'proposal')) return undefined;
  const match = /^(?<id>[\w-]{1,100})\/(?<index>\d{1,6})$/.exec(query);
  const { id, index } = match?.groups ?? {};
  return id === undefined ? undefined : { side: authority, approvalId: id, fileIndex: Number(index) };
}

function stateText({ state }: Approval): string {
  const { t } = vscode.l10n;
  if (state === 'waiting' || state === 'applying') return t('proposed change');
  if (state === 'applied') return t('applied change');
  return state === 'undone' ? t('undone change') : t('change that was not applied');
}
