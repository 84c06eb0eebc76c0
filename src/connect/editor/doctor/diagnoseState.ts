import * as vscode from 'vscode';
import { shortPath } from '../../machinePaths.ts';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';

/** Returns findings about the state folder, the record of calls, and the launcher. */
export function diagnoseState(facts: DoctorFacts): readonly Finding[] {
  const { t } = vscode.l10n;
  const { state, recordProblem, home } = facts;
  const log = { title: t('Show Log'), command: 'drawbridge.showLog' };
  return [
    ...(state.problem === undefined
      ? []
      : [
          {
            severity: 'error' as const,
            text: t('Drawbridge cannot write to its folder {0}: {1}', shortPath(state.path, home), state.problem),
            advice: t('Make sure that you own the folder and can write to it, and that the disk is not full.'),
            action: log,
          },
        ]),
    ...(recordProblem === undefined
      ? []
      : [
          {
            severity: 'error' as const,
            text: t('Calls cannot be recorded, so all of them are refused: {0}', recordProblem),
            advice: t(
              'Make sure that the disk is not full and that you can write to {0}.',
              shortPath(state.path, home),
            ),
            action: log,
          },
        ]),
    ...diagnoseLauncher(facts),
  ];
}

function diagnoseLauncher({ launcher, launcherPath, home, version }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const path = shortPath(launcherPath, home);
  const reload = { title: t('Reload Window'), command: 'workbench.action.reloadWindow' };
  if (launcher.kind === 'missing') {
    return [
      {
        severity: 'error',
        text: t('The program that assistants start is missing: {0}', path),
        advice: t('Reload the window to restore the program.'),
        action: reload,
      },
    ];
  }
  if (launcher.kind === 'fails') {
    return [
      {
        severity: 'error',
        text: t('The program that assistants start does not work: {0}', path),
        advice: launcher.why,
        action: reload,
      },
    ];
  }
  if (launcher.version === version) return [{ severity: 'good', text: t('The program that assistants start works.') }];
  return [
    {
      severity: 'information',
      text: t(
        'The program that assistants start is version {0}, and this window is version {1}.',
        launcher.version,
        version,
      ),
      advice: t('They work together. The newest version that is installed for any editor is used.'),
    },
  ];
}
