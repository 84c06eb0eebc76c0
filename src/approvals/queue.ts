import { randomBytes } from 'node:crypto';
import type { ApprovalRequest, Approver, ChangeOutcome } from '../ports/approver.ts';
import type { AuditLog } from '../ports/auditLog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Edits } from '../ports/edits.ts';
import { Emitter, type Subscription } from '../ports/event.ts';
import type { ResolvedPath } from '../ports/files.ts';
import type { History } from '../ports/history.ts';
import { principalKey } from '../ports/principal.ts';
import type { ChangesProposal } from '../ports/proposal.ts';
import { applyApproved, type Recheck } from './apply.ts';
import type { Approval, ApprovalFile, Approvals, ApprovalState, DecisionResult, UndoResult } from './approval.ts';
import { countChangedLines } from './changedLines.ts';
import { outcomeOf } from './outcome.ts';
import { proposalHash } from './proposalHash.ts';
import { parseRecord, type ApprovalRecord, type FileContents } from './record.ts';
import { undoApplied } from './undo.ts';

export interface ApprovalLimits {
  /** A card that nobody decides ends after this. */
  readonly expiryMilliseconds: number;
  /** A button works only this long after its card appeared or moved (threat row A17). */
  readonly armMilliseconds: number;
  /** Finished cards that stay in view. */
  readonly finished: number;
}

export const shippedLimits: ApprovalLimits = { expiryMilliseconds: 30 * 60_000, armMilliseconds: 500, finished: 20 };

export interface QueueDependencies {
  readonly edits: Edits;
  readonly history: History;
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  /** Policy, trust and every path, asked again right before the apply. */
  readonly recheck: Recheck;
  /** For undo, which may come after a reload: an address to its path now. Throws ToolError. */
  readonly resolve: (uri: string) => Promise<ResolvedPath>;
  readonly limits?: ApprovalLimits;
}

/** One approval with what the views must not see. */
interface Entry {
  approval: Approval;
  /** Absent after a reload: nothing that came back from the disk can be applied. */
  proposal?: ChangesProposal;
  contents: readonly FileContents[];
  /** Pre-images and the record of the waiting card are on disk. */
  kept: Promise<void>;
  /** Calls that wait for the outcome; identical proposals of one principal share a card. */
  readonly callers: Set<(outcome: ChangeOutcome) => void>;
  armedAt: number;
  endReached: boolean;
  expiry?: Subscription;
}

const progressMilliseconds = 10_000;
/** Finished approvals that the Activity view can still open. */
const keptFinished = 200;

/**
 * What waits for the human: a state machine in which the first to act wins (threat row A15), whoever it is: a click, a
 * cancel, an expiry. Views draw it and send decisions; nothing else decides.
 */
