import { isNativeTool } from '#base/nativeEdit.ts';
import type { Proposal } from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import type { AddressedPath } from './changedPaths.ts';
import { allowOfEach, askOfUnknown, commandDefault } from './commandSteps.ts';
import type { DecisionStep, Judgement } from './decision.ts';
import type { Caller } from './matching.ts';
import type { PathRules } from './protectedPaths.ts';
import { type Refusal, refuseAlways, refuseFolder, refuseHeld, refuseSecret, refuseUntrusted } from './refusals.ts';
import { byRule, matchingRules } from './ruleSteps.ts';
import type { Mode, Policy, RuleEffect, RuleReference } from './rules.ts';
import { type Subject, subjectOfCall, subjectOfProposal } from './subject.ts';

/** The names of the modes in the UI. */
export const modeNames: Readonly<Record<Mode, string>> = {
  manual: 'Manual',
  acceptEdits: 'Accept edits',
  readOnly: 'Read-only',
  unattended: 'Unattended',
};

/** The facts that the policy decides by, read anew for each decision (threat row P18). */
export interface Situation {
  readonly workspace: Pick<Workspace, 'folders' | 'isTrusted' | 'isHeld'>;
  readonly pathRules: PathRules;
  readonly policy: Policy;
  readonly caller: Caller;
}

export interface JudgedCall extends Situation {
  readonly risk: Risk;
  /** The tool works in a workspace that its user has not trusted. */
  readonly worksUntrusted: boolean;
  /** The tool neither reads nor shows secrets, so the user is asked about them. */
  readonly isUnseen?: boolean | undefined;
  readonly paths: readonly AddressedPath[];
  /** The user opened the secret file of this read by hand (threat row A36). */
  readonly isOpened?: boolean;
}

/** Returns why a change exceeds the budget of unasked changes, as a sentence; undefined within it (threat row A16). */
export type Budget = (change: Amount) => string | undefined;

export interface JudgedProposal extends Situation {
  readonly tool: { readonly risk: Risk; readonly worksUntrusted?: boolean; readonly isUnseen?: boolean };
  readonly proposal: Proposal;
  /** Absent when the decision applies nothing. */
  readonly budget?: Budget;
}

interface Verdict {
  /** Short, for the card and the log. */
  readonly reason: string;
  /** The step that decided. */
  readonly step: string;
  readonly rule?: RuleReference;
  readonly mode: Mode;
  readonly trusted: boolean;
  /** Every step that was taken; the last one decided. */
  readonly explain: readonly DecisionStep[];
  /** The pattern that protects each path, or each change. */
  readonly protectedBy: readonly (string | undefined)[];
}

/** A decision; a denial carries the fields of a `ToolError`. */
export type Decision =
  | (Verdict & { readonly effect: 'allow' | 'ask' })
  | (Verdict & Pick<Refusal, 'code' | 'message' | 'hint'> & { readonly effect: 'deny' });

/** Decides on a tool call by its arguments. */
export function decide(call: JudgedCall): Decision {
  const subject = subjectOfCall(call.risk, call.paths, call.pathRules);
  return walk(subject, call, {
    worksUntrusted: call.worksUntrusted,
    isUnseen: call.isUnseen === true,
    isOpened: call.isOpened === true && call.risk === 'read',
    isWhole: false,
  });
}

/** How much a proposal would change. */
export type Amount = Pick<Subject, 'files' | 'changedLines' | 'deletedFiles'>;

/** A decision about a proposal, with what the proposal does at worst and how much it would change. */
export type ProposalDecision = Decision &
  Pick<Judgement, 'risk' | 'onceOnly' | 'confirmCount' | 'unusedRule'> & { readonly amount: Amount };

/** Decides on a proposal by every place that it would change. */
export function decideProposal(judged: JudgedProposal): ProposalDecision {
  const { tool, proposal, pathRules, budget } = judged;
  const subject = subjectOfProposal(proposal, tool.risk, pathRules);
  const decision = walk(subject, judged, {
    worksUntrusted: tool.worksUntrusted === true || proposal.kind === 'question',
    isUnseen: tool.isUnseen === true,
    isWhole: true,
    ...(budget && { budget }),
  });
  return {
    ...decision,
    risk: subject.worst,
    // A refusal must not name what a folder holds, so the subject itself does not leave this function.
    amount: {
      files: subject.files,
      deletedFiles: subject.deletedFiles,
      get changedLines() {
        return subject.changedLines;
      },
    },
    onceOnly: subject.onceOnly !== undefined || tool.isUnseen === true,
    ...(subject.confirmCount !== undefined && { confirmCount: subject.confirmCount }),
    ...unusedRule(decision, subject, judged),
  };
}

/** Returns the rule that would have allowed an assistant's own edit if the change came from a tool of Drawbridge. */
function unusedRule({ step }: Decision, subject: Subject, situation: Situation): Pick<Judgement, 'unusedRule'> {
  const { caller } = situation;
  if (step !== 'default' || !isNativeTool(caller.tool)) return {};
  const rules = matchingRules(subject, { ...situation, caller: { ...caller, tool: '' } });
  const rule = byRule(rules, 'allow', ['session', 'workspace', 'user'])?.rule;
  return rule === undefined ? {} : { unusedRule: rule };
}

