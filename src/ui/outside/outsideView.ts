import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Emitter, type Event } from '#base/event.ts';
import { messageOf } from '#base/messageOf.ts';
import { notificationText } from '#base/untrustedText.ts';
import type { Hunk } from '#changes/hunks.ts';
import type { OutsideChange } from '#changes/outside/outsideChange.ts';
import type { LateView } from '../lateTree.ts';
import { ChangeItem, GroupItem, groupsOf, PartItem } from './outsideItems.ts';

type FileLine = OutsideChange & { readonly type: 'file' };

/** The list of outside changes, and what the user does with it. */
export interface OutsideList {
  changes(): { readonly duringCalls: readonly OutsideChange[]; readonly byOthers: readonly OutsideChange[] };
  readonly onDidChange: Event<void>;
  /** Returns what the list does not cover, in sentences. */
  gaps(): readonly string[];
  /** Returns the ids of lines that stay, because their files have changed again. */
  keep(ids: readonly string[]): Promise<readonly string[]>;
  /** Returns the parts of a changed text; none for a file that is something else, or has changed again. */
  partsOf(fsPath: string): Promise<readonly Hunk[]>;
  /** Returns false when the file holds this part no more. */
  keepPart(fsPath: string, part: Hunk): Promise<boolean>;
  /** Undoes lines, or single parts of them, at the end of the assistant's turn. */
  undo(lines: readonly FileLine[]): Promise<readonly UndoneLine[]>;
  /** Undoes what waits without waiting for the end of a turn. */
  undoNow(): void;
}

/** The end of the undo of a line. */
export interface UndoneLine {
  readonly line: FileLine;
  readonly status: 'undone' | 'refused';
  readonly reason?: string;
}

/** The scheme of the texts of files before they were changed. */
const scheme = 'drawbridge-outside';
/** Milliseconds after which the user is told that an undo waits for the end of a turn. */
const patienceMilliseconds = 500;

/** The view "Changed Outside", shown while it has rows, and its commands. */
export function createOutsideView(list: OutsideList, { tree, view }: LateView, onError: (error: unknown) => void) {
  const changed = new Emitter<void>();
  let groups: readonly GroupItem[] = [];
  /** The parts of opened rows, by the ids of the rows. */
  const parts = new Map<string, readonly PartItem[]>();
  const show = (): void => {
    const { duringCalls, byOthers } = list.changes();
    groups = groupsOf(duringCalls, byOthers);
    parts.clear();
    const count = duringCalls.length;
    // Changes of other programs have no badge: the user may have made them.
    view.badge = count === 0 ? undefined : { value: count, tooltip: badgeText(count) };
    view.message = groups.length === 0 ? '' : list.gaps().join(' ');
    void vscode.commands.executeCommand('setContext', 'drawbridge.hasOutsideChanges', groups.length > 0);
    changed.fire();
  };
  show();
  const all = (): readonly OutsideChange[] => groups.flatMap(({ changes }) => changes);
  const linesOf = (item: unknown): readonly OutsideChange[] => {
    if (item instanceof ChangeItem || item instanceof PartItem) return [item.change];
    return item instanceof GroupItem ? item.changes : [];
  };
  const keep = async (changes: readonly OutsideChange[]): Promise<void> => {
    const stay = await list.keep(changes.map(({ id }) => id));
    if (stay.length === 0) return;
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} files have changed again meanwhile, so they stay in the list.', stay.length),
    );
  };
  const keepPart = async ({ change, part }: PartItem): Promise<void> => {
    if (await list.keepPart(change.fsPath, part)) return;
    const name = basename(change.fsPath);
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} has changed again meanwhile, so it stays in the list as it is now.', name),
    );
  };
  /** Returns the parts that are known. A row that was just opened gets its parts a moment later. */
  const partsOf = (item: ChangeItem): readonly PartItem[] => {
    const { change, id = '' } = item;
    if (change.type !== 'file') return [];
    const known = parts.get(id);
    if (known !== undefined) return known;
    const loading: readonly PartItem[] = [];
    parts.set(id, loading);
    const load = async (): Promise<void> => {
      const found = (await list.partsOf(change.fsPath)).map((part) => new PartItem(item, change, part));
      if (parts.get(id) !== loading) return;
      parts.set(id, found);
      changed.fire();
    };
    void load().catch(onError);
    return loading;
  };
  const undo = async (changes: readonly OutsideChange[]): Promise<void> => {
    const lines = changes.filter((each): each is FileLine => each.type === 'file' && each.canUndo);
    if (lines.length === 0) return;
    tellRefused(await withPatience(list.undo(lines), () => list.undoNow()));
  };
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const [id = '', side = ''] = query.split('&').map(decodeURIComponent);
      const line = all().find((each): each is FileLine => each.type === 'file' && each.id === id);
      return line === undefined ? '' : textOf(line, side);
    },
  });
  return {
    disposables: [
      list.onDidChange(show),
      provider,
      tree.attach({
        items: (parent) => {
          if (parent === undefined) return groups;
          if (parent instanceof ChangeItem) return partsOf(parent);
          return parent instanceof GroupItem ? parent.changes.map((change) => new ChangeItem(change, parent)) : [];
        },
        parent: (item) =>
          item instanceof ChangeItem ? item.group : item instanceof PartItem ? item.parent : undefined,
        onDidChange: changed.event,
      }),
    ],
    commands: {
      diffOutside: (item: unknown) => {
        if (item instanceof PartItem) void openDiff(item.change, item.part.resultStart).catch(onError);
        else if (item instanceof ChangeItem && item.change.type === 'file') void openDiff(item.change).catch(onError);
      },
      keepOutside: (item: unknown) =>
        void (item instanceof PartItem ? keepPart(item) : keep(linesOf(item))).catch(onError),
      undoOutside: (item: unknown) => void undo(linesOf(item)).catch(onError),
      keepAllOutside: () => void keep(all()).catch(onError),
      async undoAllOutside() {
        const lines = all().filter((each) => each.type === 'file' && each.canUndo);
        if (lines.length > 0 && (await confirmUndo(lines.length))) await undo(lines);
      },
    },
  };
}