export class ApprovalQueue implements Approver, Approvals {
  readonly #dependencies: QueueDependencies;
  readonly #limits: ApprovalLimits;
  readonly #entries = new Map<string, Entry>();
  /** Applies, undos and writes of records that have begun and not ended. */
  readonly #unfinished = new Set<Promise<unknown>>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: QueueDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? shippedLimits;
  }

  get all(): readonly Approval[] {
    const all = [...this.#entries.values()].map(({ approval }) => approval);
    const open = all.filter(isOpen).toSorted((a, b) => a.requestedAt - b.requestedAt);
    const finished = all.filter((approval) => !isOpen(approval));
    finished.sort((a, b) => (b.decidedAt ?? b.requestedAt) - (a.decidedAt ?? a.requestedAt));
    return [...open, ...finished.slice(0, this.#limits.finished)];
  }

  get(id: string): Approval | undefined {
    return this.#entries.get(id)?.approval;
  }

  /** Brings back the cards of earlier runs of this window. What was waiting then is withdrawn: its call is gone. */
  async restore(): Promise<void> {
    for (const value of await this.#dependencies.history.records()) {
      const record = parseRecord(value);
      if (record === undefined || this.#entries.has(record.approval.id)) continue;
      const { client, reason, ...rest } = record.approval;
      const entry: Entry = {
        approval: { ...rest, client, reason },
        contents: record.contents,
        kept: Promise.resolve(),
        callers: new Set(),
        armedAt: Infinity,
        endReached: false,
      };
      this.#entries.set(record.approval.id, entry);
      if (entry.approval.state === 'waiting') {
        this.#finish(entry, 'withdrawn', { note: 'The window was reloaded while this waited; nothing was changed.' });
      } else if (entry.approval.state === 'applying') {
        this.#finish(entry, 'failed', { note: 'The window closed while this was being applied: look at each file.' });
      }
    }
    this.#changed.fire();
  }

  async request(request: ApprovalRequest): Promise<ChangeOutcome> {
    const hash = proposalHash(request.tool, request.proposal);
    const entry = this.#joinable(request, hash) ?? this.#add(request, hash);
    request.onWaiting(entry.approval.id);
    return this.#wait(entry, request);
  }

  displayed(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.approval.state !== 'waiting') return;
    entry.armedAt = this.#dependencies.clock.now() + this.#limits.armMilliseconds;
    if (entry.approval.displayedAt === undefined) {
      this.#update(entry, { displayedAt: this.#dependencies.clock.now() });
      this.#audit(entry, 'displayed');
    }
  }

  endReached(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.endReached = true;
  }

  approve(id: string, hash: string): DecisionResult {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.approval.state !== 'waiting' || entry.proposal === undefined)
      return 'already_decided';
    if (entry.approval.displayedAt === undefined) return 'not_displayed';
    if (this.#dependencies.clock.now() < entry.armedAt) return 'too_fast';
    if (entry.approval.mustReachEnd && !entry.endReached) return 'end_not_reached';
    if (hash !== entry.approval.proposalHash) return 'changed';
    entry.expiry?.dispose();
    this.#update(entry, { state: 'applying', decidedAt: this.#dependencies.clock.now() });
    this.#audit(entry, 'approved');
    void this.#track(this.#apply(entry, entry.proposal));
    return 'accepted';
  }

  decline(id: string, message?: string): DecisionResult {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.approval.state !== 'waiting') return 'already_decided';
    if (this.#dependencies.clock.now() < entry.armedAt && entry.approval.displayedAt !== undefined) return 'too_fast';
    this.#finish(entry, 'declined', message === undefined || message === '' ? {} : { userMessage: message });
    return 'accepted';
  }

  /** Ends waiting approvals that `which` picks, for a reason other than the human's decision. */
  withdraw(which: (approval: Approval) => boolean, note: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.approval.state === 'waiting' && which(entry.approval)) this.#finish(entry, 'withdrawn', { note });
    }
  }

  /** Resolves when nothing is half done any more, neither in the files nor in the records: a window must not end before. */
  async settled(): Promise<void> {
    while (this.#unfinished.size > 0) await Promise.allSettled(this.#unfinished);
  }

  async texts(id: string, fileIndex: number): Promise<{ readonly base: string; readonly result: string }> {
    const entry = this.#entries.get(id);
    const change = entry?.proposal?.files[fileIndex];
    if (change !== undefined) return { base: change.base.text, result: change.result.text };
    const kept = entry?.contents[fileIndex];
    if (kept === undefined) throw new Error(`There is no file ${fileIndex} in approval ${id}`);
    const load = async (sha256: string): Promise<string> =>
      Buffer.from(await this.#dependencies.history.getContent(sha256)).toString();
    const [base, result] = await Promise.all([load(kept.base.sha256), load(kept.result.sha256)]);
    return { base, result };
  }

  async undo(id: string): Promise<UndoResult> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.approval.state !== 'applied' || !entry.approval.canUndo)
      return { status: 'not_possible' };
    this.#update(entry, { canUndo: false });
    const result = await this.#track(undoApplied(entry.approval, entry.contents, this.#dependencies));
    this.#dependencies.auditLog.event({ event: 'revert', approvalId: id, outcome: result.status });
    if (result.status === 'undone') {
      this.#finish(entry, 'undone', result.message === undefined ? {} : { note: result.message });
    } else this.#update(entry, { canUndo: true });
    return result;
  }

  #joinable({ principal, tool }: ApprovalRequest, hash: string): Entry | undefined {
    // Callers that share a bare credential are different assistants; theirs never join (product.md, "Principal").
    if (principal.connectionId === undefined) return undefined;
    const key = principalKey(principal);
    return [...this.#entries.values()].find(
      ({ approval }) =>
        isOpen(approval) &&
        approval.tool === tool &&
        approval.proposalHash === hash &&
        principalKey(approval.principal) === key,
    );
  }

  #add(request: ApprovalRequest, hash: string): Entry {
    const { clock } = this.#dependencies;
    const files = request.proposal.files.map((change, index) => describeFile(change, request.protectedBy[index]));
    const now = clock.now();
    const entry: Entry = {
      approval: {
        id: `a-${randomBytes(12).toString('hex')}`,
        state: 'waiting',
        tool: request.tool,
        arguments: request.arguments,
        principal: request.principal,
        client: request.client,
        reason: request.reason,
        files,
        proposalHash: hash,
        requestedAt: now,
        expiresAt: now + this.#limits.expiryMilliseconds,
        callReturned: false,
        mustReachEnd: files.some((file) => file.protectedBy !== undefined),
        canUndo: false,
      },
      proposal: request.proposal,
      contents: [],
      kept: Promise.resolve(),
      callers: new Set(),
      armedAt: Infinity,
      endReached: false,
    };
    entry.kept = this.#track(this.#keep(entry, request.proposal));
    // Awaited before the apply, which fails when it failed; until then it must not be an unhandled rejection.
    entry.kept.catch(() => undefined);
    entry.expiry = clock.after(this.#limits.expiryMilliseconds, () => this.#finish(entry, 'expired', {}));
    this.#entries.set(entry.approval.id, entry);
    this.#audit(entry, 'waiting');
    this.#changed.fire();
    return entry;
  }

  /** Waits for the outcome, for the caller's cancel, or until the call has to be answered with `pending_approval`. */
  async #wait(entry: Entry, { signal, waitMilliseconds, progress }: ApprovalRequest): Promise<ChangeOutcome> {
    const { clock } = this.#dependencies;
    const answered = Promise.withResolvers<ChangeOutcome>();
    entry.callers.add(answered.resolve);
    const cancel = (): void => {
      entry.callers.delete(answered.resolve);
      if (entry.callers.size === 0 && !entry.approval.callReturned && entry.approval.state === 'waiting') {
        this.#finish(entry, 'withdrawn', { note: 'The assistant cancelled its call; nothing was changed.' });
      }
      answered.resolve(outcomeOf(entry.approval));
    };
    const deadline = clock.after(waitMilliseconds, () => {
      if (!entry.approval.callReturned) this.#update(entry, { callReturned: true });
      answered.resolve(outcomeOf(entry.approval));
    });
    let heartbeat: Subscription;
    const beat = (): Subscription =>
      clock.after(progressMilliseconds, () => {
        progress(waitingMessage(entry.approval, clock.now()));
        heartbeat = beat();
      });
    heartbeat = beat();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      deadline.dispose();
      heartbeat.dispose();
      entry.callers.delete(answered.resolve);
    }
  }

  async #apply(entry: Entry, proposal: ChangesProposal): Promise<void> {
    try {
      await entry.kept.catch((error: unknown) => {
        throw new Error(
          `The text before the change could not be kept for undo, so nothing was changed: ${String(error)}`,
        );
      });
      await this.#keepRecord(entry);
      const applied = await applyApproved(entry.approval, proposal, entry.contents, this.#dependencies);
      if (applied.state === 'applied') entry.contents = applied.contents;
      const { state, outcomes, note } = applied;
      this.#finish(entry, state, {
        ...(outcomes && { outcomes }),
        ...(note !== undefined && { note }),
        canUndo: state === 'applied',
      });
    } catch (error) {
      this.#finish(entry, 'failed', { note: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Pre-images first, then the record that names them. */
  async #keep(entry: Entry, proposal: ChangesProposal): Promise<void> {
    const { history } = this.#dependencies;
    const keep = async ({ text, encoding }: { text: string; encoding: string }): Promise<FileContents['base']> => ({
      sha256: await history.putContent(Buffer.from(text)),
      encoding,
    });
    entry.contents = await Promise.all(
      proposal.files.map(async ({ base, result }) => {
        const [before, after] = await Promise.all([keep(base), keep(result)]);
        return { base: before, result: after };
      }),
    );
    await this.#keepRecord(entry);
  }

  #keepRecord({ approval: { arguments: _arguments, ...approval }, contents }: Entry): Promise<void> {
    const record: ApprovalRecord = { version: 1, approval, contents };
    return this.#dependencies.history.putRecord(approval.id, record);
  }

  #finish(entry: Entry, state: ApprovalState, facts: Partial<Approval>): void {
    entry.expiry?.dispose();
    this.#update(entry, { decidedAt: this.#dependencies.clock.now(), ...facts, state });
    this.#audit(entry, state);
    const kept = this.#track(entry.kept.then(() => this.#keepRecord(entry)).then(() => this.#forget(entry)));
    entry.kept = kept;
    kept.catch((error: unknown) => {
      this.#dependencies.auditLog.event({
        event: 'approval.state',
        approvalId: entry.approval.id,
        state: 'not_kept',
        error: String(error),
      });
    });
    for (const answer of entry.callers) answer(outcomeOf(entry.approval));
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#unfinished.add(work);
    const forget = (): boolean => this.#unfinished.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** A finished card keeps its texts on disk only, and the oldest ones leave altogether. */
  #forget(entry: Entry): void {
    delete entry.proposal;
    const finished = [...this.#entries.values()].filter(({ approval }) => !isOpen(approval));
    for (const { approval } of finished.slice(0, Math.max(0, finished.length - keptFinished)))
      this.#entries.delete(approval.id);
  }

  #update(entry: Entry, facts: Partial<Approval>): void {
    entry.approval = { ...entry.approval, ...facts };
    this.#changed.fire();
  }

  #audit({ approval }: Entry, state: string): void {
    this.#dependencies.auditLog.event({
      event: 'approval.state',
      approvalId: approval.id,
      state,
      tool: approval.tool,
      proposalHash: approval.proposalHash,
      ...(approval.displayedAt !== undefined && { displayedAt: approval.displayedAt }),
      ...(approval.outcomes && {
        files: approval.outcomes.map(({ path, state: fileState, version }) => ({ path, state: fileState, version })),
      }),
    });
  }
}

function isOpen({ state }: Approval): boolean {
  return state === 'waiting' || state === 'applying';
}

function describeFile(change: ChangesProposal['files'][number], protectedBy: string | undefined): ApprovalFile {
  const { path, base, result } = change;
  const { added, removed } = countChangedLines(base.text, result.text);
  return {
    path: path.path,
    uri: path.uri,
    realPath: path.realPath,
    viaLink: path.linked,
    unsaved: base.unsaved,
    hardLinks: path.linkCount,
    unifiedLineEnds: base.unifiedLineEnds,
    ...(protectedBy !== undefined && { protectedBy }),
    addedLines: added,
    removedLines: removed,
  };
}

function waitingMessage({ displayedAt, requestedAt }: Approval, now: number): string {
  const seconds = (since: number): string => `${Math.round((now - since) / 1000)} s`;
  return displayedAt === undefined
    ? `Waiting for the user's approval for ${seconds(requestedAt)}; they have not seen it yet`
    : `Waiting for the user's approval, on their screen for ${seconds(displayedAt)}`;
}
