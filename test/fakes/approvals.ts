import { Emitter } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';
import { textsOf, type ChangesProposal, type FileChange } from '#base/proposal.ts';
import type {
  Approval,
  ApprovalFile,
  Approvals,
  ApprovalsChanged,
  ApprovalTexts,
  Decline,
  DecisionResult,
  RebaseResult,
  Restriction,
  SettleWay,
  UndoResult,
  WaitingRead,
} from '#changes/approval.ts';
import { ArmingDelay, armMilliseconds } from '#changes/armingDelay.ts';
import type { ReadAnswerResult } from '#changes/decisions.ts';
import type { GivenComment } from '#changes/comments.ts';
import { select, type Review } from '#changes/review.ts';
import { isWarned, unseenPlaces, withSeen } from '#changes/seenPlaces.ts';
import { proposalHash } from '#changes/proposalHash.ts';
import { isUnfinished } from '#changes/requests.ts';
import {
  asProposed,
  currentText,
  describeFile,
  reviewedChanges,
  reviewOfChange,
  selectedProposal,
  type Choice,
  type ReviewedChange,
} from '#changes/selection.ts';
import { isVeryLarge } from '#changes/veryLarge.ts';
import { warnedFile, type WarnedFile, type WarnedPlace } from '#changes/warnedFile.ts';
import type { Mode } from '#policy/rules.ts';
import { FakeClock } from './clock.ts';

/** A file of a request; given facts win over those that follow from the texts. */
export interface FakeText extends Partial<Omit<ApprovalFile, 'to'>> {
  readonly path: string;
  /** Of an edit, or of a delete whose text is shown. */
  readonly base?: string;
  /** Of an edit or a creation. */
  readonly result?: string;
  /** Of a move: where it leads. */
  readonly to?: string;
}

export type FakeRequest = Partial<Omit<Approval, 'files' | 'judgement'>> & {
  readonly files?: readonly FakeText[];
  readonly judgement?: Partial<Approval['judgement']>;
};

interface Entry {
  approval: Approval;
  readonly files: readonly FakeText[];
  readonly proposal: ChangesProposal;
  readonly reviewed: readonly ReviewedChange[];
  choices: readonly Choice[];
  readonly kind: 'changes';
  /** The places with a warning that were on screen. */
  seen: ReadonlySet<string>;
}

/** A queue that applies nothing, but enforces the same rules of time, hash and order as the real one. */
export class FakeApprovals implements Approvals {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: FakeClock;
  readonly #arming = new Map<string, ArmingDelay>();
  readonly #ends = new Set<string>();
  #reads: readonly WaitingRead[] = [];
  #restrictions: readonly Restriction[] = [];
  readonly #changed = new Emitter<ApprovalsChanged>();
  readonly onDidChange = this.#changed.event;
  /** The requests of the page with their results, oldest first. */
  readonly decisions: string[] = [];
  /** The result of the next `settle`. */
  settleResult: UndoResult = { status: 'redone' };
  /** The result of the next undo. */
  undoResult: UndoResult = { status: 'undone' };
  /** The result of the next rebase. */
  rebaseResult: RebaseResult = { status: 'not_possible' };

  constructor(clock = new FakeClock()) {
    this.#clock = clock;
  }

  get restrictions(): readonly Restriction[] {
    return this.#restrictions;
  }

