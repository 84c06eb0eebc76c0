import * as vscode from 'vscode';
import type { Event, Subscription } from '#base/event.ts';
import { notificationText } from '#base/untrustedText.ts';
import type { Commands } from '#call/ports/commands.ts';

/** An entry of the setting `drawbridge.commandTools` that is left out. */
interface WrongEntry {
  readonly name: string | undefined;
  readonly position: number;
  readonly problem: string;
}

export interface CommandToolNoticeOptions {
  readonly entries: {
    readonly wrong: readonly WrongEntry[];
    /** The command of each tool, by the name of the tool. */
    readonly commands: ReadonlyMap<string, string>;
    readonly onDidChange: Event<void>;
  };
  readonly commands: Pick<Commands, 'find'>;
  readonly onError: (error: unknown) => void;
}

/** The number of entries that one warning names. */
const mostNamed = 3;

/**
 * Warns the user of entries of `drawbridge.commandTools` that assistants are not offered, or whose command does not exist, each once
 * for each text of it. Commands are looked for only after a change of the setting: at the start, extensions are still missing.
 */
export function warnOfCommandTools({ entries, commands, onError }: CommandToolNoticeOptions): Subscription {
  const { t } = vscode.l10n;
  const told = new Set<string>();
  const warn = async (problems: readonly string[]): Promise<void> => {
    const fresh = problems.filter((problem) => !told.has(problem));
    if (fresh.length === 0) return;
    for (const problem of fresh) told.add(problem);
    const more = fresh.length - mostNamed;
    const text = [
      ...fresh.slice(0, mostNamed),
      ...(more > 0 ? [t('{0} more entries have a problem.', more)] : []),
    ].join(' ');
    const edit = t('Edit in Settings');
    if ((await vscode.window.showWarningMessage(text, edit)) !== edit) return;
    const place = { revealSetting: { key: 'drawbridge.commandTools', edit: true } };
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', place);
  };
  const warnOfWrong = (): Promise<void> =>
    warn(
      entries.wrong.map(({ name, position, problem }) => {
        const label = name === undefined ? t('Entry {0}', position) : `"${notificationText(name)}"`;
        return t(
          '{0} of drawbridge.commandTools is not offered to assistants; correct or remove it: {1}',
          label,
          notificationText(problem),
        );
      }),
    );
  const warnOfMissing = async (): Promise<void> => {
    const missing: string[] = [];
    for (const [name, command] of entries.commands) {
      if ((await commands.find(command)) !== undefined) continue;
      missing.push(
        t(
          '"{0}" of drawbridge.commandTools names the command {1}, which does not exist now; correct it, or install its extension.',
          notificationText(name),
          notificationText(command),
        ),
      );
    }
    await warn(missing);
  };
  void warnOfWrong().catch(onError);
  return entries.onDidChange(() => {
    void warnOfWrong().catch(onError);
    void warnOfMissing().catch(onError);
  });
}
