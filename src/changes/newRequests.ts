import { randomBytes } from 'node:crypto';
import { canonicalJson } from '#base/canonicalJson.ts';
import type { Clock } from '#base/clock.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { textsOf, type ActionProposal, type Proposal, type QuestionProposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Problems } from '#language/problems.ts';
import type { Approval } from './approval.ts';
import type { ApprovalRequest } from './approver.ts';
import {
  changesFiles,
  filesOf,
  isOpen,
  judgedFacts,
  newEntry,
  problemsBefore,
  type Entry,
  type Proposed,
} from './requests.ts';
import { overlap } from './overlap.ts';
import { asProposed } from './selection.ts';
import type { ApprovalStore } from './records.ts';

export interface AskingLimits {
  /** A card that nobody decides ends after this. */
  readonly expiryMilliseconds: number;
  /** Cards of one assistant that come this close together make a group. */
  readonly groupMilliseconds: number;
  /** Cards that may wait at a time, of one principal and in all (threat row A16). */
  readonly pendingOfPrincipal: number;
  readonly pending: number;
  /** UTF-16 units of all texts of one proposal, before and after: what no human reads, and every look at it pays for. */
  readonly textLength: number;
  /** UTF-16 units of an action's arguments, or of a question. */
  readonly requestLength: number;
}

export interface AskingDependencies {
  readonly clock: Clock;
  readonly problems: Problems;
}

/** How an approval begins: as a card that waits, or applying at once. */
export interface Beginning
  extends Pick<Entry, 'reviewed' | 'proposedHash' | 'repeatable'>, Pick<Approval, 'callReturned'> {
  readonly state: 'waiting' | 'applying';
}

/** Makes approvals out of what assistants propose: which cards there may be, and which belong together. */
export class Asking {
  readonly #store: ApprovalStore;
  readonly #dependencies: AskingDependencies;
  readonly #limits: AskingLimits;
  readonly #openedGroups = new Set<string>();

  constructor(store: ApprovalStore, dependencies: AskingDependencies, limits: AskingLimits) {
    this.#store = store;
    this.#dependencies = dependencies;
    this.#limits = limits;
  }