/** Returns the part of a decision that the approval card shows to the user. */
export function judgementOf({ effect, reason, risk, protectedBy, onceOnly, ...rest }: ProposalDecision): Judgement {
  const { confirmCount, mode, rule, unusedRule: unused, explain } = rest;
  return {
    effect: effect === 'allow' ? 'allow' : 'ask',
    reason,
    risk,
    protectedBy,
    onceOnly,
    ...(confirmCount !== undefined && { confirmCount }),
    mode,
    ...(rule && { rule }),
    ...(unused && { unusedRule: unused }),
    explain,
  };
}

interface Found {
  readonly effect: RuleEffect;
  readonly reason: string;
  readonly rule?: RuleReference;
  /** Present when a built-in check denies, not a rule. */
  readonly refusal?: Refusal;
}

interface Step {
  readonly step: string;
  readonly find: () => Found | undefined;
  /** Why it decides nothing, when it does not simply not apply. */
  readonly passes?: string;
}

interface WalkOptions {
  readonly worksUntrusted: boolean;
  /** The change cannot be shown, so the user is always asked, about secrets too. */
  readonly isUnseen: boolean;
  /** Secrets are open: the user opened the file for this read. */
  readonly isOpened?: boolean;
  /** True for a proposal, which names every change; false for a call, of which only the arguments are known. */
  readonly isWhole: boolean;
  readonly budget?: Budget;
}

/**
 * Takes the steps in their order, and the first one that applies decides (docs/security.md, "How a call is decided"). A more specific
 * rule of a later step changes nothing.
 */
function walk(subject: Subject, situation: Situation, options: WalkOptions): Decision {
  const { worksUntrusted, isUnseen, isOpened = false, isWhole, budget } = options;
  const { policy, workspace } = situation;
  const mode = policy.mode();
  const trusted = workspace.isTrusted();
  const isChange = subject.risk !== 'read' && subject.risk !== 'ui';
  const { command } = subject;
  const onceOnly = subject.onceOnly ?? (isUnseen ? 'a change that cannot be shown' : undefined);
  const rules = matchingRules(subject, situation);
  const steps: readonly Step[] = [
    { step: 'hard_deny', find: () => refused(firstRefusal(subject, situation)) },
    { step: 'managed_deny', find: () => byRule(rules, 'deny', ['managed']) },
    { step: 'deny_rule', find: () => byRule(rules, 'deny') },
    { step: 'trust', find: () => (trusted || worksUntrusted ? undefined : refused(untrusted(subject, situation))) },
    { step: 'mode', find: () => (mode === 'readOnly' && isChange ? refused(refuseReadOnly) : undefined) },
    {
      step: 'secret',
      find: () =>
        isOpened
          ? undefined
          : secretStep(
              closedSecret(subject, situation, trusted && mode === 'manual'),
              isUnseen || command !== undefined,
            ),
      ...(isOpened && { passes: 'you opened the file for one read' }),
    },
    { step: 'managed_ask', find: () => byRule(rules, 'ask', ['managed']) },
    { step: 'once_only', find: () => (onceOnly === undefined ? undefined : asked(onceOnly)) },
    { step: 'ask_rule', find: () => byRule(rules, 'ask') },
    { step: 'unknown_command', find: () => command && askOfUnknown(command, situation) },
    {
      step: 'allow_rule',
      find: () =>
        command === undefined
          ? byRule(rules, 'allow', ['session', 'workspace', 'user'])
          : allowOfEach(subject, command, situation),
    },
    {
      step: 'default',
      find: () => (command === undefined ? modeDefault(mode, subject) : commandDefault(command, mode)),
    },
  ];
  const explain: DecisionStep[] = [];
  let found: Found = { effect: 'deny', reason: 'nothing decided' };
  let decidedBy = 'none';
  const take = (step: string, next: Found): void => {
    explain.push({ step, detail: `${next.effect}: ${next.reason}`, ...(next.rule && { rule: next.rule }) });
    [found, decidedBy] = [next, step];
  };
  for (const { step, find, passes = 'does not apply' } of steps) {
    const next = find();
    if (next !== undefined) {
      take(step, next);
      break;
    }
    explain.push({ step, detail: passes });
  }
  const spent = found.effect === 'allow' && isChange ? budget?.(subject) : undefined;
  if (spent !== undefined) take('limit', asked(spent));
  // Only the proposal tells whether a delete is recoverable, and whether a rule allows the action.
  const isOpen = !isWhole && (subject.risk === 'delete' || subject.risk === 'execute') && decidedBy === 'default';
  if (found.effect === 'ask' && mode === 'unattended' && !isOpen) take('unattended', denied(refuseUnasked(found)));
  return decisionOf(found, {
    step: decidedBy,
    mode,
    trusted,
    explain,
    protectedBy: subject.protectedBy,
  });
}

