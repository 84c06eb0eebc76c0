import * as vscode from 'vscode';
import type { LauncherCommand } from '../../assistant.ts';
import { commandLine } from '../../launcherCommand.ts';
import type { Configurations } from '../../seenAssistants.ts';
import { tellFailure } from './tellFailure.ts';

/** Access tokens and the URL, for programs that connect over HTTP. */
export interface HttpAccess {
  readonly hasToken: () => boolean;
  /** Creates a token and shows it to the user once. */
  readonly createToken: () => Promise<void>;
  readonly copyUrl: () => Thenable<unknown>;
}

export interface SomethingElseDependencies {
  readonly configurations: Configurations;
  readonly http: HttpAccess;
  /** Starts this window's server, unless a setting of the user prevents that. @returns whether it runs */
  readonly start: () => Promise<boolean>;
}

/** The id that stands for all programs that were set up by hand. */
export const somethingElseId = 'something-else';

type Way = 'commandLine' | 'json' | 'url';

/** Connects a program that Drawbridge does not know: copies the text for its configuration. */
export async function connectSomethingElse(dependencies: SomethingElseDependencies): Promise<void> {
  const { configurations, http, start } = dependencies;
  const way = await chooseWay();
  if (way === undefined) return;
  try {
    const isCopied = way === 'url' ? await copyUrl(http) : await copyCommand(configurations, way);
    if (!isCopied) return;
    await configurations.markConnected(somethingElseId);
    await start();
  } catch (error) {
    const again = await tellFailure(error, vscode.l10n.t('Nothing was set up.'), undefined);
    if (again) await connectSomethingElse(dependencies);
  }
}

async function copyCommand(configurations: Configurations, way: 'commandLine' | 'json'): Promise<true> {
  const command = configurations.launcherCommand();
  const isLine = way === 'commandLine';
  const text = isLine ? commandLine(command, configurations.machine.platform) : jsonEntry(command);
  await vscode.env.clipboard.writeText(text);
  tellCopied(isLine);
  return true;
}

async function chooseWay(): Promise<Way | undefined> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { readonly way: Way })[] = [
    {
      label: t('Copy Command Line'),
      description: t('for a program that starts MCP servers itself'),
      way: 'commandLine',
    },
    { label: t('Copy JSON'), description: t('an entry of "mcpServers", which most programs read'), way: 'json' },
    { label: t('Copy URL'), description: t('for a program that only connects over HTTP, with a token'), way: 'url' },
  ];
  const options = { title: t('Connect Something Else'), placeHolder: t('What its configuration needs') };
  return (await vscode.window.showQuickPick(items, options))?.way;
}

function jsonEntry({ command, args }: LauncherCommand): string {
  return JSON.stringify({ mcpServers: { drawbridge: { command, args } } }, undefined, 2);
}

function tellCopied(isLine: boolean): void {
  const { t } = vscode.l10n;
  const text = isLine
    ? t('The command line is on the clipboard. Give it to the program as an MCP server of the kind "stdio".')
    : t('The JSON is on the clipboard. Put it into the configuration of the program.');
  void vscode.window.showInformationMessage(text);
}

/**
 * Copies the URL, which holds no secret. The token is shown apart, since it must not get into a file of the workspace.
 */
async function copyUrl({ hasToken, createToken, copyUrl: copy }: HttpAccess): Promise<boolean> {
  if (!hasToken()) await createToken();
  if (!hasToken()) return false;
  const { t } = vscode.l10n;
  const button = t('Copy URL');
  // The token that the user has just copied stays on the clipboard until the user asks for the URL.
  const text = t(
    'The program sends the access token in the header "Authorization: Bearer <token>". Keep it in a file of your own, never in one of the workspace.',
  );
  if ((await vscode.window.showInformationMessage(text, { modal: true }, button)) !== button) return false;
  await copy();
  return true;
}
