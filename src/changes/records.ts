import type { AuditLog } from '#audit/auditLog.ts';
import type { ChangesProposal } from '#base/proposal.ts';
import type { History } from './history.ts';
import { keepChange } from './keep.ts';
import type { ApprovalRecord, KeptChange } from './record.ts';
import type { ChangeRequest, UserRequest } from './requests.ts';
import type { ApprovalMachine } from './runner.ts';
import { asProposed, type Choice } from './selection.ts';

/** The proposal and the selection whose texts are in the history. */
interface KeptFrom {
  readonly proposal: ChangesProposal;
  readonly choices: readonly Choice[];
}

/** Writes approvals to the disk, and knows what is not finished yet. */
export class ApprovalRecords {
  readonly #machine: ApprovalMachine;
  readonly #history: History;
  readonly #auditLog: Pick<AuditLog, 'event'>;
  /** The newest write of each approval, while it runs or when it failed. */
  readonly #writing = new Map<string, Promise<void>>();
  readonly #keptFrom = new Map<string, KeptFrom>();
  /** Applies, undos and writes that have begun and not ended. */
  readonly #unfinished = new Set<Promise<unknown>>();

  constructor(machine: ApprovalMachine, history: History, auditLog: Pick<AuditLog, 'event'>) {
    this.#machine = machine;
    this.#history = history;
    this.#auditLog = auditLog;
  }

  /**
   * Writes the record after the earlier writes of this approval. After a failed write the contents are written again, so that a
   * disk that was full for a moment does not end all records of this approval.
   * @param contents writes the texts first, since the proposal or the selection of the user has changed
   */
  write(id: string, contents: boolean): void {
    const asNow = this.#machine.state.requests.get(id);
    if (asNow === undefined) return;
    const latest = (): UserRequest => this.#machine.state.requests.get(id) ?? asNow;
    const write = async (from: UserRequest | undefined): Promise<void> => {
      if (from?.kind === 'changes') await this.#keepContents(from);
      const request = latest();
      const { approval, kept, repeatable } = request;
      const record: ApprovalRecord = {
        version: 3,
        approval,
        changes: kept,
        repeatable,
        ...(request.kind === 'action' && request.places && { places: request.places }),
        ...(request.kind === 'changes' && request.pending && { pending: request.pending }),
      };
      await this.#history.putRecord(id, record);
    };
    const writing = this.track(
      this.written(id).then(
        () => write(contents ? asNow : undefined),
        () => write(contents ? asNow : latest()),
      ),
    );
    this.#writing.set(id, writing);
    writing.then(
      () => this.#writing.get(id) === writing && this.#writing.delete(id),
      // An apply waits for this write and fails with it. Until then it must not be an unhandled rejection.
      (error: unknown) => {
        this.#auditLog.event({
          event: 'approval.state',
          approvalId: id,
          state: 'not_kept',
          error: String(error),
        });
      },
    );
  }

  /** Resolves when the newest contents and record are on disk. Rejects when they could not be written. */
  written(id: string): Promise<void> {
    return this.#writing.get(id) ?? Promise.resolve();
  }

  async #keepContents({ approval: { id }, proposal, choices }: ChangeRequest): Promise<void> {
    if (proposal === undefined) return;
    const { kept: before = [] } = this.#machine.state.requests.get(id) ?? {};
    const keptFrom = this.#keptFrom.get(id);
    const kept = await Promise.all(
      proposal.files.map(async (change, index): Promise<KeptChange> => {
        const choice = choices[index] ?? asProposed;
        // Texts that are in the history already are not read again.
        const isKept = keptFrom?.proposal === proposal && keptFrom.choices[index] === choice;
        return (isKept ? before[index] : undefined) ?? keepChange(change, choice, this.#history);
      }),
    );
    this.#keptFrom.set(id, { proposal, choices });
    this.#machine.send({ type: 'contentsKept', id, kept });
  }

  /** Reports when the texts of a finished approval are in the history, or could not be written there. */
  async awaitWritten(id: string): Promise<void> {
    await this.written(id).catch(() => undefined);
    this.#keptFrom.delete(id);
    this.#machine.send({ type: 'textsKept', id });
  }

  /** Counts work as unfinished until it ends. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#unfinished.add(work);
    const forget = (): boolean => this.#unfinished.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when neither the files nor the records are half written: the window must not end before. */
  async settled(): Promise<void> {
    while (this.#unfinished.size > 0) await Promise.allSettled(this.#unfinished);
  }
}
