import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { plain, shortened } from '#base/visibleText.ts';
import type { BaselineSource } from '#changes/outside/baseline.ts';
import type { OutsideCall } from '#changes/outside/outsideCalls.ts';
import type { OutsideChange } from '#changes/outside/outsideChange.ts';
import type { Hunk } from '#changes/hunks.ts';

/** A line of the list with its group: the calls during which it changed, none for a change of another program. */
export class ChangeItem extends vscode.TreeItem {
  readonly change: OutsideChange;
  readonly group: GroupItem;

  constructor(change: OutsideChange, group: GroupItem) {
    super('');
    this.change = change;
    this.group = group;
    this.id = JSON.stringify([group.id, change.id]);
    if (change.type === 'file') this.#showFile(change);
    else if (change.type === 'switch') this.#showSwitch(change);
    else this.#showFolder(change);
  }

  #showFile(change: OutsideChange & { readonly type: 'file' }): void {
    const { t } = vscode.l10n;
    const uri = vscode.Uri.file(change.fsPath);
    const path = vscode.workspace.asRelativePath(uri);
    const folder = dirname(path);
    const kind = kindText(change);
    this.label = basename(path);
    this.resourceUri = uri;
    this.iconPath = vscode.ThemeIcon.File;
    this.description = [...(folder === '.' ? [] : [folder]), kind].join(' · ');
    const compared = change.isSecret
      ? t('This is a secret file: its text is neither shown nor kept, so it cannot be undone here.')
      : t('Compared with {0}.', sourceText(change.source));
    const undo =
      change.canUndo || change.isSecret ? '' : t('It cannot be undone here: its content before is not known.');
    this.tooltip = [`${path}: ${kind}`, compared, undo].filter((line) => line !== '').join('\n');
    this.accessibilityInformation = { label: `${path}, ${kind}` };
    this.contextValue = change.canUndo ? 'outside file undoable' : 'outside file';
    // Its parts are looked for when the row is opened.
    if (change.kind === 'edit' && change.canUndo) this.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
    this.command = { command: 'drawbridge.diffOutside', title: t('Open Diff'), arguments: [this] };
  }

  #showSwitch({ root, from, to, count }: OutsideChange & { readonly type: 'switch' }): void {
    const { t } = vscode.l10n;
    const places = from === undefined || to === undefined ? '' : `${plain(from)} → ${plain(to)}`;
    this.label = t('Switched branch in {0}', basename(root));
    this.description = [places, count === 1 ? t('1 file') : t('{0} files', count)].filter(Boolean).join(' · ');
    this.iconPath = new vscode.ThemeIcon('git-branch');
    this.accessibilityInformation = { label: [this.label, this.description].join(', ') };
    this.contextValue = 'outside other';
  }

  #showFolder({ root, count }: OutsideChange & { readonly type: 'ignored' }): void {
    const { t } = vscode.l10n;
    this.label = vscode.workspace.asRelativePath(vscode.Uri.file(root));
    this.description = count === 0 ? t('ignored by Git') : t('ignored by Git · {0} files seen', count);
    this.tooltip = t('Git ignores this folder, so its files are neither compared nor kept here.');
    this.iconPath = vscode.ThemeIcon.Folder;
    this.accessibilityInformation = { label: [this.label, this.description].join(', ') };
    this.contextValue = 'outside other';
  }
}

/** A part of a changed text. */
export class PartItem extends vscode.TreeItem {
  readonly parent: ChangeItem;
  readonly change: OutsideChange & { readonly type: 'file' };
  readonly part: Hunk;

  constructor(parent: ChangeItem, change: OutsideChange & { readonly type: 'file' }, part: Hunk) {
    const { t } = vscode.l10n;
    const { baseStart, baseLines, resultStart, resultLines } = part;
    const line = t('Line {0}', resultStart + 1);
    super(line);
    this.parent = parent;
    this.change = { ...change, part };
    this.part = part;
    this.id = JSON.stringify([parent.id, baseStart, resultStart]);
    const [first = ''] = resultLines.length > 0 ? resultLines : baseLines;
    this.description = `+${resultLines.length} −${baseLines.length}  ${shortened(plain(first.trim()), 80)}`;
    const counts = t('{0} lines added, {1} removed', resultLines.length, baseLines.length);
    this.accessibilityInformation = { label: `${basename(change.fsPath)}, ${line}, ${counts}` };
    this.contextValue = 'outside part undoable';
    this.command = { command: 'drawbridge.diffOutside', title: t('Open Diff'), arguments: [this] };
  }
}

/** The changes during the same calls, or those of other programs. */
export class GroupItem extends vscode.TreeItem {
  readonly changes: readonly OutsideChange[];

  /** @param calls the calls during which the changes came; none for changes of other programs */
  constructor(calls: readonly OutsideCall[], changes: readonly OutsideChange[]) {
    const { t } = vscode.l10n;
    const isOfCall = calls.length > 0;
    const headlines = calls.map(({ headline }) => shortened(plain(headline), 200)).join(' · ');
    const name = isOfCall ? headlines : t('By other programs');
    super(name, isOfCall ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed);
    this.changes = changes;
    this.id = JSON.stringify(calls.map(({ callId }) => callId).toSorted());
    this.description = changes.length === 1 ? t('1 change') : t('{0} changes', changes.length);
    this.iconPath = new vscode.ThemeIcon(isOfCall ? 'terminal' : 'server-process');
    this.tooltip = isOfCall
      ? t('These files changed while this command ran.')
      : t('These files changed while an assistant was active. Which program changed them is not known.');
    this.accessibilityInformation = { label: [name, this.description].join(', ') };
    this.contextValue = changes.some((each) => each.type === 'file' && each.canUndo)
      ? 'outside group undoable'
      : 'outside group';
  }
}

/** Returns the groups of the list, those of calls first. */
export function groupsOf(
  duringCalls: readonly OutsideChange[],
  byOthers: readonly OutsideChange[],
): readonly GroupItem[] {
  const keyOf = (change: OutsideChange): string =>
    change.type === 'switch'
      ? ''
      : change.calls
          .map(({ callId }) => callId)
          .toSorted()
          .join('\n');
  const ofCalls = [...Map.groupBy(duringCalls, keyOf).values()].map((changes) => {
    const [first] = changes;
    return new GroupItem(first === undefined || first.type === 'switch' ? [] : first.calls, changes);
  });
  return byOthers.length === 0 ? ofCalls : [...ofCalls, new GroupItem([], byOthers)];
}

/** Returns where the content before a change is known from, as the end of a sentence. */
function sourceText(source: BaselineSource): string {
  const { t } = vscode.l10n;
  const words: Record<BaselineSource, string> = {
    written: t('what the editor or Drawbridge wrote last'),
    kept: t('what you kept'),
    snapshot: t('the snapshot at the beginning of the session'),
    report: t("the assistant's report"),
    document: t('the open document'),
    read: t('what Drawbridge read'),
    commit: t('the last commit'),
    unknown: t('nothing, because its content before is not known'),
  };
  return words[source];
}

function kindText({ kind, movedFrom }: OutsideChange & { readonly type: 'file' }): string {
  const { t } = vscode.l10n;
  const kinds: Record<typeof kind, string> = {
    create: t('created'),
    edit: t('changed'),
    delete: t('deleted'),
    move: t(
      'moved from {0}',
      movedFrom === undefined ? '' : vscode.workspace.asRelativePath(vscode.Uri.file(movedFrom)),
    ),
    mode: t('may be executed, or no longer'),
    link: t('link'),
    binary: t('changed, no text'),
    unknown: t('changed, its content before is not known'),
  };
  return kinds[kind];
}
