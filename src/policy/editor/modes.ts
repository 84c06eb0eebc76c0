import * as vscode from 'vscode';
import type { AuditLog } from '#audit/auditLog.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Mode } from '../rules.ts';

/** Why a mode ended without the user choosing another mode. */
export type ModeEnd = 'time' | 'trust' | 'managed';

export interface WindowModeOptions {
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  readonly workspace: Pick<Workspace, 'isTrusted' | 'onDidChange'>;
  /** Returns the modes that the managed policy currently forbids. */
  readonly notAllowed: () => readonly Mode[];
  /** Called when a mode ended by itself. */
  readonly onEnd: (ended: Mode, why: ModeEnd) => void;
}

/** How long a mode lasts that applies changes without asking. */
export const modeMilliseconds = 4 * 60 * 60 * 1000;

/**
 * The mode of this window. It is kept in memory, so that modes that apply changes without asking end on reload; they also end
 * after four hours and when trust changes (docs/security.md, "Modes"). Only the command of the user sets it.
 */
export class WindowMode implements Subscription {
  readonly #options: WindowModeOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: Subscription;
  #mode: Mode;
  /** Milliseconds since the epoch. */
  #until: number | undefined;
  #timer: Subscription | undefined;
  #trusted: boolean;

  constructor(options: WindowModeOptions) {
    this.#options = options;
    this.#trusted = options.workspace.isTrusted();
    this.#mode = this.#permitted(startMode());
    this.#subscription = options.workspace.onDidChange(() => this.#followTrust());
    setContext(this.#mode);
  }

  get current(): Mode {
    // Timers stand still while the machine sleeps.
    if (this.#until !== undefined && this.#options.clock.now() >= this.#until) this.#end('time');
    if (this.#permitted(this.#mode) !== this.#mode) this.#end('managed');
    return this.#mode;
  }

  /** The time when the mode ends by itself, in milliseconds since the epoch. */
  get until(): number | undefined {
    return this.#until;
  }

  isAllowed(mode: Mode): boolean {
    return this.#permitted(mode) === mode;
  }

  /** Sets the mode that the user chose. Does nothing when the managed policy forbids it. */
  set(mode: Mode): void {
    if (this.isAllowed(mode)) this.#change(mode, 'human');
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#subscription.dispose();
  }

  #followTrust(): void {
    const trusted = this.#options.workspace.isTrusted();
    if (trusted === this.#trusted) return;
    this.#trusted = trusted;
    if (this.#until !== undefined) this.#end('trust');
  }

  #end(why: ModeEnd): void {
    const ended = this.#mode;
    this.#change(this.#permitted(startMode()), why);
    this.#options.onEnd(ended, why);
  }

  #change(mode: Mode, why: ModeEnd | 'human'): void {
    const before = this.#mode;
    const { clock, auditLog } = this.#options;
    this.#timer?.dispose();
    const isLimited = mode === 'acceptEdits' || mode === 'unattended';
    this.#until = isLimited ? clock.now() + modeMilliseconds : undefined;
    this.#timer = isLimited ? clock.after(modeMilliseconds, () => this.#end('time')) : undefined;
    this.#mode = mode;
    if (before !== mode) auditLog.event({ event: 'mode.change', mode, previous: before, why });
    setContext(mode);
    this.#changed.fire();
  }

  /** Returns the mode, or the next stricter mode when the mode is forbidden. */
  #permitted(mode: Mode): Mode {
    const notAllowed = this.#options.notAllowed();
    const isFine = (each: Mode): boolean => each === 'readOnly' || !notAllowed.includes(each);
    if (isFine(mode)) return mode;
    return isFine('manual') ? 'manual' : 'readOnly';
  }
}

/** Returns `drawbridge.mode`: workspace values are ignored (threat row A1), and no window starts in a mode that does not ask. */
export function startMode(): Mode {
  const found = vscode.workspace.getConfiguration('drawbridge').inspect<string>('mode');
  return found?.globalValue === 'readOnly' ? 'readOnly' : 'manual';
}

function setContext(mode: Mode): void {
  void vscode.commands.executeCommand('setContext', 'drawbridge.mode', mode);
}
