import type { AuditLog } from '#audit/auditLog.ts';
import { Emitter } from '#base/event.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import type { Proposal } from '#base/proposal.ts';
import type { Approval } from './approval.ts';
import { appliedFiles, approvalFields } from './auditFields.ts';
import { changesFiles, isOpen, type Entry } from './requests.ts';
import type { History } from './history.ts';
import { keepChange } from './keep.ts';
import type { ApprovalRecord, KeptChange } from './record.ts';
import { asProposed } from './selection.ts';

/** Finished approvals that the views, `get_approval` and `list_changes` can still open. */
const keptFinished = 500;

/** What the texts of a record are made of. */
interface Contents {
  readonly proposal?: Proposal | undefined;
  readonly choices: Entry['choices'];
}

/** The approvals of this window, in memory and, as far as they must outlive it, on disk. */
export class ApprovalStore {
  readonly #history: History;
  readonly #auditLog: Pick<AuditLog, 'event'>;
  readonly #entries = new Map<string, Entry>();
  /** Applies, undos and writes of records that have begun and not ended. */
  readonly #unfinished = new Set<Promise<unknown>>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(history: History, auditLog: Pick<AuditLog, 'event'>) {
    this.#history = history;
    this.#auditLog = auditLog;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Waiting ones first, oldest first; then finished ones, newest first. */
  list(finishedShown: number): readonly Approval[] {
    const all = this.entries.map(({ approval }) => approval);
    const open = all.filter(isOpen).toSorted((a, b) => a.requestedAt - b.requestedAt);
    const finished = all.filter((approval) => !isOpen(approval));
    finished.sort((a, b) => endOf(b) - endOf(a));
    return [...open, ...finished.slice(0, finishedShown)];
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** The entry while its human can still decide. */
  waiting(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry?.approval.state === 'waiting' ? entry : undefined;
  }

  /** Open cards of one caller. Callers that share a bare credential are different assistants. */
  openOf(principal: Principal): readonly Entry[] {
    if (principal.connectionId === undefined) return [];
    const key = principalKey(principal);
    return this.entries.filter(({ approval }) => isOpen(approval) && principalKey(approval.principal) === key);
  }

  add(entry: Entry): void {
    this.#entries.set(entry.approval.id, entry);
  }

  update(entry: Entry, facts: Partial<Approval>): void {
    entry.approval = { ...entry.approval, ...facts };
    this.tell();
  }

  /** A view that fails must not keep a decision from being carried out, nor its outcome from being told. */
  tell(): void {
    try {
      this.#changed.fire();
    } catch (error) {
      this.#auditLog.event({ event: 'approval.state', state: 'not_shown', error: String(error) });
    }
  }

  /**
   * Writes the record after what was written before. Contents come first, for the record names them.
   * @param contents the texts too: the proposal or what the human made of it has changed. What could not be written before is
   *   written now, whatever it was: a disk that was full for a moment must not end all records of this approval.
   */
  write(entry: Entry, contents = false): void {
    const asNow: Contents = { proposal: entry.proposal, choices: entry.choices };
    const write = async (given?: Contents): Promise<void> => {
      if (given?.proposal !== undefined) {
        const { proposal, choices } = given;
        entry.kept = await this.#keepAll(entry, proposal, choices);
        entry.keptFrom = { proposal, choices };
      }
      const { approval, kept, repeatable, places, pending } = entry;
      const record: ApprovalRecord = {
        version: 3,
        approval,
        changes: kept,
        repeatable,
        ...(places && { places }),
        ...(pending && { pending }),
      };
      await this.#history.putRecord(approval.id, record);
    };
    entry.writing = this.track(
      entry.writing.then(
        () => write(contents ? asNow : undefined),
        () => write(contents ? asNow : entry),
      ),
    );
    // Awaited before an apply, which fails when it failed; until then it must not be an unhandled rejection.
    entry.writing.catch((error: unknown) => {
      this.#auditLog.event({
        event: 'approval.state',
        approvalId: entry.approval.id,
        state: 'not_kept',
        error: String(error),
      });
    });
  }

  /** What is kept already is not read again. */
  #keepAll({ kept, keptFrom }: Entry, proposal: Proposal, choices: Entry['choices']): Promise<KeptChange[]> {
    return Promise.all(
      proposal.files.map(async (change, index) => {
        const choice = choices[index] ?? asProposed;
        const isKept = keptFrom?.proposal === proposal && keptFrom.choices[index] === choice;
        return (isKept ? kept[index] : undefined) ?? keepChange(change, choice, this.#history);
      }),
    );
  }

  /** A finished card keeps its texts on disk only, and the oldest ones leave altogether. */
  forget(entry: Entry): void {
    void this.#dropTexts(entry);
    const finished = this.entries.flatMap(({ approval }) => (isOpen(approval) ? [] : [approval]));
    if (finished.length <= keptFinished) return;
    finished.sort((a, b) => endOf(b) - endOf(a));
    for (const { id } of finished.slice(keptFinished)) if (id !== entry.approval.id) this.#entries.delete(id);
  }

  /** Their records are gone. */
  forgetFinished(): void {
    for (const { approval, pending } of this.entries) {
      if (!isOpen(approval) && pending === undefined) this.#entries.delete(approval.id);
    }
    this.tell();
  }

  async #dropTexts(entry: Entry): Promise<void> {
    await entry.writing.catch(() => undefined);
    if (isOpen(entry.approval)) return;
    delete entry.proposal;
    delete entry.keptFrom;
    entry.reviewed = [];
  }

  audit(entry: Entry, state: string): void {
    const { approval } = entry;
    this.#auditLog.event({
      event: 'approval.state',
      approvalId: approval.id,
      state,
      tool: approval.tool,
      proposalHash: approval.proposalHash,
      ...approvalFields(approval, state),
    });
    if (!changesFiles(approval)) return;
    const isApply = state === 'applied' || (state === 'failed' && approval.outcomes !== undefined);
    if (isApply) this.#auditLog.event({ event: 'apply', approvalId: approval.id, files: appliedFiles(entry) });
  }

  /** Counts as unfinished until it ends. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#unfinished.add(work);
    const forget = (): boolean => this.#unfinished.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when nothing is half done any more, neither in the files nor in the records: a window must not end before. */
  async settled(): Promise<void> {
    while (this.#unfinished.size > 0) await Promise.allSettled(this.#unfinished);
  }
}

function endOf({ decidedAt, requestedAt }: Approval): number {
  return decidedAt ?? requestedAt;
}