  /** @throws ToolError `too_large` when no human could read it */
  requireReadable(proposal: Proposal): void {
    if (proposal.kind !== 'changes') {
      this.#requireShort(proposal);
      return;
    }
    const { files } = proposal;
    const length = files.reduce((sum, change) => {
      const texts = textsOf(change);
      return texts === undefined ? sum : sum + texts.base.length + texts.result.length;
    }, 0);
    if (length <= this.#limits.textLength) return;
    throw new ToolError(
      'too_large',
      `These ${files.length} files are too much text for one change; it was not shown to the user.`,
      'Send it in several calls with fewer files each.',
    );
  }

  #requireShort(proposal: ActionProposal | QuestionProposal): void {
    const texts =
      proposal.kind === 'action'
        ? [proposal.title, proposal.definition, canonicalJson(proposal.arguments), ...proposal.remarks]
        : [proposal.question, ...proposal.choices];
    if (texts.reduce((sum, { length }) => sum + length, 0) <= this.#limits.requestLength) return;
    throw new ToolError(
      'too_large',
      `This is too much for the user to read in one ${proposal.kind}; it was not shown to them.`,
      'Send less in one call.',
    );
  }

  /**
   * @param leaving how many cards of the same caller it takes the place of
   * @throws ToolError `too_many_pending`
   */
  requireRoom(principal: Principal, leaving: number): void {
    const waiting = this.#store.entries.filter(({ approval }) => isOpen(approval));
    const key = principalKey(principal);
    const own = waiting.filter(({ approval }) => principalKey(approval.principal) === key).length - leaving;
    const { pending, pendingOfPrincipal } = this.#limits;
    if (own < pendingOfPrincipal && waiting.length - leaving < pending) return;
    throw new ToolError(
      'too_many_pending',
      `${own} of your changes wait for the user already; this one was not shown to them.`,
      'Wait for the decisions with get_approval before you send more, and put related edits into one call.',
    );
  }

  /** An assistant that sends the same again gets the card that is there. */
  joinable({ principal, tool }: Pick<Proposed, 'principal' | 'tool'>, hash: string): Entry | undefined {
    return this.#store
      .openOf(principal)
      .find(({ approval, proposedHash }) => approval.tool === tool && proposedHash === hash);
  }

  /** The cards of the same caller that want something else of the same lines, or that it names. */
  replacedBy(
    { principal, replaces }: Pick<ApprovalRequest, 'principal' | 'replaces'>,
    reviewed: Entry['reviewed'],
  ): readonly Entry[] {
    const waiting = this.#store.openOf(principal).filter(({ approval }) => approval.state === 'waiting');
    return waiting.filter((entry) => entry.approval.id === replaces || overlap(entry.reviewed, reviewed));
  }

  /** A new approval; its record and the texts before it are on their way to the disk. */
  add(proposed: Proposed, { state, reviewed, proposedHash, repeatable, callReturned }: Beginning): Entry {
    const { clock, problems } = this.#dependencies;
    const { tool, principal, client, reason, proposal, judgement } = proposed;
    const choices = reviewed.map(() => asProposed);
    const now = clock.now();
    const approval: Approval = {
      id: `a-${randomBytes(12).toString('hex')}`,
      state,
      tool,
      arguments: proposed.arguments,
      principal,
      client,
      ...(proposed.roots && { roots: proposed.roots }),
      reason,
      ...judgedFacts(judgement),
      files: filesOf({ reviewed, choices }),
      ...requested(proposal),
      indivisible: proposal.kind === 'changes' && proposal.indivisible === true,
      groupId: this.#groupFor(proposal, principal, now),
      proposalHash: proposedHash,
      revision: 0,
      requestedAt: now,
      expiresAt: now + this.#limits.expiryMilliseconds,
      ...(state === 'applying' && { decidedAt: now }),
      callReturned,
      moved: false,
      ...(proposal.kind === 'changes' && proposal.reverts !== undefined && { reverts: proposal.reverts }),
      canUndo: false,
      canRedo: false,
      canRebase: false,
    };
    const places = proposal.kind === 'action' && { places: proposal.places.map(({ uri }) => uri) };
    const entry = newEntry(approval, { proposal, choices, reviewed, proposedHash, repeatable, ...places });
    entry.problems = problemsBefore(problems, proposal);
    this.#store.write(entry, true);
    this.#store.add(entry);
    return entry;
  }

  /** The group's cards are on screen: nothing joins it any more. */
  groupOpened(groupId: string): void {
    const waiting = new Set(
      this.#store.entries.flatMap(({ approval }) => (isOpen(approval) ? [approval.groupId] : [])),
    );
    for (const opened of this.#openedGroups) if (!waiting.has(opened)) this.#openedGroups.delete(opened);
    if (waiting.has(groupId)) this.#openedGroups.add(groupId);
  }

  /** Changes alone are decided together. */
  #groupFor({ kind }: Proposal, principal: Principal, now: number): string {
    const latest =
      kind !== 'changes'
        ? undefined
        : this.#store
            .openOf(principal)
            .filter(({ approval }) => approval.state === 'waiting' && !this.#openedGroups.has(approval.groupId))
            .filter(({ approval }) => changesFiles(approval))
            .at(-1)?.approval;
    const isTogether = latest !== undefined && now - latest.requestedAt <= this.#limits.groupMilliseconds;
    return isTogether ? latest.groupId : `g-${randomBytes(8).toString('hex')}`;
  }
}

/** What the views draw of a proposal that changes no file. */
function requested(proposal: Proposal): Pick<Approval, 'action' | 'question'> {
  if (proposal.kind === 'action') {
    const { title, definition, remarks, places } = proposal;
    return {
      action: { title, definition, arguments: proposal.arguments, remarks, paths: places.map(({ path }) => path) },
    };
  }
  if (proposal.kind === 'question') {
    const { question, choices, allowsText } = proposal;
    return { question: { text: question, choices, allowsText } };
  }
  return {};
}
