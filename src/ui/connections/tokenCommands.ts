import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/messageOf.ts';
import type { AccessToken, AccessTokens } from '#home/editor/accessTokens.ts';
import { relativeTime } from '../relativeTime.ts';
import { tokenNameOf } from './tokenItem.ts';

/** Asks for a name, creates an access token, and shows its secret once. */
export async function createToken(tokens: Pick<AccessTokens, 'create' | 'nameProblem'>): Promise<void> {
  const { t } = vscode.l10n;
  const entered = await vscode.window.showInputBox({
    title: t('Create Access Token'),
    prompt: t('The name of the token. Create one token for each program, so that you can revoke them one by one.'),
    placeHolder: t('For example, the name of the program that will use the token'),
    ignoreFocusOut: true,
    validateInput: (value) => tokens.nameProblem(value.trim()),
  });
  if (entered === undefined) return;
  const name = entered.trim();
  try {
    await showOnce(name, await tokens.create(name));
  } catch (error) {
    void vscode.window.showErrorMessage(t('The access token was not created. {0}', messageOf(error)));
  }
}

async function showOnce(name: string, secret: string): Promise<void> {
  const { t } = vscode.l10n;
  const copy = t('Copy');
  const detail = t(
    'Copy the token now: it is shown only once and is not stored. Whoever has it can reach all your windows on this machine. Changes need your approval, as with any assistant.',
  );
  const picked = await vscode.window.showInformationMessage(
    t('Access token "{0}"', name),
    { modal: true, detail: `${secret}\n\n${detail}` },
    copy,
  );
  if (picked !== copy) return;
  await vscode.env.clipboard.writeText(secret);
  vscode.window.setStatusBarMessage(t('The access token "{0}" is on the clipboard.', name), 5000);
}

/**
 * Revokes an access token after the user confirms it.
 * @param item its row of the Connections view, or the row's id; for anything else the user picks the token
 */
export async function revokeToken(
  tokens: Pick<AccessTokens, 'all' | 'revoke'>,
  clock: Clock,
  item: unknown,
): Promise<void> {
  const { t } = vscode.l10n;
  const name = tokenNameOf(item) ?? (await pickToken(tokens.all, clock.now()));
  if (name === undefined) return;
  const revoke = t('Revoke');
  const detail = t(
    'Programs that use this token are refused at once in every window, and their requests that wait for your decision are withdrawn. This cannot be undone.',
  );
  const question = t('Revoke the access token "{0}"?', name);
  const picked = await vscode.window.showWarningMessage(question, { modal: true, detail }, revoke);
  if (picked !== revoke) return;
  try {
    await tokens.revoke(name);
  } catch (error) {
    void vscode.window.showErrorMessage(t('The access token "{0}" was not revoked. {1}', name, messageOf(error)));
  }
}

async function pickToken(all: readonly AccessToken[], now: number): Promise<string | undefined> {
  const { t } = vscode.l10n;
  if (all.length === 0) {
    void vscode.window.showInformationMessage(t('There are no access tokens.'));
    return undefined;
  }
  const items = all.map(({ name, created, lastUsed }) => ({
    label: name,
    description: lastUsed === undefined ? t('never used') : t('used {0}', relativeTime(lastUsed, now)),
    detail: t('Created {0}', new Date(created).toLocaleString()),
  }));
  const options = { title: t('Revoke Access Token'), placeHolder: t('The token to revoke') };
  return (await vscode.window.showQuickPick(items, options))?.label;
}
