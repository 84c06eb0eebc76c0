import * as vscode from 'vscode';
import type { HttpListenerState } from '#base/httpListener.ts';
import { portHolderText } from '#connect/editor/portHolderText.ts';
import type { Status } from '../statusBar.ts';
import { rowItem } from './connectionRow.ts';

/** Returns the row of this window's server, with child rows. */
export function windowItem(state: Status['server'], endpoint: string | undefined): vscode.TreeItem {
  const { t } = vscode.l10n;
  const looks: Record<Status['server'], { icon: string; text: string }> = {
    running: { icon: 'plug', text: t('running') },
    starting: { icon: 'loading~spin', text: t('starting') },
    failed: { icon: 'error', text: t('could not start') },
    stopped: { icon: 'debug-disconnect', text: t('stopped') },
  };
  const { icon, text } = looks[state];
  const item = rowItem({
    id: 'window',
    label: t('This Window'),
    icon,
    description: [text, ...(endpoint === undefined ? [] : [new URL(endpoint).host])].join(' · '),
    details: endpoint === undefined ? [] : [t('Its address is {0}.', endpoint)],
    contextValue: `window ${state}`,
  });
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  return item;
}

/** Returns the row of the mode; Enter chooses another mode. */
export function modeItem(mode: {
  readonly name: string;
  readonly icon: string;
  readonly detail: string;
}): vscode.TreeItem {
  const { t } = vscode.l10n;
  return rowItem({
    id: 'mode',
    label: t('Mode'),
    icon: mode.icon,
    description: mode.name,
    spoken: [mode.detail],
    contextValue: 'mode',
    command: { command: 'drawbridge.setMode', title: t('Set Mode...') },
  });
}

/** Returns the row of the listener for programs with an access token. */
export function httpItem(listener: Exclude<HttpListenerState, { kind: 'closed' }>): vscode.TreeItem {
  const { t } = vscode.l10n;
  const row = { id: 'http', label: t('HTTP Clients') };
  if (listener.kind === 'open') {
    return rowItem({
      ...row,
      icon: 'globe',
      description: new URL(listener.endpoint).host,
      details: [t('Programs with an access token connect to {0}.', listener.endpoint)],
      contextValue: 'httpClients open',
    });
  }
  if (listener.kind === 'noFolder') {
    return rowItem({
      ...row,
      icon: 'info',
      description: t('no folder is open'),
      spoken: [t('Open a folder so that programs with an access token can connect to a permanent URL.')],
      contextValue: 'httpClients',
    });
  }
  return rowItem({
    ...row,
    icon: 'warning',
    description: listener.kind === 'busy' ? t('port {0} is in use', `${listener.port}`) : t('could not be opened'),
    spoken: [
      listener.kind === 'busy' ? t('The port is used by {0}.', portHolderText(listener.holder)) : listener.message,
      t('Programs with an access token cannot connect; other assistants can. Select it to try again.'),
    ],
    contextValue: 'httpClients closed',
    command: { command: 'drawbridge.retryHttpListener', title: t('Try Again') },
  });
}
