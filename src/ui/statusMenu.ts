import * as vscode from 'vscode';
import { modeName } from './rules/modeText.ts';
import { serverText, type Status } from './statusBar.ts';

interface Choice extends vscode.QuickPickItem {
  /** Absent in a separator between choices. */
  readonly command?: string;
}

/** Shows the menu of the status bar item, used when no approval waits. */
export async function showStatusMenu(status: Status): Promise<void> {
  const choices = [
    ...guardChoices(status),
    ...assistantChoices(status),
    ...viewChoices(status),
    ...serverChoices(status),
  ];
  const picked = await vscode.window.showQuickPick(choices, { title: serverText(status) });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}

function guardChoices({ guardOff }: Status): readonly Choice[] {
  if (guardOff === undefined) return [];
  const label = `$(shield) ${vscode.l10n.t('Switch Guard On')}`;
  return [{ label, detail: guardOff, command: 'drawbridge.guardAgain' }, line()];
}

function assistantChoices({ server, clients, paused }: Status): readonly Choice[] {
  const { t } = vscode.l10n;
  return [
    { label: `$(add) ${t('Connect an Assistant...')}`, command: 'drawbridge.connectAssistant' },
    { label: `$(plug) ${t('Connections')}`, ...described(clients, paused), command: 'drawbridge.connections.focus' },
    ...(server === 'running' && clients > 0
      ? [{ label: `$(debug-pause) ${t('Pause All Assistants')}`, command: 'drawbridge.pauseAssistants' }]
      : []),
    ...(paused > 0
      ? [{ label: `$(debug-continue) ${t('Resume Paused Assistants')}`, command: 'drawbridge.resumeAssistants' }]
      : []),
  ];
}

/** Returns the counts of assistants for the entry of the Connections view. */
function described(clients: number, paused: number): { readonly description?: string } {
  const { t } = vscode.l10n;
  const counts = [
    ...(clients === 0 ? [] : [t('{0} connected', clients)]),
    ...(paused === 0 ? [] : [t('{0} paused', paused)]),
  ];
  return counts.length === 0 ? {} : { description: counts.join(' · ') };
}

function viewChoices({ waiting, mode }: Status): readonly Choice[] {
  const { t } = vscode.l10n;
  return [
    line(),
    {
      label: `$(checklist) ${t('Show Approvals')}`,
      ...(waiting === 0 ? {} : { description: t('{0} waiting', waiting) }),
      command: 'drawbridge.approvals.focus',
    },
    {
      label: `$(settings) ${t('Set Mode...')}`,
      description: modeName(mode),
      command: 'drawbridge.setMode',
    },
  ];
}

function serverChoices({ server }: Status): readonly Choice[] {
  const { t } = vscode.l10n;
  const start = { label: `$(play) ${t('Start')}`, command: 'drawbridge.start' };
  const stop = { label: `$(debug-stop) ${t('Stop')}`, command: 'drawbridge.stop' };
  const restart = { label: `$(debug-restart) ${t('Restart')}`, command: 'drawbridge.restart' };
  const doctor = { label: `$(pulse) ${t('Run Doctor')}`, command: 'drawbridge.doctor' };
  const log = { label: `$(output) ${t('Show Log')}`, command: 'drawbridge.showLog' };
  return [line(), ...(server === 'running' ? [restart, stop] : [start]), doctor, log];
}

function line(): Choice {
  return { label: '', kind: vscode.QuickPickItemKind.Separator };
}