  get all(): readonly Approval[] {
    const all = [...this.#entries.values()].map(({ approval }) => approval);
    return [...all.filter(isUnfinished), ...all.filter((approval) => !isUnfinished(approval)).toReversed()];
  }

  add({ files = [], judgement, ...given }: FakeRequest): Approval {
    const id = given.id ?? `approval-${this.#entries.size + 1}`;
    const proposal: ChangesProposal = { kind: 'changes', files: files.map(changeOf) };
    const reviewed = reviewedChanges(
      proposal,
      files.map((file) => file.protectedBy),
    );
    const isDelete = files.some(({ change, overwrites }) => change === 'delete' || overwrites);
    const guard = files.find((file) => file.protectedBy !== undefined)?.protectedBy;
    const isProtected = guard !== undefined;
    const risk = given.action ? 'execute' : given.question ? 'ui' : isDelete ? 'delete' : 'edit';
    const approval: Approval = {
      id,
      state: 'waiting',
      tool: 'apply_edit',
      principal: { credential: 'window', connectionId: 'c0ffee00c0ffee00' },
      client: { name: 'Claude Code', version: '2.1.329' },
      reason: undefined,
      risk,
      judgement: {
        effect: 'ask',
        reason: isProtected ? `protected by ${guard}` : `default for ${risk} in Manual mode`,
        onceOnly: isProtected,
        mode: 'manual',
        explain: [],
        ...judgement,
      },
      files: reviewed.map((each, index) => ({ ...describeFile(each), ...factsOf(files[index]) })),
      indivisible: false,
      groupId: `group-of-${id}`,
      proposalHash: proposalHash(JSON.stringify([given.action, given.question]), proposal),
      revision: 1,
      requestedAt: Date.UTC(2026, 10, 21, 14, 2, 11),
      expiresAt: Date.UTC(2026, 10, 21, 14, 32, 11),
      callReturned: false,
      mustReachEnd: isProtected || risk === 'delete' || risk === 'execute',
      moved: false,
      canUndo: false,
      canRedo: false,
      canRebase: false,
      ...given,
    };
    this.#entries.set(id, {
      approval,
      files,
      proposal,
      reviewed,
      choices: files.map(() => asProposed),
      kind: 'changes',
      seen: new Set(),
    });
    this.#fire({ approvals: new Set([id]) });
    return approval;
  }

  change(id: string, change: Partial<Approval>): void {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`No approval ${id}`);
    entry.approval = { ...entry.approval, ...change };
    this.#fire({ approvals: new Set([id]) });
  }

  get(id: string): Approval | undefined {
    return this.#entries.get(id)?.approval;
  }

  async texts(id: string, fileIndex: number): Promise<ApprovalTexts | undefined> {
    const entry = this.#entries.get(id);
    const change = entry?.proposal.files[fileIndex];
    const texts = change && textsOf(change);
    const current = change && currentText(change, entry?.choices[fileIndex]);
    return texts && current !== undefined ? { base: texts.base, proposed: texts.result, current } : undefined;
  }

  async review(id: string, fileIndex: number): Promise<Review | undefined> {
    return this.#review(id, fileIndex);
  }

  selectHunk(id: string, fileIndex: number, hunkIndex: number, included: boolean): void {
    this.decisions.push(`selectHunk ${id} ${fileIndex} ${hunkIndex} ${included}`);
    const review = this.#review(id, fileIndex);
    const change = this.#entries.get(id)?.proposal.files[fileIndex];
    const texts = change && textsOf(change);
    if (!review || !texts) return;
    this.#choose(id, fileIndex, { included: true, text: select(texts.base, review, hunkIndex, included) });
  }

  selectFile(id: string, fileIndex: number, included: boolean): void {
    this.decisions.push(`selectFile ${id} ${fileIndex} ${included}`);
    this.#choose(id, fileIndex, { ...this.#entries.get(id)?.choices[fileIndex], included });
  }

  setText(id: string, fileIndex: number, text: string): boolean {
    this.decisions.push(`setText ${id} ${fileIndex}`);
    return this.#choose(id, fileIndex, { included: true, text });
  }

  displayed(id: string, armed: () => void = () => undefined): void {
    this.#startArming(id, armed);
    this.decisions.push(`displayed ${id}`);
  }

  endReached(id: string): void {
    this.#ends.add(id);
    this.decisions.push(`endReached ${id}`);
  }

  warned(id: string, fileIndex: number): WarnedFile | undefined {
    const entry = this.#entries.get(id);
    const reviewed = entry?.reviewed[fileIndex];
    return reviewed && warnedFile(reviewed, entry?.choices[fileIndex]);
  }

  isWarned(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && isWarned(entry);
  }

  placeSeen(id: string, fileIndex: number, place: WarnedPlace): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.seen = withSeen(entry, fileIndex, place).seen;
    this.decisions.push(`placeSeen ${id} ${fileIndex} ${place.side === 'name' ? 'name' : place.line}`);
  }

  unseenPlaces(id: string): readonly string[] {
    const entry = this.#entries.get(id);
    return entry === undefined ? [] : unseenPlaces(entry);
  }

  approvable(id: string, hash: string, confirmedCount?: number, withoutReading = false): DecisionResult {
    const { confirmCount } = this.get(id)?.judgement ?? {};
    if (this.get(id)?.question) return 'already_decided';
    if (confirmCount !== undefined && confirmedCount !== confirmCount) return 'count_not_confirmed';
    return this.#check(id, hash, true, withoutReading);
  }

  approve(
    id: string,
    hash: string,
    confirmedCount?: number,
    _comments?: readonly GivenComment[],
    withoutReading = false,
  ): DecisionResult {
    const result = this.approvable(id, hash, confirmedCount, withoutReading);
    this.decisions.push(`approve ${id} ${result}${withoutReading ? ' without reading' : ''}`);
    const canUndo = this.get(id)?.action === undefined;
    if (result === 'accepted') this.change(id, { state: 'applied', decidedAt: Date.now(), canUndo });
    return result;
  }

  async applyByMode(id: string, hash: string, mode: Mode): Promise<DecisionResult | 'not_allowed'> {
    const isWaiting = this.get(id)?.state === 'waiting';
    const result = !isWaiting ? 'already_decided' : this.get(id)?.proposalHash === hash ? 'accepted' : 'changed';
    this.decisions.push(`applyByMode ${id} ${mode} ${result}`);
    if (result === 'accepted') this.change(id, { state: 'applied', decidedAt: Date.now(), canUndo: true });
    return result;
  }

  answer(id: string, hash: string, answer: string): DecisionResult {
    const result = this.get(id)?.question ? this.#check(id, hash, false) : 'already_decided';
    this.decisions.push(`answer ${id} ${result} ${answer}`);
    if (result === 'accepted') this.change(id, { state: 'applied', decidedAt: Date.now(), answer });
    return result;
  }

  applyInEditor(id: string): void {
    this.decisions.push(`in editor ${id}`);
  }

  decline(id: string, { message, reasonCode, pause }: Decline = {}): DecisionResult {
    // A notification, or the row of a group, may decline what is not on screen.
    const checked = this.#check(id, this.get(id)?.proposalHash ?? '', false);
    const result = checked === 'not_displayed' ? 'accepted' : checked;
    const words = [message, reasonCode, pause ? 'pause' : undefined].filter((word) => word !== undefined);
    this.decisions.push(['decline', id, result, ...words].join(' '));
    const said = {
      ...(message !== undefined && { userMessage: message }),
      ...(reasonCode !== undefined && { reasonCode }),
    };
    if (result === 'accepted') this.change(id, { state: 'declined', decidedAt: Date.now(), ...said });
    return result;
  }

  restrict(...restrictions: Restriction[]): void {
    this.#restrictions = restrictions;
    this.#fire({ restrictions: true });
  }

  lift(restrictionId: string): void {
    this.decisions.push(`lift ${restrictionId}`);
    this.restrict(...this.#restrictions.filter(({ id }) => id !== restrictionId));
  }

  get waitingReads(): readonly WaitingRead[] {
    return this.#reads;
  }

  addRead(given: Partial<WaitingRead> & Pick<WaitingRead, 'id' | 'paths'>): WaitingRead {
    const read: WaitingRead = {
      tool: 'read_file',
      principal: { credential: 'window', connectionId: 'c0ffee00c0ffee00' },
      client: { name: 'Claude Code', version: '2.1.329' },
      reason: 'ask rule r-2 (user)',
      explain: [{ step: 'ask_rule', detail: 'ask rule r-2 (user)', rule: { id: 'r-2', scope: 'user' } }],
      requestedAt: Date.UTC(2026, 10, 21, 14, 2, 11),
      expiresAt: Date.UTC(2026, 10, 21, 14, 32, 11),
      ...given,
    };
    this.#reads = [...this.#reads, read];
    this.#fire({ reads: new Set([read.id]) });
    return read;
  }

  readDisplayed(id: string, armed: () => void = () => undefined): void {
    this.#startArming(id, armed);
    this.decisions.push(`readDisplayed ${id}`);
    this.#reads = this.#reads.map((read) => (read.id === id ? { ...read, displayedAt: read.requestedAt } : read));
  }

  answerRead(id: string, allow: boolean): ReadAnswerResult {
    const result = this.#checkRead(id, allow);
    this.decisions.push(`answerRead ${id} ${allow} ${result}`);
    if (result === 'accepted') this.#reads = this.#reads.filter((read) => read.id !== id);
    this.#fire({ reads: new Set([id]) });
    return result;
  }

  #fire(changed: Partial<ApprovalsChanged>): void {
    this.#changed.fire({ approvals: new Set(), reads: new Set(), restrictions: false, ...changed });
  }

  #startArming(id: string, armed: () => void): void {
    this.#arming.get(id)?.dispose();
    this.#arming.set(id, new ArmingDelay(this.#clock, armMilliseconds, armed));
  }

  #checkRead(id: string, allow: boolean): ReadAnswerResult {
    const arming = this.#arming.get(id);
    if (!this.#reads.some((read) => read.id === id)) return 'already_decided';
    if (arming === undefined) return allow ? 'not_displayed' : 'accepted';
    return arming.isOver ? 'accepted' : 'too_fast';
  }

  redo(id: string): Promise<UndoResult> {
    this.decisions.push(`redo ${id}`);
    this.change(id, { state: 'applied', canRedo: false, canUndo: true });
    return Promise.resolve({ status: 'redone' });
  }

  groupOpened(groupId: string): void {
    this.decisions.push(`groupOpened ${groupId}`);
  }

  settle(id: string, way: SettleWay): Promise<UndoResult> {
    this.decisions.push(`${way} ${id}`);
    const { status } = this.settleResult;
    if (status === 'redone') this.change(id, { state: 'applied', canUndo: true });
    if (status === 'undone') this.change(id, { state: 'undone', canUndo: false });
    return Promise.resolve(this.settleResult);
  }

  undo(id: string): Promise<UndoResult> {
    this.decisions.push(`undo ${id}`);
    if (this.undoResult.status === 'undone') this.change(id, { state: 'undone', canUndo: false, canRedo: true });
    return Promise.resolve(this.undoResult);
  }

  rebase(id: string): Promise<RebaseResult> {
    this.decisions.push(`rebase ${id}`);
    return Promise.resolve(this.rebaseResult);
  }

  #review(id: string, fileIndex: number): Review | undefined {
    const entry = this.#entries.get(id);
    const reviewed = entry?.reviewed[fileIndex];
    return reviewed && reviewOfChange(reviewed, entry?.choices[fileIndex]);
  }

  #choose(id: string, fileIndex: number, choice: Choice): boolean {
    const entry = this.#entries.get(id);
    if (entry?.approval.state !== 'waiting' || entry.approval.indivisible) return false;
    entry.choices = entry.choices.with(fileIndex, choice);
    const { reviewed, choices, files, approval } = entry;
    this.change(id, {
      files: approval.files.map((file, index) => {
        const each = reviewed[index];
        return each ? { ...describeFile(each, choices[index]), ...factsOf(files[index]) } : file;
      }),
      proposalHash: proposalHash(approval.tool, selectedProposal(entry.proposal, choices)),
      revision: approval.revision + 1,
    });
    return true;
  }

  #check(id: string, hash: string, needsEnd: boolean, withoutReading = false): DecisionResult {
    const approval = this.get(id);
    const arming = this.#arming.get(id);
    if (approval?.state !== 'waiting') return 'already_decided';
    if (approval.proposalHash !== hash) return 'changed';
    if (needsEnd && !approval.action && approval.files.every(isLeftOut)) return 'nothing_selected';
    if (arming === undefined) return 'not_displayed';
    if (!arming.isOver) return 'too_fast';
    if (!needsEnd) return 'accepted';
    const isRead = this.#ends.has(id) || (withoutReading && !approval.mustReachEnd);
    if (!isRead && (approval.mustReachEnd || isVeryLarge(approval.files))) return 'end_not_reached';
    return this.unseenPlaces(id).length > 0 ? 'place_not_seen' : 'accepted';
  }
}

