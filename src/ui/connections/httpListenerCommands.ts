import * as vscode from 'vscode';
import type { HttpListenerState } from '#base/httpListener.ts';
import { portHolderText } from '#connect/editor/portHolderText.ts';

/** The listener for HTTP clients, as the commands see it; undefined while this window's server does not run. */
export interface HttpListenerAccess {
  readonly state: () => HttpListenerState | undefined;
  /** Starts the server if it does not run, and waits until the listener is open if it is going to be. */
  readonly settle: () => Promise<void>;
  readonly retry: () => Promise<void>;
}

/** Copies the URL that HTTP clients of this workspace use, or says why there is none. */
export async function copyHttpUrl({ state, settle }: HttpListenerAccess): Promise<void> {
  const { t } = vscode.l10n;
  await settle();
  const listener = state();
  if (listener === undefined) return;
  if (listener.kind === 'open') {
    await vscode.env.clipboard.writeText(listener.endpoint);
    const text = t('The URL of this window is on the clipboard. A program needs an access token to use it.');
    vscode.window.setStatusBarMessage(text, 5000);
    return;
  }
  if (listener.kind === 'noFolder') {
    const text = t('A window without a folder has no permanent URL. Open a folder, then copy the URL.');
    void vscode.window.showInformationMessage(text);
    return;
  }
  if (listener.kind !== 'closed') return tellClosed(listener);
  const create = t('Create Access Token');
  const text = t('Programs that connect to a URL need an access token. Create one, then copy the URL.');
  if ((await vscode.window.showInformationMessage(text, create)) !== create) return;
  await vscode.commands.executeCommand('drawbridge.createToken');
}

/** Tries again to open the port and reports success. The listener's own notice reports a failure. */
export async function retryHttpListener({ state, settle, retry }: HttpListenerAccess): Promise<void> {
  await settle();
  await retry();
  const listener = state();
  if (listener?.kind !== 'open') return;
  const text = vscode.l10n.t('Programs with an access token can connect to {0}.', new URL(listener.endpoint).host);
  vscode.window.setStatusBarMessage(text, 5000);
}

/** Loud, since another program on this port would be sent the tokens of its clients (threat row H14). */
export async function tellClosed(listener: Extract<HttpListenerState, { kind: 'busy' | 'failed' }>): Promise<void> {
  const { t } = vscode.l10n;
  const retry = t('Try Again');
  const text =
    listener.kind === 'busy'
      ? t(
          'Programs with an access token cannot connect to this window: its port {0} is in use by {1}. Stop that program first. Until then, do not start programs that have an access token: they would send their tokens to it. Other assistants are not affected.',
          `${listener.port}`,
          portHolderText(listener.holder),
        )
      : t(
          'Programs with an access token cannot connect to this window: {0}. Other assistants are not affected.',
          listener.message,
        );
  const picked = await vscode.window.showErrorMessage(text, retry);
  if (picked === retry) await vscode.commands.executeCommand('drawbridge.retryHttpListener');
}
