import type { Files } from '#base/files.ts';
import { messageOf } from '#base/messageOf.ts';
import type { Principal } from '#base/principal.ts';
import type { ChangesProposal, Proposal } from '#base/proposal.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Judgement } from '#policy/decision.ts';
import type { RebaseResult } from './approval.ts';
import type { Edits } from './edits.ts';
import type { History } from './history.ts';
import type { Resolve } from './keep.ts';
import { loadProposal } from './keep.ts';
import { proposalHash } from './proposalHash.ts';
import { rebaseProposal, type Rebased } from './rebase.ts';
import { isAsProposed, isSettled, type ChangeRequest, type Proposed, type UserRequest } from './requests.ts';
import type { ApprovalMachine } from './runner.ts';
import { reviewedChanges, type Choice } from './selection.ts';

export interface FileChecksDependencies {
  readonly edits: Edits;
  readonly files: Pick<Files, 'readText' | 'readTree' | 'canEncode'>;
  readonly history: History;
  /** Returns the proposal of the same tool call for the files as they are now; undefined when it has none, or the policy refuses it. */
  readonly repropose: (
    call: Pick<Proposed, 'tool' | 'arguments' | 'principal' | 'client' | 'roots'>,
  ) => Promise<Pick<Proposed, 'proposal' | 'judgement'> | undefined>;
  /**
   * Returns the decision of the policy on a change that no tool call has just proposed.
   * @throws ToolError when the policy refuses it
   */
  readonly judge: (tool: string, proposal: Proposal, principal: Principal) => Judgement;
  /** Returns the names in a folder, given as an absolute path; none when it cannot be listed. */
  readonly namesIn: (folder: string) => readonly string[];
  /** For undo and rebase, which may come after a reload. */
  readonly resolve: Resolve;
}

/** Checks whether waiting changes still fit their files, and makes them again for the files as they are now (failure row F5). */
export class FileChecks {
  readonly #machine: ApprovalMachine;
  readonly #dependencies: FileChecksDependencies;
  /** Ids of approvals that are being checked, and whether their files have changed since that check began. */
  readonly #checking = new Map<string, boolean>();

  constructor(machine: ApprovalMachine, dependencies: FileChecksDependencies) {
    this.#machine = machine;
    this.#dependencies = dependencies;
  }

