import * as vscode from 'vscode';
import type { WindowHealth } from '#home/windowHealth.ts';
import { shortPath } from '../../dialogs/shortPath.ts';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';

/** What other windows of this user left in the state folder, and what is behind it. */
export function diagnoseOtherWindows({ windows, windowId, version, state, home }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const others = windows.filter(({ record }) => record?.windowId !== windowId);
  const inState = (...states: readonly WindowHealth['state'][]): readonly WindowHealth[] =>
    others.filter((each) => states.includes(each.state));
  const folder = shortPath(state.path, home);
  return [
    ...about(inState('notRunning', 'refused'), {
      severity: 'information',
      one: t('A window that is gone left its file behind.'),
      several: (count) => t('{0} windows that are gone left their files behind.', count),
      advice: t('Nothing has to be done: assistants pass over them, and the next window that starts removes them.'),
    }),
    ...about(inState('unreachable'), {
      severity: 'warning',
      one: t('Another window does not answer; it may be busy.'),
      several: (count) => t('{0} other windows do not answer; they may be busy.', count),
      advice: t('If it stays so, run "Drawbridge: Restart" there.'),
    }),
    ...about(inState('malformed'), {
      severity: 'warning',
      one: t('A window file cannot be understood.'),
      several: (count) => t('{0} window files cannot be understood.', count),
      advice: t('Another version may have written it. Remove it from {0} if no window needs it.', `${folder}/windows`),
    }),
    ...about(inState('otherHost'), {
      severity: 'information',
      one: t('A window of another machine shares {0} with this one.', folder),
      several: (count) => t('{0} windows of other machines share {1} with this one.', count, folder),
      advice: t('An assistant only reaches the windows of the machine that it runs on.'),
    }),
    ...diagnoseVersions(inState('alive'), version),
  ];
}

interface Words {
  readonly severity: Finding['severity'];
  readonly one: string;
  readonly several: (count: number) => string;
  readonly advice: string;
}

function about(windows: readonly WindowHealth[], { severity, one, several, advice }: Words): Finding[] {
  if (windows.length === 0) return [];
  return [{ severity, text: windows.length === 1 ? one : several(windows.length), advice }];
}

function diagnoseVersions(alive: readonly WindowHealth[], version: string): Finding[] {
  const { t } = vscode.l10n;
  const versions = alive.flatMap(({ record }) => (record === undefined ? [] : [record.extensionVersion]));
  const others = [...new Set(versions)].filter((each) => each !== version).toSorted();
  if (others.length === 0) return [];
  return [
    {
      severity: 'information',
      text: t('Another window has another version of Drawbridge: {0} (this one: {1}).', others.join(', '), version),
      advice: t('Reload the window with the older one, so that both are the same.'),
    },
  ];
}
