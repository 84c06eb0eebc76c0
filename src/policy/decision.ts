import type { Mode, RuleReference } from './rules.ts';

/** What a proposal does at worst; decides how carefully the human is asked. */
export type ProposalRisk = 'edit' | 'delete' | 'execute' | 'ui';

/** One step of the way to a decision, in the order in which they were tried; the last one decided. */
export interface DecisionStep {
  /** A stable name, for example `deny_rule` or `mode`. */
  readonly step: string;
  /** Short, for people. */
  readonly detail: string;
  readonly rule?: RuleReference;
}

/** What the policy said of a proposal that may happen. */
export interface Judgement {
  /** `allow`: applied without asking. */
  readonly effect: 'ask' | 'allow';
  /** Why, in a few words. */
  readonly reason: string;
  readonly risk: ProposalRisk;
  /** Per file of the proposal, the pattern that protects it. */
  readonly protectedBy: readonly (string | undefined)[];
  /** The answer counts for this change alone: no rule can be made of it. */
  readonly onceOnly: boolean;
  /** The human types this number of files to delete them: more than 20, or several that no commit holds. */
  readonly confirmCount?: number;
  readonly mode: Mode;
  /** The rule that decided. */
  readonly rule?: RuleReference;
  readonly explain: readonly DecisionStep[];
}
