import * as vscode from 'vscode';
import type { SeenAssistant } from '../../dialogs/seenAssistant.ts';
import { shortPath } from '../../dialogs/shortPath.ts';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';

/** Which assistants are connected, and whether their entries still lead here. */
export function diagnoseAssistants({ assistants, hasSomethingElse, remoteMachine, home }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const connected = assistants.filter(({ state }) => state === 'current');
  const findings = assistants.flatMap((seen) => diagnoseEntry(seen, home));
  if (connected.length > 0) {
    const names = connected.map(({ assistant }) => assistant.name).join(', ');
    findings.push({ severity: 'good', text: t('Connected: {0}.', names), ...whereToRun(remoteMachine) });
  } else if (!hasSomethingElse && findings.length === 0) {
    findings.push({
      severity: 'information',
      text: t('No assistant is connected by its configuration.'),
      advice: t("The editor's own agent needs none. Any other is connected once, for all windows."),
      action: { title: t('Connect an Assistant...'), command: 'drawbridge.connectAssistant' },
    });
  }
  return findings;
}

/** An assistant that reads its configuration when it starts is the commonest reason that nothing happens. */
function whereToRun(remoteMachine: string | undefined): Pick<Finding, 'advice'> {
  const { t } = vscode.l10n;
  return {
    advice:
      remoteMachine === undefined
        ? t('One that ran already when it was connected has to be started again.')
        : t('They have to run on {0}: start them in the integrated terminal.', remoteMachine),
  };
}

function diagnoseEntry({ assistant, state, file, problem }: SeenAssistant, home: string): Finding[] {
  const { t } = vscode.l10n;
  if (state === 'outdated') {
    return [
      {
        severity: 'warning',
        text: t('{0} has an old entry of Drawbridge in {1}.', assistant.name, shortPath(file, home)),
        advice: t('Connect it again, which repairs the entry.'),
        action: {
          title: t('Repair...'),
          command: 'drawbridge.connectAssistant',
          arguments: [assistant.id],
        },
      },
    ];
  }
  if (state !== 'unreadable') return [];
  return [
    {
      severity: 'warning',
      text: t('The configuration of {0} cannot be read: {1}', assistant.name, shortPath(file, home)),
      ...(problem !== undefined && { advice: problem }),
      // Which says where, and offers to open the file.
      action: { title: t('Connect Again...'), command: 'drawbridge.connectAssistant', arguments: [assistant.id] },
    },
  ];
}