function decisionOf(found: Found, facts: Omit<Verdict, 'reason' | 'rule'>): Decision {
  const { effect, reason, rule, refusal } = found;
  const verdict = { ...facts, reason, ...(rule && { rule }) };
  if (effect !== 'deny') return { ...verdict, effect };
  const { code, message, hint } = refusal ?? refuseByRule(rule);
  return { ...verdict, effect, code, message, hint };
}

function firstRefusal(subject: Subject, situation: Situation): Refusal | undefined {
  for (const place of subject.places) {
    const refusal = refuseAlways(place, situation) ?? refuseDeletion(subject, place, situation);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Returns why a call does not work without trust. While edits are held back, the workspace is trusted, and reads work. */
function untrusted({ risk }: Subject, { workspace }: Situation): Refusal | undefined {
  if (!workspace.isHeld()) return refuseUntrusted;
  return risk === 'read' ? undefined : refuseHeld;
}

function refuseDeletion({ risk }: Subject, place: AddressedPath, situation: Situation): Refusal | undefined {
  return risk === 'delete' ? refuseFolder(place, situation) : undefined;
}

/** Refuses a secret unless an ask rule of the user names its path. A rule of a repository opens no secret. */
function closedSecret(subject: Subject, situation: Situation, mayOpen: boolean): Refusal | undefined {
  for (const place of subject.places) {
    const refusal = refuseSecret(place);
    if (refusal === undefined) continue;
    const targets = subject.targets.filter((target) => target.place === place);
    const rules = mayOpen ? matchingRules({ ...subject, targets }, situation) : [];
    const opens = rules.some(
      ({ rule, scope, invalid }) =>
        rule.effect === 'ask' &&
        invalid === undefined &&
        rule.paths?.some((path) => !path.startsWith('!')) === true &&
        (scope === 'user' || scope === 'workspace'),
    );
    if (!opens) return refusal;
  }
  return undefined;
}

function secretStep(refusal: Refusal | undefined, asks: boolean): Found | undefined {
  return refusal !== undefined && asks ? asked(refusal.reason) : refused(refusal);
}

function refused(refusal: Refusal | undefined): Found | undefined {
  return refusal && denied(refusal);
}

function denied(refusal: Refusal): Found {
  return { effect: 'deny', reason: refusal.reason, refusal };
}

function asked(reason: string): Found {
  return { effect: 'ask', reason };
}

const refuseReadOnly: Refusal = {
  code: 'denied',
  reason: `${modeNames.readOnly} mode`,
  message: 'The user has set this window to Read-only: you can read, but cannot change anything.',
  hint: 'Tell the user what you would change; do not send changes again before they leave Read-only mode.',
};

/** Denies what would ask in Unattended mode. The message hides from the model why a rule is not valid. */
function refuseUnasked({ reason, rule }: Found): Refusal {
  const why = rule === undefined ? reason : `ask rule ${rule.id}`;
  return {
    code: 'denied',
    reason: `${modeNames.unattended} mode does not ask the user; ${reason}`,
    message: `This needs the approval of the user (${why}), and in Unattended mode the user is not asked.`,
    hint: 'Go on without it, and tell the user at the end what is left to do.',
  };
}

function refuseByRule(rule: RuleReference | undefined): Refusal {
  const place =
    rule?.scope === 'managed'
      ? 'of the organisation'
      : rule?.scope === 'repository'
        ? 'of this repository'
        : 'of the user';
  return {
    code: 'denied',
    reason: 'a rule',
    message: `A rule ${place} (${rule?.id ?? 'unknown'}) denies this.`,
    hint: 'Do not try it in another way; go on without it, or ask the user.',
  };
}

interface Default {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly reason: string;
}

/** Decides by mode and risk when no rule did (docs/security.md, "Modes"). It never allows a change that is answered once only. */
export function modeDefault(mode: Mode, subject: Subject): Default {
  const { risk } = subject;
  if (risk === 'read' || risk === 'ui') return { effect: 'allow', reason: `default for ${risk} inside the workspace` };
  const reason = modeReason(risk, mode);
  if (mode === 'readOnly') return { effect: 'deny', reason };
  const pattern = subject.protectedBy.find((each) => each !== undefined);
  if (pattern !== undefined) return { effect: 'ask', reason: `protected path ${pattern}` };
  if (mode === 'manual' || subject.onceOnly !== undefined) return { effect: 'ask', reason };
  if (risk === 'edit') return { effect: 'allow', reason };
  const isRecoverable = risk === 'delete' && subject.deletedFiles > 0 && onlyDeletes(subject);
  return { effect: mode === 'unattended' && isRecoverable ? 'allow' : 'ask', reason };
}

/** Returns the reason of a decision that the mode made, in a few words. */
export function modeReason(risk: Risk, mode: Mode): string {
  return `default for ${risk} in ${modeNames[mode]} mode`;
}

/** Returns true when a proposal only deletes files that a commit holds; for moves and emptied files this is unknown. */
function onlyDeletes({ targets, recoverable }: Subject): boolean {
  return recoverable && targets.every(({ class: kind }) => kind === 'delete');
}
