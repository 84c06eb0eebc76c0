import * as vscode from 'vscode';
import { plain, shortened } from '#base/visibleText.ts';
import type { WindowHealth } from '#home/windowHealth.ts';
import { nameLength } from '../page/words/clientText.ts';
import { rowId } from '../rowId.ts';
import { rowItem } from './connectionRow.ts';

/** Another window of this user on this machine, as it describes itself. */
export interface OtherWindow {
  readonly id: string;
  /** The name of its workspace file; a window of one folder has none. */
  readonly name: string | undefined;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly editor: { readonly name: string; readonly version: string };
  /** The number of requests that wait for the user in that window. */
  readonly waiting: number;
  /** Whether the window answered the last request. */
  readonly answers: boolean;
}

/**
 * Returns the other windows whose process lives and that are not known to be closed.
 * @param pid of the process of this window; each window has its own process
 */
export function otherWindowsOf(all: readonly WindowHealth[], pid: number): readonly OtherWindow[] {
  return all.flatMap(({ record, state }) => {
    if (record === undefined || record.pid === pid || (state !== 'alive' && state !== 'unreachable')) return [];
    const { windowId: id, workspaceName: name, folders, editor, waiting = 0 } = record;
    return [{ id, name, folders, editor, waiting, answers: state === 'alive' }];
  });
}

const prefix = 'otherWindow:';

/** Returns the row of another window. It has no actions on that window. */
export function otherWindowItem(window: OtherWindow): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { id, folders, editor, waiting, answers } = window;
  return rowItem({
    id: `${prefix}${id}`,
    label: titleOfWindow(window),
    icon: answers ? 'window' : 'warning',
    description: [
      answers ? t('running') : t('does not answer'),
      ...(waiting === 0 ? [] : [t('{0} waiting', waiting)]),
      plain(editor.name),
    ].join(' · '),
    spoken: [
      ...folders.map(({ path }) => plain(path)),
      ...(answers ? [] : [t('The window may be busy, or it may have crashed.')]),
    ],
    details: [t('It is a window of {0}.', plain(`${editor.name} ${editor.version}`)), t('The window ID is {0}.', id)],
    contextValue: 'otherWindow',
  });
}

/** Returns the name of a window as the user knows it. */
export function titleOfWindow({ name, folders }: Pick<OtherWindow, 'name' | 'folders'>): string {
  const called = name ?? folders.map((folder) => folder.name).join(', ');
  return shortened(plain(called), nameLength) || vscode.l10n.t('No folder');
}

/** Returns the id of the window of a row; undefined for any other row or value. */
export function windowIdOf(row: unknown): string | undefined {
  const id = rowId(row);
  return id?.startsWith(prefix) === true ? id.slice(prefix.length) : undefined;
}
