import * as vscode from 'vscode';
import type { Assistant } from '../../assistant.ts';
import { type ConfigurationChange, inverseOf } from '../../configurationChange.ts';
import { type Configurations, seeAssistants } from '../../seenAssistants.ts';
import { shortPath } from '../../machinePaths.ts';
import { wantedParts } from './chooseParts.ts';
import { confirmAndApply } from './confirmChange.ts';
import { somethingElseId } from './somethingElse.ts';
import { tellFailure } from './tellFailure.ts';

interface Item extends vscode.QuickPickItem {
  /** Undefined for a program that was connected by hand. */
  readonly assistant: Assistant | undefined;
}

/**
 * Removes our entry from an assistant's configuration: asks which assistant, shows the change, and writes it.
 * @param target the id of an assistant, or its row in the Connections view; anything else asks
 */
export async function disconnectAssistant(configurations: Configurations, target?: unknown): Promise<void> {
  const known = configurations.assistants.find(({ id }) => id === target);
  if (known !== undefined) return disconnect(known, configurations);
  const items = await connectedItems(configurations);
  if (items.length === 0) return tellNone();
  const { t } = vscode.l10n;
  const options = { title: t('Disconnect an Assistant'), placeHolder: t('The assistant to disconnect') };
  const picked = await vscode.window.showQuickPick<Item>(items, options);
  if (picked?.assistant !== undefined) await disconnect(picked.assistant, configurations);
  else if (picked !== undefined) await forgetSomethingElse(configurations);
}

async function connectedItems(configurations: Configurations): Promise<Item[]> {
  const { t } = vscode.l10n;
  const [seen, marked] = await Promise.all([seeAssistants(configurations), configurations.connectedIds()]);
  const items: Item[] = seen
    .filter(({ assistant, state }) => state === 'current' || state === 'outdated' || marked.includes(assistant.id))
    .map(({ assistant, file }) => ({
      label: assistant.name,
      description: shortPath(file, configurations.machine.home),
      assistant,
    }));
  const other = { label: t('Something Else'), description: t('set up by you'), assistant: undefined };
  return marked.includes(somethingElseId) ? [...items, other] : items;
}

async function disconnect(assistant: Assistant, configurations: Configurations): Promise<void> {
  const { t } = vscode.l10n;
  try {
    const question = { question: t('Disconnect {0} from Drawbridge?', assistant.name), act: t('Disconnect') };
    const plan = (): Promise<readonly ConfigurationChange[]> =>
      configurations.planParts(assistant, wantedParts(assistant, new Set()));
    const changes = await confirmAndApply(plan, question, configurations);
    if (changes === undefined) return;
    await configurations.unmarkConnected(assistant.id);
    const written = changes.filter(({ isChange }) => isChange);
    void tellDisconnected(assistant, written, configurations);
  } catch (error) {
    const file = assistant.configurationFile(configurations.machine);
    const again = await tellFailure(error, t('{0} was not disconnected.', assistant.name), file);
    if (again) await disconnect(assistant, configurations);
  }
}

async function tellDisconnected(
  assistant: Assistant,
  changes: readonly ConfigurationChange[],
  configurations: Configurations,
): Promise<void> {
  const { t } = vscode.l10n;
  const text = t('{0} is no longer set up. If it is running, it keeps its connection until it exits.', assistant.name);
  const undo = t('Undo');
  const picked = await vscode.window.showInformationMessage(text, ...(changes.length > 0 ? [undo] : []));
  if (picked !== undo) return;
  try {
    for (const change of changes) await configurations.apply(inverseOf(change));
    await configurations.markConnected(assistant.id);
    vscode.window.setStatusBarMessage(t('{0} is set up again.', assistant.name), 5000);
  } catch (error) {
    const [file] = changes.map((change) => change.file);
    const again = await tellFailure(error, t('{0} was not set up.', assistant.name), file);
    if (again) await vscode.commands.executeCommand('drawbridge.connectAssistant', assistant.id);
  }
}

async function forgetSomethingElse(configurations: Configurations): Promise<void> {
  await configurations.unmarkConnected(somethingElseId);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Drawbridge no longer starts for this program. Remove the entry from the configuration of the program yourself.',
    ),
  );
}

async function tellNone(): Promise<void> {
  const { t } = vscode.l10n;
  const connect = t('Connect an Assistant...');
  const picked = await vscode.window.showInformationMessage(t('No assistant is set up.'), connect);
  if (picked === connect) await vscode.commands.executeCommand('drawbridge.connectAssistant');
}
