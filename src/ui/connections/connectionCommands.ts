import * as vscode from 'vscode';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { choiceText, notificationText } from '#base/untrustedText.ts';
import { clientName } from '../page/words/clientText.ts';
import { rowId } from '../rowId.ts';
import { assistantId, type ConnectedAssistant } from './assistantItem.ts';
import { changeProfile } from './changeProfile.ts';
import type { ClientProfiles } from './clientProfiles.ts';
import { windowIdOf } from './otherWindowItem.ts';
import { tokenId } from './tokenItem.ts';

export interface ConnectionActs {
  readonly assistants: () => readonly ConnectedAssistant[];
  /** Pauses an assistant and withdraws its waiting requests. */
  readonly pause: (principal: Principal, client: ClientInfo | undefined) => void;
  readonly resume: (principal: Principal) => void;
  /** Ends the calls, streams and sessions of an assistant and withdraws its waiting requests. */
  readonly disconnect: (principal: Principal) => Promise<void>;
  readonly profiles: ClientProfiles;
}

/** Returns the commands for connected assistants, used by the Connections view and the status bar menu. */
export function connectionCommands(acts: ConnectionActs) {
  /** The editor passes no row while it redraws the rows; then the user picks the assistant. */
  const find = async (row: unknown, isPaused?: boolean): Promise<ConnectedAssistant | undefined> => {
    const all = acts.assistants().filter((each) => isPaused === undefined || each.isPaused === isPaused);
    if (row === undefined) return pick(all);
    const id = rowId(row);
    return all.find((assistant) => assistantId(assistant) === id);
  };
  return {
    async pauseConnection(row: unknown) {
      const assistant = await find(row, false);
      if (assistant !== undefined) await pause([assistant], acts);
    },
    async resumeConnection(row: unknown) {
      const assistant = await find(row, true);
      if (assistant !== undefined) acts.resume(assistant.principal);
    },
    async endConnection(row: unknown) {
      const assistant = await find(row);
      if (assistant !== undefined) await disconnect(assistant, acts);
    },
    async changeResultFormat(row: unknown) {
      const assistant = await find(row);
      if (assistant !== undefined) await changeProfile(assistant.client, acts.profiles);
    },
    pauseAssistants: () => pauseAll(acts),
    async copyWindowId(row: unknown) {
      const id = windowIdOf(row);
      if (id === undefined) return;
      await vscode.env.clipboard.writeText(id);
      vscode.window.setStatusBarMessage(vscode.l10n.t('The window ID is on the clipboard.'), 5000);
    },
  };
}

async function pick(assistants: readonly ConnectedAssistant[]): Promise<ConnectedAssistant | undefined> {
  const choices = assistants.map((assistant) => ({
    label: choiceText(clientName(assistant.client, vscode.l10n.t)),
    assistant,
  }));
  if (choices.length === 0) return undefined;
  return (await vscode.window.showQuickPick(choices, { title: vscode.l10n.t('Which Assistant?') }))?.assistant;
}

async function pauseAll(acts: ConnectionActs): Promise<void> {
  const active = acts.assistants().filter(({ isPaused }) => !isPaused);
  if (active.length > 0) return pause(active, acts);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('There is no assistant to pause, because none is connected.'),
  );
}

async function pause(assistants: readonly ConnectedAssistant[], acts: ConnectionActs): Promise<void> {
  const { t } = vscode.l10n;
  const [first, ...others] = assistants;
  const question = others.length === 0 ? t('Pause {0}?', nameOf(first)) : t('Pause {0} assistants?', assistants.length);
  if (!(await mayWithdraw(question, t('Pause'), assistants))) return;
  for (const { principal, client } of assistants) acts.pause(principal, client);
}

async function disconnect(assistant: ConnectedAssistant, acts: ConnectionActs): Promise<void> {
  const { t } = vscode.l10n;
  const name = nameOf(assistant);
  if (!(await mayWithdraw(t('Disconnect {0}?', name), t('Disconnect'), [assistant]))) return;
  await acts.disconnect(assistant.principal);
  await sayDisconnected(assistant, name, acts);
}

/** Tells the user that the assistant may connect again, and offers to revoke its token or to pause it. */
async function sayDisconnected(assistant: ConnectedAssistant, name: string, acts: ConnectionActs): Promise<void> {
  const { t } = vscode.l10n;
  const { principal, client, isPaused } = assistant;
  const message = t('{0} is disconnected. Its next request may connect it again.', name);
  if (principal.credential !== 'window') {
    const revoke = t('Revoke Access Token...');
    const picked = await vscode.window.showInformationMessage(message, revoke);
    if (picked === revoke) {
      await vscode.commands.executeCommand('drawbridge.revokeToken', tokenId(principal.credential));
    }
    return;
  }
  const keep = t('Pause Assistant');
  const picked = await vscode.window.showInformationMessage(
    message,
    ...(isPaused || !comesBack(principal) ? [] : [keep]),
  );
  if (picked === keep) acts.pause(principal, client);
}

/**
 * Returns whether the assistant keeps its principal when it connects again. Without a connection secret, each session is
 * another principal.
 */
function comesBack({ connectionId }: Principal): boolean {
  return connectionId !== undefined && !connectionId.startsWith('session:');
}

/** Asks the user only when waiting requests would be withdrawn. */
async function mayWithdraw(question: string, act: string, assistants: readonly ConnectedAssistant[]): Promise<boolean> {
  const { t } = vscode.l10n;
  const waiting = assistants.reduce((sum, each) => sum + each.waiting, 0);
  if (waiting === 0) return true;
  const detail =
    waiting === 1
      ? t('1 request waits for you. It is withdrawn; nothing is changed.')
      : t('{0} requests wait for you. They are withdrawn; nothing is changed.', waiting);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, act)) === act;
}

function nameOf(assistant: ConnectedAssistant | undefined): string {
  return notificationText(clientName(assistant?.client, vscode.l10n.t));
}
