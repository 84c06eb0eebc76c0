import type { Files } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import type { Proposal } from '#base/proposal.ts';
import type { Problems } from '#language/problems.ts';
import type { Judgement } from '#policy/decision.ts';
import type { ApprovalState, Approval, RebaseResult } from './approval.ts';
import type { Edits } from './edits.ts';
import { filesOf, isAsProposed, judgedFacts, problemsBefore, type Entry, type Proposed } from './entry.ts';
import type { History } from './history.ts';
import type { Resolve } from './keep.ts';
import { loadProposal } from './keep.ts';
import { sharePath } from './overlap.ts';
import { proposalHash } from './proposalHash.ts';
import { rebaseProposal } from './rebase.ts';
import { asProposed, reviewedChanges, type Choice } from './selection.ts';
import type { ApprovalStore } from './store.ts';

export interface FreshnessDependencies {
  readonly edits: Edits;
  readonly files: Pick<Files, 'readText' | 'readTree' | 'canEncode'>;
  readonly history: History;
  readonly problems: Problems;
  /** The tool's proposal for the files as they are now; undefined when it has none any more, or the policy refuses it. */
  readonly repropose: (
    call: Pick<Proposed, 'tool' | 'arguments' | 'principal' | 'client' | 'roots'>,
  ) => Promise<Pick<Proposed, 'proposal' | 'judgement'> | undefined>;
  /**
   * What the policy says of a change that no tool has just made.
   * @throws ToolError when it refuses it
   */
  readonly judge: (tool: string, proposal: Proposal, principal: Principal) => Judgement;
  /** For undo and rebase, which may come after a reload. */
  readonly resolve: Resolve;
}

/** What the queue does with what is found out here. */
export interface FreshnessOwner {
  readonly finish: (entry: Entry, state: ApprovalState, facts: Partial<Approval>) => void;
  /** A new card, which no call waits for. */
  readonly addRebased: (proposed: Proposed) => Entry;
}

/** Notices when the files of a waiting card change, and what can be done about it (failure row F5). */
export class Freshness {
  readonly #store: ApprovalStore;
  readonly #dependencies: FreshnessDependencies;
  readonly #owner: FreshnessOwner;
  /** Cards that are being looked at, and whether something has happened since that began. */
  readonly #lookAgain = new Map<Entry, boolean>();

  constructor(store: ApprovalStore, dependencies: FreshnessDependencies, owner: FreshnessOwner) {
    this.#store = store;
    this.#dependencies = dependencies;
    this.#owner = owner;
  }

  watch(entry: Entry): void {
    entry.watch?.dispose();
    const { proposal } = entry;
    if (proposal?.kind !== 'changes') return;
    entry.watch = this.#dependencies.edits.watch(proposal.files, () => void this.#check(entry));
  }

  /** A change of ours was applied: other cards of these files are computed anew, or end. */
  landed(landed: Entry, proposal: Proposal): void {
    for (const entry of this.#store.entries) {
      if (entry === landed || entry.approval.state !== 'waiting' || entry.proposal === undefined) continue;
      if (!sharePath(entry.proposal, proposal)) continue;
      entry.hasCompany = true;
      void this.#store.track(this.#check(entry));
    }
  }

  /** One look at a time: what happens during one is looked at afterwards, all of it at once. */
  async #check(entry: Entry): Promise<void> {
    const isLooking = this.#lookAgain.has(entry);
    this.#lookAgain.set(entry, isLooking);
    if (isLooking) return;
    try {
      do {
        this.#lookAgain.set(entry, false);
        await this.#look(entry);
      } while (this.#lookAgain.get(entry) === true);
    } finally {
      this.#lookAgain.delete(entry);
    }
  }

