import * as vscode from 'vscode';
import { copilotCli } from '../../assistants/copilotCli.ts';
import type { SeenAssistant } from '../../seenAssistants.ts';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';
import { shortPath } from '../../machinePaths.ts';
import { portHolderText } from '../portHolderText.ts';

/** Returns findings about the assistants that are set up, and their entries. */
export function diagnoseAssistants(facts: DoctorFacts): Finding[] {
  const { assistants, hasSomethingElse, remoteMachine, home } = facts;
  const { t } = vscode.l10n;
  const setUp = assistants.filter(({ state }) => state === 'current');
  const findings = assistants.flatMap((seen) => diagnoseEntry(seen, home));
  if (setUp.length > 0) {
    const names = setUp.map((seen) => setUpText(seen, facts)).join(', ');
    findings.push(...setUp.flatMap((seen) => diagnoseNeverCalled(seen, facts)), {
      severity: 'good',
      text: t('Set up: {0}.', names),
      ...whereToRun(remoteMachine),
    });
  } else if (!hasSomethingElse && findings.length === 0) {
    findings.push({
      severity: 'information',
      text: t('No assistant is set up.'),
      advice: t("The editor's own agent needs no setup. Any other is set up once, for all windows."),
      action: { title: t('Connect an Assistant...'), command: 'drawbridge.connectAssistant' },
    });
  }
  return [...findings, ...diagnoseAgentsWindow(facts)];
}

function setUpText({ assistant: { id, name } }: SeenAssistant, { lastSeen }: DoctorFacts): string {
  const time = lastSeen.get(id);
  if (time === undefined) return name;
  return vscode.l10n.t('{0} (last seen {1})', name, new Date(time).toLocaleString(vscode.env.language));
}

/** Warns of an assistant that is set up and has never called a window, most likely because it is not installed or not started. */
function diagnoseNeverCalled(
  { assistant, hasProgram }: SeenAssistant,
  { lastSeen, remoteMachine }: DoctorFacts,
): Finding[] {
  const { t } = vscode.l10n;
  const { id, name, kind, programs } = assistant;
  if (lastSeen.has(id)) return [];
  if (!hasProgram) {
    return [
      {
        severity: 'warning',
        text: t('{0} is set up, but its program is not found on this machine: {1}.', name, programs.join(', ')),
        advice: t('Install {0}, or add the folder of the program to the PATH.', name),
      },
    ];
  }
  const start = kind === 'terminal' ? t('Start {0} in this folder.', name) : t('Start {0}.', name);
  return [
    {
      severity: 'warning',
      text: t('{0} is set up, but has never called a window.', name),
      advice: remoteMachine === undefined ? start : t('Start {0} in the integrated terminal.', name),
      action: { title: t('Open Terminal'), command: 'workbench.action.terminal.new' },
    },
  ];
}

/** Returns a finding about the Agents window of VS Code, which may not offer servers of extensions (microsoft/vscode#317460). */
function diagnoseAgentsWindow({ editorHasAgent, assistants }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const seen = assistants.find(({ assistant }) => assistant.id === copilotCli.id);
  if (!editorHasAgent || seen?.state !== 'absent') return [];
  const { id, name } = seen.assistant;
  return [
    {
      severity: 'information',
      text: t(
        "{0}'s own agent finds Drawbridge by itself in the chat, but perhaps not in the Agents window.",
        vscode.env.appName,
      ),
      advice: t('If Drawbridge is missing there, connect {0}: that window reads its configuration.', name),
      action: { title: t('Connect {0}...', name), command: 'drawbridge.connectAssistant', arguments: [id] },
    },
  ];
}

/**
 * Most assistants read their configuration only when they start, which is the most common reason for a missing
 * connection.
 */
function whereToRun(remoteMachine: string | undefined): Pick<Finding, 'advice'> {
  const { t } = vscode.l10n;
  return {
    advice:
      remoteMachine === undefined
        ? t('Restart an assistant that was already running when you set it up.')
        : t('They must run on {0}: start them in the integrated terminal.', remoteMachine),
  };
}

function diagnoseEntry({ assistant, state, file, problem }: SeenAssistant, home: string): Finding[] {
  const { t } = vscode.l10n;
  if (state === 'outdated') {
    return [
      {
        severity: 'warning',
        text: t('{0} has an old entry of Drawbridge in {1}.', assistant.name, shortPath(file, home)),
        advice: t('Connect it again to repair the entry.'),
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
      // Connecting says where the file is wrong and offers to open it.
      action: { title: t('Connect Again...'), command: 'drawbridge.connectAssistant', arguments: [assistant.id] },
    },
  ];
}

/** Returns findings about programs that connect over HTTP with an access token. */
export function diagnoseHttp(facts: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const { tokens, home } = facts;
  if (tokens.problem !== undefined) {
    return [
      {
        severity: 'warning',
        text: t('No access token is accepted: {0}', tokens.problem),
        advice: t('Repair or remove the file {0}.', shortPath(tokens.path, home)),
        action: { title: t('Show Connections'), command: 'drawbridge.connections.focus' },
      },
    ];
  }
  return tokens.count === 0 ? [] : [...diagnoseListener(facts), ...diagnoseProxy(facts)];
}

function diagnoseListener({ httpListener }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  // Other findings report already that the server does not run or that no folder is open.
  if (httpListener.kind === 'closed' || httpListener.kind === 'noFolder') return [];
  if (httpListener.kind === 'open') {
    return [{ severity: 'good', text: t('Programs with an access token can connect to {0}.', httpListener.endpoint) }];
  }
  const action = { title: t('Try Again'), command: 'drawbridge.retryHttpListener' };
  if (httpListener.kind === 'failed') {
    const text = t('Programs with an access token cannot connect to this window: {0}', httpListener.message);
    return [{ severity: 'warning', text, advice: t('Other assistants are not affected.'), action }];
  }
  const { port, holder } = httpListener;
  const text = t('The port {0} for programs with an access token is in use by {1}.', `${port}`, portHolderText(holder));
  const advice = t(
    'Do not start programs that have an access token before the port is free: they would send their tokens to the program that uses it. Other assistants are not affected.',
  );
  return [{ severity: 'warning', text, advice, action }];
}

function diagnoseProxy({ proxyVariables }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  if (proxyVariables.length === 0) return [];
  return [
    {
      severity: 'warning',
      text: t(
        'Programs that connect by a URL may send their requests to a proxy ({0} is set).',
        proxyVariables.join(', '),
      ),
      advice: t('Add 127.0.0.1 to NO_PROXY where they are started. Assistants that Connect set up are not affected.'),
    },
  ];
}
