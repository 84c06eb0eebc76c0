import type { AuditLog } from '#audit/auditLog.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import { OpenedOnce } from '../openedOnce.ts';
import type { Mode, Policy, RuleReference, ScopedRule } from '../rules.ts';
import { ManagedPolicy } from './managedPolicy.ts';
import { WindowMode, type ModeEnd } from './modes.ts';
import { RepositoryPolicy } from './repositoryPolicy.ts';
import { RulesFile } from './rulesFile.ts';

export interface WindowPolicyOptions {
  /** The state folder of this user. */
  readonly home: string;
  /** Absolute path of the policy of this machine. */
  readonly managedPath: string;
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  readonly workspace: Workspace;
  /** Names of the tools that a rule may name. */
  readonly tools: () => readonly string[];
  readonly onModeEnd: (ended: Mode, why: ModeEnd) => void;
  readonly onError: (error: unknown) => void;
}

/** The policy of this window: the rules of the user, the repository and the machine, and the mode. */
export class WindowPolicy implements Policy, Subscription {
  readonly file: RulesFile;
  readonly repository: RepositoryPolicy;
  readonly managed: ManagedPolicy;
  readonly windowMode: WindowMode;
  readonly openedOnce = new OpenedOnce(() => this.now());
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  /** Fires when the rules, their use or the mode changed. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly Subscription[];
  #parts: readonly (readonly ScopedRule[])[] = [];
  #rules: readonly ScopedRule[] = [];

  /** @throws when the state folder cannot be made private */
  constructor(options: WindowPolicyOptions) {
    const { clock, workspace, onModeEnd: onEnd } = options;
    this.#clock = clock;
    this.managed = new ManagedPolicy({ ...options, path: options.managedPath });
    this.file = new RulesFile(options);
    this.repository = new RepositoryPolicy(options);
    const notAllowed = (): readonly Mode[] => this.managed.settings.modesNotAllowed;
    this.windowMode = new WindowMode({ clock, auditLog: options.auditLog, workspace, notAllowed, onEnd });
    const sources = [this.managed, this.file, this.repository, this.windowMode];
    this.#subscriptions = [
      ...sources.map((source) => source.onDidChange(() => this.#changed.fire())),
      this.file,
      this.repository,
      this.windowMode,
    ];
  }

  mode(): Mode {
    return this.windowMode.current;
  }

  rules(): readonly ScopedRule[] {
    const parts = [this.managed.settings.rules, this.repository.rules, this.file.all];
    if (parts.some((part, index) => part !== this.#parts[index])) {
      this.#parts = parts;
      this.#rules = parts.flat();
    }
    return this.#rules;
  }

  now(): number {
    return this.#clock.now();
  }

  used(rule: RuleReference): void {
    this.file.used(rule);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
