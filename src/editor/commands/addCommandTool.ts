import * as vscode from 'vscode';
import { choiceText, notificationText } from '#base/untrustedText.ts';
import { plain } from '#base/visibleText.ts';
import type { Commands, EditorCommand } from '#call/ports/commands.ts';
import { readyMadeTools, type WrittenTool } from './readyMadeTools.ts';

export interface AddCommandToolOptions {
  readonly commands: Pick<Commands, 'list'>;
  /** Returns the entries of `drawbridge.commandTools` as they are written. */
  readonly current: () => readonly unknown[];
  /** Returns why an entry would be left out; undefined for an entry without a problem. */
  readonly problemOf: (tool: WrittenTool) => string | undefined;
}

interface Choice extends vscode.QuickPickItem {
  readonly readyMade?: WrittenTool;
  readonly command?: EditorCommand;
}

/** Lets the user make a tool of a command: a ready-made one, or any command with a name and description of their own. */
export async function addCommandTool({ commands, current, problemOf }: AddCommandToolOptions): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Add Command as Tool');
  const choices = choicesOf(await commands.list(), problemOf);
  const chosen = await vscode.window.showQuickPick(choices, {
    title,
    placeHolder: t('A command that assistants are offered as a tool; each use waits for your approval'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const tool = chosen.readyMade ?? (chosen.command && (await describe(chosen.command, title, problemOf)));
  if (tool === undefined) return;
  await vscode.workspace
    .getConfiguration('drawbridge')
    .update('commandTools', [...current(), tool], vscode.ConfigurationTarget.Global);
  const edit = t('Edit in Settings');
  const message = t('Assistants are now offered {0}.', notificationText(tool.name));
  if ((await vscode.window.showInformationMessage(message, edit)) !== edit) return;
  const place = { revealSetting: { key: 'drawbridge.commandTools', edit: true } };
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', place);
}

function choicesOf(commands: readonly EditorCommand[], problemOf: AddCommandToolOptions['problemOf']): Choice[] {
  const { t } = vscode.l10n;
  const ids = new Set(commands.map(({ id }) => id));
  // A tool whose extension is missing, or that was added before, is left out.
  const ready = readyMadeTools.filter((tool) => ids.has(tool.command) && problemOf(tool) === undefined);
  return [
    ...(ready.length === 0 ? [] : [separator(t('ready-made'))]),
    ...ready.map((tool) => ({ label: tool.title, description: tool.name, detail: tool.description, readyMade: tool })),
    separator(t('commands')),
    ...commands
      .flatMap((command) => (command.title === undefined ? [] : [{ ...command, title: command.title }]))
      .map((command) => ({ label: choiceText(titleOf(command)), description: choiceText(command.id), command }))
      .toSorted((one, other) => one.label.localeCompare(other.label)),
  ];
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function titleOf({ id, title = id, category }: EditorCommand): string {
  return category === undefined ? title : `${category}: ${title}`;
}

/** Asks the user for name, title and description, one after the other; undefined when the user cancels. */
async function describe(
  command: EditorCommand,
  title: string,
  problemOf: AddCommandToolOptions['problemOf'],
): Promise<WrittenTool | undefined> {
  const { t } = vscode.l10n;
  const suggested: WrittenTool = {
    name: suggestedName(command),
    title: plain(command.title ?? command.id)
      .replace(/\.{3}$/, '')
      .slice(0, 40),
    description: plain(titleOf(command)).slice(0, 1024),
    command: command.id,
  };
  const ask = (field: 'name' | 'title' | 'description', prompt: string, step: number, tool: WrittenTool) =>
    vscode.window.showInputBox({
      title: t('{0} ({1}/{2})', title, step, 3),
      prompt,
      value: tool[field],
      ignoreFocusOut: true,
      validateInput: (value) => problemOf({ ...tool, [field]: value }),
    });
  const name = await ask('name', t('The name that assistants call, such as organize_imports'), 1, suggested);
  if (name === undefined) return undefined;
  const named = { ...suggested, name };
  const shown = await ask('title', t('The title that people read'), 2, named);
  if (shown === undefined) return undefined;
  const titled = { ...named, title: shown };
  const prompt = t('What it does and when to use it, for an assistant that chooses among tools');
  const description = await ask('description', prompt, 3, titled);
  return description === undefined ? undefined : { ...titled, description };
}

/** Returns a name such as `verb_noun`, from the title when that has two words, otherwise from the id. */
function suggestedName({ id, title = '' }: EditorCommand): string {
  const words = (text: string): readonly string[] =>
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z][a-z0-9]*/g) ?? [];
  const ofTitle = words(title);
  return (ofTitle.length > 1 ? ofTitle : words(id)).slice(0, 5).join('_').slice(0, 48);
}
