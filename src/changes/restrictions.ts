import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import type { ActionProposal, Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { shortened } from '#base/visibleText.ts';
import type { Approval, ApprovalFile, Restriction } from './approval.ts';

/** This many declines of one file within five minutes decline its changes automatically for ten (threat row A16). */
const [mostDeclines, declineWindow, declinedFor] = [3, 5 * 60_000, 10 * 60_000];
/** Fewer for an action: it is the same each time, while the text of a file differs. */
const mostDeclinesOfAction = 2;

interface ActiveRestriction extends Restriction {
  readonly principal: string;
  /** Identifies the file or action that is declined automatically. */
  readonly key?: string;
}

/** Paused assistants, and files and actions that the user declined repeatedly. In memory: a reload ends them. */
export interface Restrictions {
  readonly active: ReadonlyMap<string, ActiveRestriction>;
  /** The times of recent declines, in milliseconds since the epoch, by principal and file or action. */
  readonly declines: ReadonlyMap<string, readonly number[]>;
  /** The number of the next restriction. */
  readonly next: number;
}

export const noRestrictions: Restrictions = { active: new Map(), declines: new Map(), next: 1 };

/** A file, or an action by its definition. */
interface Declinable {
  readonly key: string;
  readonly shown: Pick<Restriction, 'path' | 'action'>;
  readonly mostDeclines: number;
}

/** The fields of an approval that name what was decided. */
type Decided = Pick<Approval, 'principal' | 'client' | 'action'> & {
  readonly files: readonly Pick<ApprovalFile, 'path' | 'realPath'>[];
};

/** Returns the restrictions as the views show them. */
export function shownRestrictions({ active }: Restrictions): readonly Restriction[] {
  return Array.from(active.values(), ({ principal: _principal, key: _key, ...shown }) => shown);
}

/**
 * Checks that a caller may propose this.
 * @throws ToolError `denied` when the caller is paused, or when one of the files, or the action, was declined repeatedly
 */
export function requireAdmitted({ active }: Restrictions, principal: Principal, proposal: Proposal): void {
  const caller = principalKey(principal);
  const wanted =
    proposal.kind === 'action' ? [keyOfAction(proposal)] : proposal.files.map(({ path }) => keyOfFile(path.realPath));
  for (const { principal: restricted, key, path, action, until } of active.values()) {
    if (restricted !== caller) continue;
    if (key === undefined) {
      throw new ToolError(
        'denied',
        'The user has paused you: you can read, but cannot change anything until the user resumes you.',
        'Tell the user what you wanted to change, and do not send changes again before the user resumes you.',
      );
    }
    if (!wanted.includes(key)) continue;
    const end = new Date(until ?? 0).toISOString();
    throw action === undefined
      ? new ToolError(
          'denied',
          `The user has declined changes of ${path ?? 'this file'} ${mostDeclines} times; until ${end} they are declined automatically.`,
          'Ask the user what they want instead; do not send another change of this file before.',
        )
      : new ToolError(
          'denied',
          `The user has declined this ${mostDeclinesOfAction} times (${shortened(action, 200)}); until ${end} it is declined automatically.`,
          'Ask the user what they want instead; do not ask for it again before, not even with other arguments.',
        );
  }
}

/**
 * Checks that a caller may ask the user for a read.
 * @throws ToolError `denied` when the caller is paused
 */
export function requireReadAdmitted(restrictions: Restrictions, principal: Principal): void {
  if (pauseOf(restrictions, principal) === undefined) return;
  throw new ToolError(
    'denied',
    'The user has paused you, so Drawbridge does not ask the user for this read until they resume you.',
    'Go on without it, and do not ask for it again before the user resumes you.',
  );
}

/** Returns the id of the restriction that pauses an assistant; undefined when it is not paused. */
export function pauseOf({ active }: Restrictions, principal: Principal): string | undefined {
  const key = principalKey(principal);
  return [...active.values()].find((each) => each.principal === key && each.kind === 'paused')?.id;
}

export function withPause(
  restrictions: Restrictions,
  principal: Principal,
  client: ClientInfo | undefined,
): Restrictions {
  if (pauseOf(restrictions, principal) !== undefined) return restrictions;
  return withRestriction(restrictions, { kind: 'paused', principal: principalKey(principal), client });
}

export function withoutRestriction(restrictions: Restrictions, id: string): Restrictions {
  if (!restrictions.active.has(id)) return restrictions;
  return { ...restrictions, active: new Map([...restrictions.active].filter(([each]) => each !== id)) };
}

/**
 * Counts a decline. Returns the restrictions afterwards and those that are new, with the time of their end in milliseconds since
 * the epoch.
 */
export function afterDecline(
  restrictions: Restrictions,
  { principal, client, ...declined }: Decided,
  now: number,
): { readonly restrictions: Restrictions; readonly started: readonly { id: string; until: number }[] } {
  const isRecent = (time: number): boolean => time > now - declineWindow;
  const declines = new Map([...restrictions.declines].filter(([, times]) => isRecent(times.at(-1) ?? 0)));
  let next: Restrictions = { ...restrictions, declines };
  const started: { id: string; until: number }[] = [];
  for (const { key, shown, mostDeclines: most } of declinables(declined)) {
    const declineKey = declineKeyOf(principal, key);
    const recent = [...(declines.get(declineKey) ?? []).filter(isRecent), now];
    declines.set(declineKey, recent);
    if (recent.length < most) continue;
    declines.delete(declineKey);
    const until = now + declinedFor;
    started.push({ id: idOf(next), until });
    const kind = 'declined_repeatedly';
    next = withRestriction(next, { kind, principal: principalKey(principal), client, ...shown, key, until });
  }
  return { restrictions: next, started };
}

/** Forgets the declines of what the user has now approved. */
export function afterApproval(restrictions: Restrictions, { principal, ...approved }: Decided): Restrictions {
  const keys = new Set(declinables(approved).map(({ key }) => declineKeyOf(principal, key)));
  return { ...restrictions, declines: new Map([...restrictions.declines].filter(([key]) => !keys.has(key))) };
}

function withRestriction(restrictions: Restrictions, facts: Omit<ActiveRestriction, 'id'>): Restrictions {
  const id = idOf(restrictions);
  const active = new Map(restrictions.active).set(id, { id, ...facts });
  return { ...restrictions, active, next: restrictions.next + 1 };
}

function idOf({ next }: Restrictions): string {
  return `r-${next}`;
}

function declinables({ files, action }: Pick<Decided, 'files' | 'action'>): readonly Declinable[] {
  if (action !== undefined) {
    const shown = { action: action.command?.text ?? action.definition };
    return [{ key: keyOfAction(action), shown, mostDeclines: mostDeclinesOfAction }];
  }
  return files.map(({ path, realPath }) => ({ key: keyOfFile(realPath), shown: { path }, mostDeclines }));
}

function keyOfFile(realPath: string): string {
  return JSON.stringify(['file', realPath]);
}

/** One command line of an assistant's shell says nothing about another one. */
function keyOfAction({ definition, command }: Pick<ActionProposal, 'definition' | 'command'>): string {
  return JSON.stringify(command === undefined ? ['action', definition] : ['command', command.text]);
}

function declineKeyOf(principal: Principal, key: string): string {
  return JSON.stringify([principalKey(principal), key]);
}
