import * as vscode from 'vscode';
import type { WindowHealth } from '#home/windowHealth.ts';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';
import { shortPath } from '../../machinePaths.ts';

/** Returns findings about this window: its server, its folder, its trust, and refused requests. */
export function diagnoseWindow(facts: DoctorFacts): readonly Finding[] {
  return [...diagnoseServer(facts), ...diagnoseFolder(facts), ...diagnoseTrust(facts), ...diagnoseRefused(facts)];
}

function diagnoseServer({ server, endpoint, start, isTrusted }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  if (server === 'running') {
    return [{ severity: 'good', text: t('Drawbridge runs in this window, at {0}.', endpoint ?? '') }];
  }
  if (server === 'starting') return [{ severity: 'warning', text: t('Drawbridge is still starting in this window.') }];
  if (server === 'failed') {
    return [
      {
        severity: 'error',
        text: t('Drawbridge could not start in this window.'),
        advice: t('The log shows the reason.'),
        action: { title: t('Show Log'), command: 'drawbridge.showLog' },
      },
    ];
  }
  const why = !isTrusted
    ? t('Drawbridge does not start by itself in a workspace that is not trusted.')
    : {
        manual: t('The setting "drawbridge.start" is "manual", so Drawbridge only starts when you start it.'),
        whenConnected: t('Drawbridge was stopped, or no assistant is set up on this machine yet.'),
        always: t('Drawbridge was stopped.'),
      }[start];
  return [
    {
      severity: 'error',
      text: t('Drawbridge is stopped in this window, so assistants cannot reach it.'),
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
        text: t('Assistants can only read this workspace, because they could connect before you trusted it.'),
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
              'An assistant may have an old URL, or a token that was revoked. Connect it again; an assistant that Connect set up needs no token.',
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
              'It must run where the folder is, on {0}: start it in the integrated terminal, with 127.0.0.1 in NO_PROXY. Forwarded ports are refused, because they make the files of this window reachable from elsewhere.',
              machine,
            ),
            action: { title: t('Open Terminal'), command: 'workbench.action.terminal.new' },
          },
        ]),
  ];
}

/** Returns findings about the other windows of this user, by their files in the state folder. */
export function diagnoseOtherWindows({ windows, windowId, version, state, home }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const others = windows.filter(({ record }) => record?.windowId !== windowId);
  const inState = (...states: readonly WindowHealth['state'][]): readonly WindowHealth[] =>
    others.filter((each) => states.includes(each.state));
  const folder = shortPath(state.path, home);
  return [
    ...about(inState('notRunning', 'refused'), {
      severity: 'information',
      one: t('A window that no longer runs left its file behind.'),
      several: (count) => t('{0} windows that no longer run left their files behind.', count),
      advice: t(
        'You need not do anything: assistants ignore these files, and the next window that starts removes them.',
      ),
    }),
    ...about(inState('unreachable'), {
      severity: 'warning',
      one: t('Another window does not answer; it may be busy.'),
      several: (count) => t('{0} other windows do not answer; they may be busy.', count),
      advice: t('If this continues, run "Drawbridge: Restart" there.'),
    }),
    ...about(inState('malformed'), {
      severity: 'warning',
      one: t('A window file is not valid.'),
      several: (count) => t('{0} window files are not valid.', count),
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
      advice: t('Reload the window with the older version, so that both windows use the same version.'),
    },
  ];
}