  /** Checks one approval at a time. Changes of its files during a check lead to one more check. */
  async check(id: string): Promise<void> {
    const isChecking = this.#checking.has(id);
    this.#checking.set(id, isChecking);
    if (isChecking) return;
    try {
      do {
        this.#checking.set(id, false);
        await this.#checkOnce(id);
      } while (this.#checking.get(id) === true);
    } finally {
      this.#checking.delete(id);
    }
  }

  async #checkOnce(id: string): Promise<void> {
    const request = this.#settledRequest(id);
    const { proposal } = request ?? {};
    if (request === undefined || proposal === undefined) return;
    // A file that cannot be read now is checked again when the user approves.
    const stale = await this.#dependencies.edits.findStale(proposal.files).catch(() => undefined);
    const now = this.#settledRequest(id);
    if (stale === undefined || now?.proposal !== proposal) return;
    const isRecomputable = now.meetsAppliedChange && now.repeatable && isAsProposed(now);
    if (isRecomputable && (await this.#recompute(now, proposal))) return;
    const reason = changeSince(now, stale.path, this.#machine.state.requests.values()) ?? stale.reason;
    this.#machine.send({ type: 'becameStale', id, proposal, note: `${stale.path}: ${reason}` });
  }

  #settledRequest(id: string): ChangeRequest | undefined {
    const request = this.#machine.state.requests.get(id);
    return request?.kind === 'changes' && isSettled(this.#machine.state, request) ? request : undefined;
  }

  /** Calls the tool again, for the files as they are now. Returns whether the approval is for them now. */
  async #recompute({ approval }: ChangeRequest, before: ChangesProposal): Promise<boolean> {
    const { id, tool, arguments: args, principal, client, roots } = approval;
    const again = await this.#dependencies
      .repropose({ tool, arguments: args, principal, client, ...(roots && { roots }) })
      .catch(() => undefined);
    if (again?.proposal.kind !== 'changes') return false;
    const { proposal, judgement } = again;
    this.#machine.send({
      type: 'recomputed',
      id,
      before,
      proposal,
      proposedHash: proposalHash(tool, proposal),
      reviewed: reviewedChanges(proposal, judgement.protectedBy, this.#dependencies.namesIn),
      judgement,
    });
    return this.#machine.state.requests.get(id)?.proposal === proposal;
  }

  /** Reports when a stale change, as the user had left it, can be made to the files as they are now. */
  async findRebase(id: string, proposal: ChangesProposal, choices: readonly Choice[]): Promise<void> {
    const request = this.#machine.state.requests.get(id);
    if (request === undefined) return;
    const { tool, principal } = request.approval;
    const rebased = await this.#rebase(tool, principal, proposal, choices).catch(() => undefined);
    if (rebased !== undefined) this.#machine.send({ type: 'rebaseFound', id });
  }

  /** Proposes a stale change again for the files as they are now. */
  async rebase(id: string): Promise<RebaseResult> {
    const request = this.#machine.state.requests.get(id);
    if (request?.approval.state !== 'stale' || request.approval.replacedBy !== undefined) {
      return { status: 'not_possible' };
    }
    const { tool, arguments: args, principal, client, reason } = request.approval;
    try {
      const { proposal, choices } = await loadProposal(request, this.#dependencies);
      const { conflicts, ...rebased } = await this.#rebase(tool, principal, proposal, choices);
      if (this.#machine.state.requests.get(id)?.approval.replacedBy !== undefined) return { status: 'not_possible' };
      const fresh = this.#machine.addUnrequested({ tool, arguments: args, principal, client, reason, ...rebased });
      this.#machine.send({ type: 'rebased', id, replacedBy: fresh });
      return { status: 'rebased', id: fresh, ...(conflicts.length > 0 && { leftOut: conflicts }) };
    } catch (error) {
      this.#machine.send({ type: 'rebaseFailed', id });
      return { status: 'conflict', message: messageOf(error) };
    }
  }

  /** The policy judges the new text too: the same lines may mean more there, or be all that is left. */
  async #rebase(
    tool: string,
    principal: Principal,
    before: Proposal,
    choices: readonly Choice[],
  ): Promise<Rebased & Pick<Proposed, 'judgement'>> {
    const { proposal, conflicts } = await rebaseProposal(before, choices, this.#dependencies);
    return { proposal, conflicts, judgement: this.#dependencies.judge(tool, proposal, principal) };
  }
}

/** The most characters of the name of an assistant, which it chose itself. */
const mostName = 40;

/** Returns which change of an assistant was the last in a file since a request was made, in words; undefined when there is none. */
function changeSince(
  { approval, proposal }: ChangeRequest,
  path: string,
  requests: Iterable<UserRequest>,
): string | undefined {
  const realPath = proposal?.files.find((file) => file.path.path === path)?.path.realPath;
  const changes = [...requests].flatMap(({ approval: { appliedAt, ...other } }) => {
    const isSince = appliedAt !== undefined && appliedAt >= approval.requestedAt && other.id !== approval.id;
    const touches = other.files.some(
      (file) =>
        file.included && [file.realPath, file.to?.realPath].some((each) => each !== undefined && each === realPath),
    );
    return isSince && touches ? [{ ...other, appliedAt }] : [];
  });
  const last = changes.toSorted((one, other) => other.appliedAt - one.appliedAt)[0];
  if (last === undefined) return undefined;
  const who = last.client === undefined ? '' : ` of ${shortened(plain(last.client.name), mostName)}`;
  const how = last.judgement.effect === 'allow' ? 'applied' : 'approved';
  const at = new Date(last.decidedAt ?? last.appliedAt).toTimeString().slice(0, 5);
  return `it was changed by ${last.tool}${who}, ${how} ${at}`;
}