  async #look(entry: Entry): Promise<void> {
    const { proposal } = entry;
    if (proposal === undefined || !this.isSettled(entry)) return;
    // What cannot be told now is found out at the click.
    const stale = await this.#dependencies.edits.findStale(proposal.files).catch(() => undefined);
    if (stale === undefined || entry.proposal !== proposal || !this.isSettled(entry)) return;
    if (entry.hasCompany && entry.repeatable && isAsProposed(entry) && (await this.#recompute(entry))) return;
    if (entry.proposal !== proposal || entry.approval.state !== 'waiting') return;
    const { choices } = entry;
    this.#owner.finish(entry, 'stale', { note: `${stale.path}: ${stale.reason}` });
    await this.offerRebase(entry, proposal, choices);
  }

  /** It waits, and nothing of ours is being written to its files; that would be looked at afterwards. */
  isSettled({ approval, proposal }: Entry): boolean {
    if (approval.state !== 'waiting' || proposal === undefined) return false;
    return !this.#store.entries.some(
      (other) =>
        other.approval.state === 'applying' && other.proposal !== undefined && sharePath(other.proposal, proposal),
    );
  }

  /** The same card for the files as they are now: the tool is asked again. */
  async #recompute(entry: Entry): Promise<boolean> {
    const { approval, proposal: before } = entry;
    const { tool, arguments: args, principal, client, roots } = approval;
    const again = await this.#dependencies
      .repropose({ tool, arguments: args, principal, client, ...(roots && { roots }) })
      .catch(() => undefined);
    if (again === undefined || entry.approval.state !== 'waiting' || entry.proposal !== before) return false;
    // What the human made of it meanwhile is not thrown away.
    if (!isAsProposed(entry)) return false;
    const { proposal, judgement } = again;
    entry.arming?.dispose();
    delete entry.arming;
    const reviewed = reviewedChanges(proposal, judgement.protectedBy);
    Object.assign(entry, {
      proposal,
      proposedHash: proposalHash(tool, proposal),
      reviewed,
      choices: reviewed.map(() => asProposed),
      endReached: false,
      hasCompany: false,
      problems: problemsBefore(this.#dependencies.problems, proposal),
    } satisfies Partial<Entry>);
    this.#store.update(entry, {
      files: filesOf(entry),
      proposalHash: entry.proposedHash,
      ...judgedFacts(judgement),
      moved: true,
      revision: entry.approval.revision + 1,
    });
    this.#store.audit(entry, 'moved');
    this.#store.write(entry, true);
    this.watch(entry);
    return true;
  }

  /** Finds out whether an outdated change, as the human had left it, can be made to the files as they are now. */
  async offerRebase(entry: Entry, proposal: Proposal, choices: readonly Choice[]): Promise<void> {
    const rebased = await this.#rebased(entry, proposal, choices).catch(() => undefined);
    if (rebased === undefined || entry.approval.replacedBy !== undefined) return;
    this.#store.update(entry, { canRebase: true });
    this.#store.write(entry);
  }

  async rebase(id: string): Promise<RebaseResult> {
    const entry = this.#store.get(id);
    if (entry?.approval.state !== 'stale' || entry.approval.replacedBy !== undefined) return { status: 'not_possible' };
    try {
      const { proposal, choices } = await loadProposal(entry, this.#dependencies);
      const rebased = await this.#rebased(entry, proposal, choices);
      if (entry.approval.replacedBy !== undefined) return { status: 'not_possible' };
      const { tool, arguments: args, principal, client, reason } = entry.approval;
      const fresh = this.#owner.addRebased({ tool, arguments: args, principal, client, reason, ...rebased });
      this.#store.update(entry, { replacedBy: fresh.approval.id, canRebase: false });
      this.#store.write(entry);
      return { status: 'rebased', id: fresh.approval.id };
    } catch (error) {
      this.#store.update(entry, { canRebase: false });
      return { status: 'conflict', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The policy sees the text that it would be made to now: the same lines may mean more there, or be all that is left. */
  async #rebased(
    { approval }: Entry,
    before: Proposal,
    choices: readonly Choice[],
  ): Promise<Pick<Proposed, 'proposal' | 'judgement'>> {
    const proposal = await rebaseProposal(before, choices, this.#dependencies);
    return { proposal, judgement: this.#dependencies.judge(approval.tool, proposal, approval.principal) };
  }
}
