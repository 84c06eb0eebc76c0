import * as vscode from 'vscode';
import type { AccessToken } from '#home/editor/accessTokens.ts';
import { relativeTime } from '../relativeTime.ts';
import { rowId } from '../rowId.ts';
import { rowItem } from './connectionRow.ts';

const tokenPrefix = 'token:';

/** Returns the id of the row of a token. */
export function tokenId(name: string): string {
  return `${tokenPrefix}${name}`;
}

export function tokenItem({ name, created, lastUsed }: AccessToken, now: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  return rowItem({
    id: tokenId(name),
    label: name,
    icon: 'key',
    description: lastUsed === undefined ? t('never used') : t('used {0}', relativeTime(lastUsed, now)),
    details: [
      t('You created it at {0}.', new Date(created).toLocaleString(vscode.env.language)),
      lastUsed === undefined
        ? t('It was never used.')
        : t('It was last used at {0}.', new Date(lastUsed).toLocaleString(vscode.env.language)),
      t('All your windows on this machine accept this token.'),
    ],
    contextValue: 'token',
  });
}

/** Returns the name of the token of a row or row id; undefined for any other row or value. */
export function tokenNameOf(row: unknown): string | undefined {
  const id = rowId(row);
  return id?.startsWith(tokenPrefix) === true ? id.slice(tokenPrefix.length) : undefined;
}

/** Returns the row that says that the file of access tokens cannot be read; a click opens the file. */
export function tokenProblemItem(problem: string, path: string): vscode.TreeItem {
  const { t } = vscode.l10n;
  return rowItem({
    id: 'problem',
    label: t('Access tokens cannot be read'),
    icon: 'warning',
    description: t('no token is accepted'),
    spoken: [problem],
    contextValue: 'problem',
    command: { command: 'vscode.open', title: t('Open'), arguments: [vscode.Uri.file(path)] },
  });
}
