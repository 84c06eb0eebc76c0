import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ServerAccess } from '#connect/editor/mcpProvider.ts';
import { startSetting } from '#editor/startSetting.ts';
import { connectionOf } from '#mcp/auth.ts';
import type { ServerSwitch } from '#mcp/serverSwitch.ts';
import type { Services } from './services.ts';

export interface EditorConnection {
  /** The connection id of the editor's principal. */
  readonly connectionId: string;
  /** Starts the server if the settings allow it. The message of an error is for the user. */
  readonly connect: () => Promise<ServerAccess>;
}

/**
 * Connects the editor's own agent, as one principal for as long as the extension runs. The editor connects by itself at every
 * chat, so a connection does not start a server that the user wants to start by hand.
 */
export function createEditorConnection(
  { redactor }: { readonly redactor: Pick<Services['redactor'], 'add'> },
  server: Pick<ServerSwitch, 'running' | 'start'>,
): EditorConnection {
  const connectionSecret = randomBytes(16).toString('hex');
  redactor.add(connectionSecret);
  const connect = async (): Promise<ServerAccess> => {
    const { t } = vscode.l10n;
    if (server.running === undefined) {
      if (!vscode.workspace.isTrusted) {
        throw new Error(
          t('Drawbridge does not start by itself in Restricted Mode. Trust this folder, or start it yourself.'),
        );
      }
      if (startSetting() === 'manual') {
        throw new Error(
          t(
            'Drawbridge is stopped, and the setting "drawbridge.start" is "manual", so only you can start it. Run "Drawbridge: Start".',
          ),
        );
      }
    }
    await server.start();
    if (server.running === undefined) throw new Error(t('Drawbridge could not start. Its log says why.'));
    const { endpoint, token } = server.running;
    return {
      endpoint,
      headers: { Authorization: `Bearer ${token}`, 'Drawbridge-Connection': connectionSecret },
    };
  };
  return { connectionId: connectionOf(connectionSecret), connect };
}
