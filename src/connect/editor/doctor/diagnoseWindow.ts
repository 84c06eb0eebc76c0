import * as vscode from 'vscode';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';

/** This window: does it listen, is there something to work on, may it be changed. */
export function diagnoseWindow(facts: DoctorFacts): readonly Finding[] {
  return [...diagnoseServer(facts), ...diagnoseFolder(facts), ...diagnoseTrust(facts), ...diagnoseRefused(facts)];
}

function diagnoseServer({ server, endpoint, start, isTrusted }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  if (server === 'running') {
    return [{ severity: 'good', text: t('Drawbridge runs in this window, at {0}.', endpoint ?? '') }];
  }
  if (server === 'starting') return [{ severity: 'warning', text: t('Drawbridge is just starting in this window.') }];
  if (server === 'failed') {
    return [
      {
        severity: 'error',
        text: t('Drawbridge could not start in this window.'),
        advice: t('The log says why.'),
        action: { title: t('Show Log'), command: 'drawbridge.showLog' },
      },
    ];
  }
  const why = !isTrusted
    ? t('It does not start by itself in a workspace that is not trusted.')
    : {
        manual: t('The setting "drawbridge.start" says that it only starts when you start it.'),
        whenConnected: t('It was stopped, or no assistant was connected on this machine yet.'),
        always: t('It was stopped.'),
      }[start];
  return [
    {
      severity: 'error',
      text: t('Drawbridge is stopped in this window, so no assistant reaches it.'),
      advice: why,
      action: { title: t('Start Drawbridge'), command: 'drawbridge.start' },
    },
  ];
}

function diagnoseFolder({ hasFolder }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  if (hasFolder) return [];
  return [
    {
      severity: 'error',
      text: t('No folder is open in this window, so there is nothing that assistants could work on.'),
      advice: t('Open the folder that they should work in.'),
      action: { title: t('Open Folder'), command: 'vscode.openFolder' },
    },
  ];
}

function diagnoseTrust({ isTrusted, isHeld, hasFolder }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  if (isHeld) {
    return [
      {
        severity: 'warning',
        text: t('Assistants can only read: they met this workspace before you trusted it.'),
        advice: t('Enable edits when you want them to change files here.'),
        action: { title: t('Enable Edits'), command: 'drawbridge.enableEdits' },
      },
    ];
  }
  if (isTrusted || !hasFolder) return [];
  return [
    {
      severity: 'warning',
      text: t('This window is in Restricted Mode: assistants can read, and cannot change anything.'),
      advice: t('Trust the workspace if you know who wrote it.'),
      action: { title: t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
    },
  ];
}

function diagnoseRefused({ wrongTokens, forwarded, remoteMachine }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const machine = remoteMachine ?? t('the machine that the folder is on');
  return [
    ...(wrongTokens === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            text:
              wrongTokens === 1
                ? t('1 request without a valid token was refused since Drawbridge started here.')
                : t('{0} requests without a valid token were refused since Drawbridge started here.', wrongTokens),
            advice: t(
              'An assistant may have an old URL, or a token that was revoked. Connect it again; an assistant that is connected by its configuration needs no token.',
            ),
            action: { title: t('Connect an Assistant...'), command: 'drawbridge.connectAssistant' },
          },
        ]),
    ...(forwarded === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            text: t('An assistant tried to reach this window through a forwarded port or a proxy, and was refused.'),
            advice: t(
              'It has to run where the folder is, on {0}: start it in the integrated terminal, with 127.0.0.1 in NO_PROXY. Whoever forwards the port makes the files of this window reachable from elsewhere, so it is not allowed.',
              machine,
            ),
            action: { title: t('Open Terminal'), command: 'workbench.action.terminal.new' },
          },
        ]),
  ];
}