function isLeftOut({ included, proposedHunks, includedHunks, edited }: ApprovalFile): boolean {
  return !included || (proposedHunks > 0 && includedHunks === 0 && !edited);
}

/** Returns the given facts other than the texts and the target of a move. */
function factsOf(file: FakeText | undefined): Partial<ApprovalFile> {
  const { base: _base, result: _result, to: _to, ...facts } = { base: '', result: '', to: '', ...file };
  return facts;
}

function changeOf(file: FakeText): FileChange {
  const path = pathOf(file.path, file.hardLinks);
  const [base, result] = [textState(file.base), textState(file.result)];
  const count = file.folderFiles ?? 1;
  const files = Array.from({ length: count }, (_, index) => ({
    relative: file.folderFiles === undefined ? '' : `file-${index + 1}`,
    sha256: 'd'.repeat(64),
    size: index === 0 ? (file.size ?? Buffer.byteLength(base.text)) : 0,
    mode: 0o644,
    isLink: false,
    bytes: new Uint8Array(),
  }));
  const isFolder = file.folderFiles !== undefined;
  if (file.change === 'create') return { kind: 'create', path, result };
  if (file.change === 'move') return { kind: 'move', path, to: pathOf(file.to ?? ''), isFolder, files };
  if (file.change === 'delete') {
    const { toTrash = true, recovery = 'committed' } = file;
    return { kind: 'delete', path, isFolder, files, ...(file.base !== undefined && { base }), toTrash, recovery };
  }
  const { unsaved = false, unifiedLineEnds = 0, overwrites } = file;
  const source = unsaved ? 'buffer' : 'disk';
  const replaced = overwrites && { overwrites };
  return { kind: 'edit', path, base: { ...base, source, unsaved, unifiedLineEnds }, result, ...replaced };
}

function textState(text = ''): { text: string; encoding: string } {
  return { text, encoding: 'utf8' };
}

function pathOf(path: string, linkCount = 1): ResolvedPath {
  const root = '/work/shop-api';
  const realPath = `${root}/${path}`;
  return {
    path,
    uri: `file://${realPath}`,
    realPath,
    fsPath: realPath,
    folder: { name: 'shop-api', uri: `file://${root}`, fsPath: root, realPath: root },
    linked: false,
    kind: 'file',
    dangling: false,
    size: 0,
    modified: 0,
    linkCount,
  };
}
