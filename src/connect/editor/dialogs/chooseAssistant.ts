import * as vscode from 'vscode';
import type { Assistant } from '../../assistant.ts';
import type { SeenAssistant } from '../../dialogs/seenAssistant.ts';

export type ConnectChoice =
  | { readonly kind: 'assistant'; readonly assistant: Assistant }
  /** The editor's own agent. */
  | { readonly kind: 'editorAgent' }
  | { readonly kind: 'somethingElse' };

export interface ConnectList {
  /** Each with what this machine has of it; the list is shown at once and filled when it is known. */
  readonly seen: Promise<readonly SeenAssistant[]>;
  /** The editor's own agent finds Drawbridge by itself. */
  readonly editorHasAgent: boolean;
  /** Name of the machine that the window's folder is on; undefined when it is the one that the human sits at. */
  readonly remoteMachine: string | undefined;
}

interface Item extends vscode.QuickPickItem {
  readonly choice?: ConnectChoice;
}

/** Asks which assistant to connect: those of this machine first. */
export async function chooseAssistant({
  seen,
  editorHasAgent,
  remoteMachine,
}: ConnectList): Promise<ConnectChoice | undefined> {
  const { t } = vscode.l10n;
  const placeHolder =
    remoteMachine === undefined
      ? t('The assistant that will work in your windows')
      : t('The folder of this window is on {0}, so the assistant has to run there', remoteMachine);
  const options = { title: t('Connect an Assistant'), placeHolder, matchOnDescription: true };
  const items = seen.then((all) => connectItems(all, editorHasAgent));
  return (await vscode.window.showQuickPick<Item>(items, options))?.choice;
}

function connectItems(seen: readonly SeenAssistant[], editorHasAgent: boolean): Item[] {
  const { t } = vscode.l10n;
  const offered = seen.filter((each) => !(editorHasAgent && isEditorAgent(each)));
  const found = offered.filter(({ isFound, state }) => isFound || state !== 'absent');
  const others = offered.filter((each) => !found.includes(each));
  const agent: Item = {
    label: `$(copilot) ${t("{0}'s Own Agent", vscode.env.appName)}`,
    description: t('nothing has to be set up'),
    choice: { kind: 'editorAgent' },
  };
  const somethingElse: Item = {
    label: `$(ellipsis) ${t('Something Else...')}`,
    description: t('a command line, JSON or URL to copy'),
    choice: { kind: 'somethingElse' },
  };
  return [
    separator(t('on this machine')),
    ...(editorHasAgent ? [agent] : []),
    ...found.map(assistantItem),
    ...(others.length === 0 ? [] : [separator(t('not found on this machine'))]),
    ...others.map(assistantItem),
    separator(t('any other')),
    somethingElse,
  ];
}

/** It would meet Drawbridge twice; one that does already can be disconnected. */
function isEditorAgent({ assistant, state }: SeenAssistant): boolean {
  return assistant.id === 'vscode' && state === 'absent';
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function assistantItem({ assistant, state, isFound }: SeenAssistant): Item {
  const { t } = vscode.l10n;
  const looks: Record<SeenAssistant['state'], { icon: string; description: string }> = {
    current: { icon: 'pass-filled', description: t('connected') },
    outdated: { icon: 'warning', description: t('has an old entry, which is repaired') },
    unreadable: { icon: 'error', description: t('its configuration cannot be read') },
    absent: { icon: 'hubot', description: isFound ? '' : t('not found') },
  };
  const { icon, description } = looks[state];
  return { label: `$(${icon}) ${assistant.name}`, description, choice: { kind: 'assistant', assistant } };
}
