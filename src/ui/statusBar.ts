import * as vscode from 'vscode';
import type { Mode } from '#policy/rules.ts';

export interface Status {
  readonly server: 'stopped' | 'starting' | 'running' | 'failed';
  /** Assistants seen in the last 5 minutes or with an open stream. */
  readonly clients: number;
  /** Assistants that the user paused. */
  readonly paused: number;
  /** Approvals and questions that wait for the user. */
  readonly waiting: number;
  /** How many of them are questions. */
  readonly questions: number;
  /** Assistants that prepare a change whose card has not come yet. */
  readonly preparing?: number;
  readonly mode: Mode;
  /** The warning that assistants' own edits are not reviewed; absent while they are. */
  readonly guardOff?: string | undefined;
}

/** The status bar item of Drawbridge. It is created at activation, so it depends on nothing but the editor. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  #status: Status = { server: 'stopped', clients: 0, paused: 0, waiting: 0, questions: 0, mode: 'manual' };

  constructor() {
    this.#item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Right, 90);
    this.#item.name = 'Drawbridge';
    this.#draw();
    this.#item.show();
  }

  get status(): Status {
    return this.#status;
  }

  /** Changes the status and keeps the context key `drawbridge.running` up to date. */
  update(change: Partial<Status>): void {
    this.#status = { ...this.#status, ...change };
    this.#draw();
    if (change.server === undefined) return;
    void vscode.commands.executeCommand('setContext', 'drawbridge.running', change.server === 'running');
  }

  dispose(): void {
    this.#item.dispose();
  }

  #draw(): void {
    const { icon, text, tooltip, warns, command } = describeStatus(this.#status);
    this.#item.text = `$(${icon}) ${text}`;
    this.#item.tooltip = tooltip;
    this.#item.command = command;
    this.#item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.accessibilityInformation = { label: tooltip, role: 'button' };
  }
}

interface Description {
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  readonly warns: boolean;
  readonly command: string;
}

function describeStatus(status: Status): Description {
  const { server, waiting, mode, preparing = 0 } = status;
  const plain =
    waiting > 0 ? describeWaiting(status) : preparing > 0 ? describePreparing(preparing) : describeServer(status);
  const described = server === 'running' && mode !== 'manual' ? withMode(mode, waiting, plain) : plain;
  return status.guardOff === undefined ? described : withoutGuard(status.guardOff, described);
}

/** Adds that the guard is off to any other description. */
function withoutGuard(guardOff: string, described: Description): Description {
  return {
    ...described,
    text: vscode.l10n.t('{0} · guard off', described.text),
    tooltip: `${described.tooltip.replace(/\.$/, '')}. ${guardOff}`,
    warns: true,
  };
}

/** Adds the mode, so that any mode but Manual is always visible. */
function withMode(mode: Exclude<Mode, 'manual'>, waiting: number, described: Description): Description {
  const { t } = vscode.l10n;
  const { icon, name, does } = {
    acceptEdits: { icon: 'edit', name: t('Accept edits'), does: t('edits are applied without asking') },
    readOnly: { icon: 'eye', name: t('Read-only'), does: t('assistants can only read') },
    unattended: { icon: 'rocket', name: t('Unattended'), does: t('you are not asked') },
  }[mode];
  return {
    ...described,
    icon: waiting > 0 ? described.icon : icon,
    text: waiting > 0 ? `${described.text} · ${name}` : t('Drawbridge: {0}', name),
    tooltip: t('{0}. Mode {1}: {2}', described.tooltip.replace(/\.$/, ''), name, does),
    warns: described.warns || mode === 'unattended',
  };
}

function describePreparing(count: number): Description {
  const { t } = vscode.l10n;
  return {
    icon: 'loading~spin',
    text: t('Preparing'),
    tooltip:
      count === 1
        ? t('Drawbridge: an assistant prepares a change, and will ask you')
        : t('Drawbridge: {0} assistants prepare changes, and will ask you', count),
    warns: false,
    command: 'drawbridge.showMenu',
  };
}

function describeWaiting(status: Status): Description {
  return { icon: 'bell-dot', ...waitingTexts(status), warns: true, command: 'drawbridge.reviewNextApproval' };
}

function waitingTexts({ waiting, questions }: Status): Pick<Description, 'text' | 'tooltip'> {
  const { t } = vscode.l10n;
  if (questions > 0 && questions < waiting) {
    return {
      text: t('{0} requests', waiting),
      tooltip: t('Drawbridge: {0} requests wait for you. Review them.', waiting),
    };
  }
  if (questions > 0) {
    return waiting === 1
      ? { text: t('1 question'), tooltip: t('Drawbridge: 1 question waits for you. Answer it.') }
      : {
          text: t('{0} questions', waiting),
          tooltip: t('Drawbridge: {0} questions wait for you. Answer them.', waiting),
        };
  }
  return waiting === 1
    ? { text: t('1 approval'), tooltip: t('Drawbridge: 1 approval waits for you. Review it.') }
    : {
        text: t('{0} approvals', waiting),
        tooltip: t('Drawbridge: {0} approvals wait for you. Review them.', waiting),
      };
}

function describeServer(status: Status): Description {
  const { server, clients } = status;
  const { t } = vscode.l10n;
  const icon = { running: 'plug', starting: 'loading~spin', failed: 'error', stopped: 'debug-disconnect' }[server];
  const said = serverText(status);
  const tooltip = server === 'failed' ? t('{0}. Select to see what can be done.', said) : said;
  const text = server === 'running' && clients > 0 ? String(clients) : 'Drawbridge';
  return { icon, text, tooltip, warns: server === 'failed', command: 'drawbridge.showMenu' };
}

/** Returns the state of the server and the number of its assistants. */
export function serverText({ server, clients, paused }: Pick<Status, 'server' | 'clients' | 'paused'>): string {
  const { t } = vscode.l10n;
  const connected =
    clients === 0
      ? t('no assistant connected')
      : clients === 1
        ? t('1 assistant connected')
        : t('{0} assistants connected', clients);
  const counts = [connected, ...(paused === 0 ? [] : [t('{0} paused', paused)])].join(', ');
  return {
    running: t('Drawbridge is running: {0}', counts),
    starting: t('Drawbridge is starting'),
    failed: t('Drawbridge could not start'),
    stopped: t('Drawbridge is stopped'),
  }[server];
}
