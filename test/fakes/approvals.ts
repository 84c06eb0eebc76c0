import type { Approval, Approvals, DecisionResult, UndoResult } from '../../src/approvals/approval.ts';
import { Emitter } from '../../src/ports/event.ts';

export interface FakeText {
  readonly path: string;
  readonly base: string;
  readonly result: string;
  readonly unsaved?: boolean;
  readonly viaLink?: boolean;
  readonly protectedBy?: string;
  readonly hardLinks?: number;
  readonly unifiedLineEnds?: number;
  readonly addedLines?: number;
  readonly removedLines?: number;
}

export type FakeRequest = Partial<Omit<Approval, 'files'>> & { readonly files: readonly FakeText[] };

/** A queue that applies nothing: it keeps the rules of time, hash and order that the page has to live with. */
export class FakeApprovals implements Approvals {
  readonly #approvals = new Map<string, Approval>();
  readonly #texts = new Map<string, readonly FakeText[]>();
  readonly #armed = new Map<string, number>();
  readonly #ends = new Set<string>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  /** What the page asked for and what it was told, oldest first. */
  readonly decisions: string[] = [];
  /** What the next undo answers. */
  undoResult: UndoResult = { status: 'undone' };

  get all(): readonly Approval[] {
    const all = [...this.#approvals.values()];
    const isOpen = ({ state }: Approval): boolean => state === 'waiting' || state === 'applying';
    return [...all.filter(isOpen), ...all.filter((approval) => !isOpen(approval)).toReversed()];
  }

  add({ files, ...given }: FakeRequest): Approval {
    const id = given.id ?? `approval-${this.#approvals.size + 1}`;
    const isProtected = files.some((file) => file.protectedBy !== undefined);
    const approval: Approval = {
      id,
      state: 'waiting',
      tool: 'apply_edit',
      principal: { credential: 'window', connectionId: 'c0ffee00c0ffee00' },
      client: { name: 'Claude Code', version: '2.1.329' },
      reason: undefined,
      files: files.map((file) => ({
        path: file.path,
        uri: `file:///work/shop-api/${file.path}`,
        realPath: `/work/shop-api/${file.path}`,
        viaLink: file.viaLink ?? false,
        unsaved: file.unsaved ?? false,
        hardLinks: file.hardLinks ?? 1,
        unifiedLineEnds: file.unifiedLineEnds ?? 0,
        ...(file.protectedBy === undefined ? {} : { protectedBy: file.protectedBy }),
        addedLines: file.addedLines ?? 1,
        removedLines: file.removedLines ?? 1,
      })),
      proposalHash: id.length.toString(16).padStart(64, 'a'),
      requestedAt: Date.UTC(2026, 10, 21, 14, 2, 11),
      expiresAt: Date.UTC(2026, 10, 21, 14, 32, 11),
      callReturned: false,
      mustReachEnd: isProtected,
      canUndo: false,
      ...given,
    };
    this.#texts.set(id, files);
    this.#approvals.set(id, approval);
    this.#changed.fire();
    return approval;
  }

  change(id: string, change: Partial<Approval>): void {
    const approval = this.#approvals.get(id);
    if (!approval) throw new Error(`No approval ${id}`);
    this.#approvals.set(id, { ...approval, ...change });
    this.#changed.fire();
  }

  get(id: string): Approval | undefined {
    return this.#approvals.get(id);
  }

  texts(id: string, fileIndex: number): Promise<{ base: string; result: string }> {
    const text = this.#texts.get(id)?.[fileIndex];
    return text ? Promise.resolve(text) : Promise.reject(new Error('No such text'));
  }

  displayed(id: string): void {
    this.#armed.set(id, performance.now());
    this.decisions.push(`displayed ${id}`);
  }

  endReached(id: string): void {
    this.#ends.add(id);
    this.decisions.push(`endReached ${id}`);
  }

  approve(id: string, proposalHash: string): DecisionResult {
    const result = this.#check(id, proposalHash, true);
    this.decisions.push(`approve ${id} ${result}`);
    if (result === 'accepted') this.change(id, { state: 'applied', decidedAt: Date.now(), canUndo: true });
    return result;
  }

  decline(id: string, message?: string): DecisionResult {
    const result = this.#check(id, this.get(id)?.proposalHash ?? '', false);
    this.decisions.push(`decline ${id} ${result}${message === undefined ? '' : ` ${message}`}`);
    const said = message === undefined ? {} : { userMessage: message };
    if (result === 'accepted') this.change(id, { state: 'declined', decidedAt: Date.now(), ...said });
    return result;
  }

  undo(id: string): Promise<UndoResult> {
    this.decisions.push(`undo ${id}`);
    if (this.undoResult.status === 'undone') this.change(id, { state: 'undone', canUndo: false });
    return Promise.resolve(this.undoResult);
  }

  #check(id: string, proposalHash: string, needsEnd: boolean): DecisionResult {
    const approval = this.get(id);
    const armedAt = this.#armed.get(id);
    if (approval?.state !== 'waiting') return 'already_decided';
    if (approval.proposalHash !== proposalHash) return 'changed';
    if (armedAt === undefined) return 'not_displayed';
    if (performance.now() - armedAt < 500) return 'too_fast';
    return needsEnd && approval.mustReachEnd && !this.#ends.has(id) ? 'end_not_reached' : 'accepted';
  }
}
