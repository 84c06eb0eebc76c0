/** The steps of a decision that only command lines of assistants' own shells have. */
import type { ProposedCommand } from '#base/proposal.ts';
import { restricts } from './matching.ts';
import { byRule, matchingRules, type RuleSituation } from './ruleSteps.ts';
import type { Mode, RuleEffect, RuleReference } from './rules.ts';
import type { Subject } from './subject.ts';

interface Step {
  readonly effect: RuleEffect;
  readonly reason: string;
  readonly rule?: RuleReference;
}

/** Asks about a command that is known only when it runs, where a rule denies commands by name or asks about them. */
export function askOfUnknown({ parts }: ProposedCommand, { policy }: RuleSituation): Step | undefined {
  if (parts.every(({ words }) => words !== undefined)) return undefined;
  const names = policy.rules().some((each) => restricts(each) && each.rule.command !== undefined);
  return names ? { effect: 'ask', reason: 'rules name commands, and this one is known only when it runs' } : undefined;
}

/** Returns the allow rule of the first command that needs one, when each command that does not only read is allowed by a rule. */
export function allowOfEach(subject: Subject, command: ProposedCommand, situation: RuleSituation): Step | undefined {
  const asked = command.parts.filter((part) => part.class !== 'reads');
  const allowed = asked.map((part) => {
    const rules = matchingRules({ ...subject, command: { ...command, parts: [part] } }, situation);
    return byRule(rules, 'allow', ['session', 'workspace', 'user']);
  });
  return allowed.every((step) => step !== undefined) ? allowed[0] : undefined;
}

/** Decides by the class of a command line when no rule did. The mode allows no command that writes. */
export function commandDefault(
  command: ProposedCommand,
  mode: Mode,
): { readonly effect: 'allow' | 'ask' | 'deny'; readonly reason: string } {
  if (command.class === 'reads') return { effect: 'allow', reason: 'the command only reads' };
  if (mode === 'readOnly') return { effect: 'deny', reason: 'the command may change files' };
  if (command.class === 'writes') return { effect: 'ask', reason: 'the command changes files' };
  if (command.asks !== undefined) return { effect: 'ask', reason: command.asks };
  return { effect: 'allow', reason: 'the command runs a program, and what it changes is listed afterwards' };
}
