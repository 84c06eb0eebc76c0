import type { Event } from '#base/event.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';

export const modes = ['manual', 'acceptEdits', 'readOnly', 'unattended'] as const;
/**
 * How much a window lets assistants do without asking (docs/security.md, "Modes"). The last two end on reload, on a change
 * of trust and after four hours, save `readOnly`, which lasts until it is changed.
 */
export type Mode = (typeof modes)[number];

export type RuleEffect = 'deny' | 'ask' | 'allow';

/** What a rule can be about; `config` is every change of a protected path. */
export type RuleClass = 'read' | 'edit' | 'delete' | 'execute' | 'network' | 'config' | 'ui';

export interface RuleOrigin {
  /** Made on a card, in the rules editor or by hand. */
  readonly how: 'card' | 'editor' | 'file';
  /** ISO 8601. */
  readonly at: string;
  readonly approvalId?: string;
}

/** A rule as it is written down (docs/rules.md). */
export interface Rule {
  readonly id: string;
  readonly effect: RuleEffect;
  /** `class` or `tools`, or both: then both must match. */
  readonly class?: RuleClass;
  /** Names of tools. */
  readonly tools?: readonly string[];
  /**
   * Globs relative to the workspace folder that contains the target, `/` on every OS. Without a `/` a glob matches at any
   * depth; `!` excludes within this rule; `home:` and `folder:<name>:` start elsewhere. Absent means every path.
   */
  readonly paths?: readonly string[];
  /** Of an action, exactly what is done and with what (`actionKey`). No `allow` matches an `execute` without it. */
  readonly action?: string;
  /** Of one call; more than this is no match. Only for `allow`. */
  readonly limits?: { readonly maxFiles?: number; readonly maxChangedLines?: number };
  /** `any`, or the name of an access token. Absent means any. */
  readonly client?: string;
  /** ISO 8601. */
  readonly expires?: string;
  readonly origin?: RuleOrigin;
  readonly note?: string;
}

export const ruleScopes = ['session', 'workspace', 'user', 'repository', 'managed'] as const;
/** Where a rule stands; `repository` and `managed` ones can only make things stricter. */
export type RuleScope = (typeof ruleScopes)[number];

/** A rule in force. */
export interface ScopedRule {
  readonly scope: RuleScope;
  readonly rule: Rule;
  /** Of a session rule: the key of the principal that it belongs to. */
  readonly principal?: string;
  /** Of a workspace or repository rule: real path of the folder it is for. */
  readonly folder?: string;
  /** Why the rule cannot be understood; it asks for whatever it could match then, and never allows. */
  readonly invalid?: string;
}

/** Names a rule wherever one decided something. */
export interface RuleReference {
  readonly id: string;
  readonly scope: RuleScope;
}

/** What the policy of this window is made of. */
export interface Policy {
  mode(): Mode;
  /** The same array until a rule changes. */
  rules(): readonly ScopedRule[];
  /** Milliseconds since the epoch. */
  now(): number;
  /** A rule decided a call. */
  used(rule: RuleReference): void;
}

/** When a rule last decided something, and how often. */
export interface RuleUse {
  readonly hits: number;
  /** ISO 8601. */
  readonly last?: string;
}

export type NewRule = Omit<Rule, 'id'>;

/** Where a rule that a human makes is kept. */
export type NewRulePlace =
  | { readonly scope: 'session'; readonly principal: Principal; readonly client: ClientInfo | undefined }
  | { readonly scope: 'workspace'; readonly folder: string }
  | { readonly scope: 'user' };

/** The rules of this user and window. Only a human changes them, through our own views. */
export interface Rules {
  readonly all: readonly ScopedRule[];
  readonly onDidChange: Event<void>;
  use(id: string): RuleUse;
  /** @throws when the rule is not valid, or the file of the rules cannot be written */
  add(rule: NewRule, place: NewRulePlace): Promise<RuleReference>;
  /** What was removed, so that it can be put back. */
  remove(id: string): Promise<ScopedRule | undefined>;
  /** Puts a removed rule back as it was. */
  restore(rule: ScopedRule): Promise<void>;
}
