import type { Event } from '#base/event.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { OpenedOnce } from './openedOnce.ts';

export const modes = ['manual', 'acceptEdits', 'readOnly', 'unattended'] as const;
/**
 * The mode of a window: how much assistants may do without asking (docs/security.md, "Modes"). `acceptEdits` and `unattended` end
 * on reload, on a change of trust and after four hours.
 */
export type Mode = (typeof modes)[number];

export type RuleEffect = 'deny' | 'ask' | 'allow';

/** The classes that a rule can match; `config` is every change of a protected path. */
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
  /** The key of one action with its arguments (`actionKey`). No `allow` rule matches class `execute` without it. */
  readonly action?: string;
  /**
   * The words of a command of an assistant's own shell, such as `["npm", "test"]`. With `*` as its last word, it matches every command
   * that begins with the other words.
   */
  readonly command?: readonly string[];
  /** Limits of one call; a larger call does not match. Only for `allow`. */
  readonly limits?: { readonly maxFiles?: number; readonly maxChangedLines?: number };
  /** `any`, or the name of an access token. Absent means any. */
  readonly client?: string;
  /** ISO 8601. */
  readonly expires?: string;
  readonly origin?: RuleOrigin;
  readonly note?: string;
}

/** The glob of a rule for every file of a workspace folder. */
export const everyFile = './**';

export const ruleScopes = ['session', 'workspace', 'user', 'repository', 'managed'] as const;
/** The scope of a rule; `repository` and `managed` rules can only make things stricter. */
export type RuleScope = (typeof ruleScopes)[number];

/** A rule in force. */
export interface ScopedRule {
  readonly scope: RuleScope;
  readonly rule: Rule;
  /** For a session rule: the key of the principal that it belongs to. */
  readonly principal?: string;
  /** For a workspace or repository rule: real path of its folder. */
  readonly folder?: string;
  /** Why the rule is not valid; such a rule asks for everything that it could match, and never allows. */
  readonly invalid?: string;
}

/** Identifies the rule that decided something. */
export interface RuleReference {
  readonly id: string;
  readonly scope: RuleScope;
}

/** The rules, the mode and the clock that the policy of this window decides by. */
export interface Policy {
  mode(): Mode;
  /** The same array until a rule changes. */
  rules(): readonly ScopedRule[];
  /** Milliseconds since the epoch. */
  now(): number;
  /** Records that a rule decided a call. */
  used(rule: RuleReference): void;
  /** The secret files that the user opened for one read. */
  readonly openedOnce: OpenedOnce;
}

/** When a rule last decided something, and how often. */
export interface RuleUse {
  readonly hits: number;
  /** ISO 8601. */
  readonly last?: string;
}

export type NewRule = Omit<Rule, 'id'>;

/** The place where a rule of the user is kept. */
export type NewRulePlace =
  | {
      readonly scope: 'session';
      readonly principal: Principal;
      readonly client: ClientInfo | undefined;
      /** The id of the turn of the assistant with which the rule ends; absent for a rule of the whole session. */
      readonly turn?: string | undefined;
    }
  | { readonly scope: 'workspace'; readonly folder: string }
  | { readonly scope: 'user' };

/** The rules of this user and window. Only the user changes them, through the views of this extension. */
export interface Rules {
  readonly all: readonly ScopedRule[];
  readonly onDidChange: Event<void>;
  use(id: string): RuleUse;
  /** @throws when the rule is not valid, or the file of the rules cannot be written */
  add(rule: NewRule, place: NewRulePlace): Promise<RuleReference>;
  /** Removes a rule and returns it, so that it can be restored. */
  remove(id: string): Promise<ScopedRule | undefined>;
  /** Restores a removed rule as it was. */
  restore(rule: ScopedRule): Promise<void>;
}
