import type { Mode, RuleReference } from './rules.ts';

/** The worst effect of a proposal; it decides how carefully the user is asked. */
export type ProposalRisk = 'edit' | 'delete' | 'execute' | 'ui';

/** One step of a decision. Steps are listed in the order in which they were tried; the last one decided. */
export interface DecisionStep {
  /** A stable name, for example `deny_rule` or `mode`. */
  readonly step: string;
  /** Short, for people. */
  readonly detail: string;
  readonly rule?: RuleReference;
}

/** The decision of the policy on a proposal that is not denied. */
export interface Judgement {
  /** `allow`: the proposal is applied without asking. */
  readonly effect: 'ask' | 'allow';
  /** The reason for the effect, in a few words. */
  readonly reason: string;
  readonly risk: ProposalRisk;
  /** The pattern that protects each file of the proposal. */
  readonly protectedBy: readonly (string | undefined)[];
  /** True when the answer counts for this change only, so that no rule can be made of it. */
  readonly onceOnly: boolean;
  /** The number of files that the user types to delete them: more than 20, or several that no commit holds. */
  readonly confirmCount?: number;
  readonly mode: Mode;
  /** The rule that decided. */
  readonly rule?: RuleReference;
  /** A rule of the user that would allow this edit of an assistant's own tool if the rule named such tools. */
  readonly unusedRule?: RuleReference;
  readonly explain: readonly DecisionStep[];
}