async function confirmUndo(count: number): Promise<boolean> {
  const { t } = vscode.l10n;
  const act = count === 1 ? t('Undo 1 Change') : t('Undo {0} Changes', count);
  const detail = t(
    'Changes of your other programs in this list are undone too. A file that has changed since is left alone.',
  );
  const question = t('Undo all changes in this list?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, act)) === act;
}

/** Waits for an undo. One that waits for the end of a turn says so, and can be made at once. */
async function withPatience(
  undone: Promise<readonly UndoneLine[]>,
  undoNow: () => void,
): Promise<readonly UndoneLine[]> {
  const { t } = vscode.l10n;
  let isDone = false;
  const finished = undone.finally(() => (isDone = true));
  const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMilliseconds));
  await Promise.race([finished.catch(() => undefined), late]);
  if (!isDone) {
    const now = t('Undo Now');
    const text = t(
      'The undo waits until the assistant has finished its turn, so that the assistant does not work on the file meanwhile.',
    );
    void vscode.window.showInformationMessage(text, now).then((picked) => {
      if (picked === now) undoNow();
      return undefined;
    });
  }
  return finished;
}

function tellRefused(results: readonly UndoneLine[]): void {
  const { t } = vscode.l10n;
  const refused = results.filter(({ status }) => status === 'refused');
  const [first] = refused;
  if (first === undefined) return;
  const name = basename(first.line.fsPath);
  const why = notificationText(first.reason ?? '');
  void vscode.window.showWarningMessage(
    refused.length === 1
      ? t('{0} was not undone: {1}.', name, why)
      : t('{0} changes were not undone, among them {1}: {2}.', refused.length, name, why),
  );
}

/**
 * Opens the editor's own diff; a file that is no text, or whose content before is not known, is opened itself.
 * @param firstLine 0-based line of the file that is brought up
 */
async function openDiff(line: FileLine, firstLine?: number): Promise<void> {
  const { fsPath, isBinary, isSecret, kind } = line;
  const uri = vscode.Uri.file(fsPath);
  if (isBinary || isSecret || kind === 'unknown') {
    if (kind !== 'delete') await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    return;
  }
  const sideOf = (side: string): vscode.Uri =>
    uri.with({ scheme, query: [line.id, side, contentIdOf(line)].map(encodeURIComponent).join('&') });
  const title = vscode.l10n.t('{0} (changed outside)', basename(fsPath));
  const after = kind === 'delete' ? sideOf('after') : uri;
  const at = firstLine === undefined ? undefined : new vscode.Range(firstLine, 0, firstLine, 0);
  const options = { preview: true, ...(at && { selection: at }) };
  await vscode.commands.executeCommand('vscode.diff', sideOf('before'), after, title, options);
}

/** Names the text before, which is another one after the user kept a part. */
function contentIdOf({ files }: FileLine): string {
  return files[0]?.before.contentId ?? '';
}

async function textOf({ files, kind, fsPath }: FileLine, side: string): Promise<string> {
  const before = files[0]?.before;
  if (before === undefined) return '';
  try {
    const bytes =
      side === 'before' ? await contentBefore(before) : kind === 'delete' ? new Uint8Array() : await readFile(fsPath);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    return vscode.l10n.t('This text cannot be shown: {0}', messageOf(error));
  }
}

async function contentBefore(before: FileLine['files'][number]['before']): Promise<Uint8Array> {
  return before.kind === 'missing' ? new Uint8Array() : before.content();
}

function badgeText(count: number): string {
  const { t } = vscode.l10n;
  return count === 1
    ? t('1 file was changed by a command of an assistant')
    : t('{0} files were changed by commands of assistants', count);
}
