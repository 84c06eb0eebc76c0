import * as vscode from 'vscode';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';
import type { Assistant } from '../../assistant.ts';
import type { SeenAssistant } from '../../seenAssistants.ts';
import { shortPath } from '../../machinePaths.ts';

/** Returns findings about the edits that assistants make with their own tools. */
export function diagnoseGuard(facts: DoctorFacts): Finding[] {
  return [...facts.assistants.flatMap((seen) => diagnoseOne(seen, facts)), ...diagnoseNamesakes(facts)];
}

function diagnoseNamesakes({ namesakes, home }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  return namesakes.map(({ assistant, file }) => ({
    severity: 'warning',
    text: t('{0} starts another program under the name "drawbridge" for {1}.', shortPath(file, home), assistant),
    advice: t(
      'If you allowed {0} all tools of "drawbridge", it does not ask you about that program. Remove that entry, or rename it.',
      assistant,
    ),
  }));
}

function diagnoseOne({ assistant, state, parts }: SeenAssistant, facts: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const { name, id } = assistant;
  if (parts === undefined) return [];
  const connect = { command: 'drawbridge.connectAssistant', arguments: [id] };
  if (parts.guard === 'absent') {
    if (state !== 'current') return [];
    return [
      {
        severity: 'information',
        text: t('Edits that {0} makes with its own tools are not reviewed.', name),
        advice: t('Set it up when you connect it again.'),
        action: { title: t('Set Up...'), ...connect },
      },
    ];
  }
  if (parts.guard === 'outdated') {
    return [
      {
        severity: 'warning',
        text: t('{0} has old hooks of Drawbridge in its settings, so its own edits may not be reviewed.', name),
        advice: t('Connect it again to repair them.'),
        action: { title: t('Repair...'), ...connect },
      },
    ];
  }
  return [workingGuard(assistant, facts)];
}

function workingGuard({ name, id }: Assistant, facts: DoctorFacts): Finding {
  const { t } = vscode.l10n;
  const { hook, hooksDisabledBy, hookTrust, nativeEdits, home, guardsOffUntil: until } = facts;
  if (hook.kind !== 'works') {
    return {
      severity: 'error',
      text: t('The hook that {0} runs before its own edits does not work.', name),
      advice:
        hook.kind === 'missing' ? t('The program is missing.') : hook.why === '' ? t('It gave no answer.') : hook.why,
    };
  }
  const disabled = hooksDisabledBy.get(id);
  if (disabled !== undefined) {
    return {
      severity: 'warning',
      text: t(
        '{0} switches the hooks of {1} off, so its own edits are not reviewed in this window.',
        shortPath(disabled.file, home),
        name,
      ),
      advice: t('Change "{0}" in that file.', disabled.setting),
    };
  }
  const trust = hookTrust.get(id);
  if (trust === 'untrusted' || trust === 'modified' || trust === 'absent') {
    return {
      severity: 'warning',
      text: t('{0} does not run the hook of Drawbridge, because it does not trust it.', name),
      advice: t('Connect it again to trust the hook, or run /hooks in {0}.', name),
      action: { title: t('Connect Again...'), command: 'drawbridge.connectAssistant', arguments: [id] },
    };
  }
  if (until !== undefined) {
    return {
      severity: 'warning',
      text: t(
        'You switched the guard off, so edits that {0} makes with its own tools are not reviewed until {1}.',
        name,
        timeText(until),
      ),
      advice: t('Switch it on again when you are done.'),
      action: { title: t('Switch Guard On'), command: 'drawbridge.guardAgain' },
    };
  }
  const last = nativeEdits.get(name);
  if (last === undefined) {
    return {
      severity: 'information',
      text: t('The guard of {0} is set up, but no edit of it has come to this window yet.', name),
      advice: [
        t('Start a new session of {0}: a session that was already running has no hooks.', name),
        ...(trust === 'unknown' ? [t('Run /hooks in {0} to see whether it trusts the hook of Drawbridge.', name)] : []),
      ].join(' '),
    };
  }
  const updated = facts.programChanges.get(id);
  if (updated !== undefined && updated > last) {
    return {
      severity: 'information',
      text: t('{0} was updated at {1}, and no edit of it has come to this window since then.', name, timeText(updated)),
      advice: t('Start a new session of {0} and let it edit a file: that shows that its guard still works.', name),
    };
  }
  const text = t('{0} is guarded: its last own edit came to this window at {1}.', name, timeText(last));
  return { severity: 'good', text };
}

function timeText(time: number): string {
  return new Date(time).toLocaleTimeString(vscode.env.language);
}
