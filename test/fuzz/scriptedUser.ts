import type { Approval } from '#changes/approval.ts';
import type { ApprovalQueue } from '#changes/queue.ts';
import type { Random } from '../bench/sourceText.ts';
import { seeAll } from '../changes/seeAll.ts';
import type { FakeClock } from '../fakes/clock.ts';
import type { CheckedEdits } from './checkedEdits.ts';

/** The result of each decision of the user, and how often it came. */
export type Decisions = ReadonlyMap<string, number>;

/** The time from a card's appearance until it may be decided, and a little more. */
const lookMilliseconds = 600;

/** A user who approves, declines, leaves out parts or ignores each card by chance. */
export class ScriptedUser {
  readonly #queue: ApprovalQueue;
  readonly #edits: CheckedEdits;
  readonly #clock: FakeClock;
  readonly #random: Random;
  /** Cards that the user looks at now or next. */
  readonly #noticed = new Set<string>();
  readonly #decisions = new Map<string, number>();
  #hasDeclinedInTime = false;
  #deciding: Promise<void> = Promise.resolve();
  /** Errors of the script, which are bugs. */
  readonly errors: unknown[] = [];

  constructor(queue: ApprovalQueue, edits: CheckedEdits, clock: FakeClock, random: Random) {
    this.#queue = queue;
    this.#edits = edits;
    this.#clock = clock;
    this.#random = random;
    queue.onDidChange(({ approvals, reads }) => {
      for (const id of approvals) this.#notice(id);
      for (const id of reads) if (this.#readWaits(id)) this.#lookLater(id, async () => this.#permit(id));
    });
  }

  get decisions(): Decisions {
    return this.#decisions;
  }

  /** Resolves when the user has met every card that is there. */
  async rested(): Promise<void> {
    let last: Promise<void> | undefined;
    while (last !== this.#deciding) await (last = this.#deciding);
  }

  /** Looks at a card while a call waits for it. One that was ignored is noticed again when another call asks for the same. */
  #notice(id: string): void {
    const { state, waitsUntil = 0 } = this.#queue.get(id) ?? {};
    if (state === 'waiting' && waitsUntil > this.#clock.now()) this.#lookLater(id, () => this.#decide(id));
  }

  /** Lets the user look at a card after those before it. */
  #lookLater(id: string, look: () => Promise<void>): void {
    if (this.#noticed.has(id)) return;
    this.#noticed.add(id);
    this.#deciding = this.#lookAfter(this.#deciding, id, look);
  }

  async #lookAfter(others: Promise<void>, id: string, look: () => Promise<void>): Promise<void> {
    await others;
    await new Promise((resolve) => setImmediate(resolve));
    await look().catch((error: unknown) => void this.errors.push(error));
    this.#noticed.delete(id);
    this.#notice(id);
  }

  #readWaits(id: string): boolean {
    return this.#queue.waitingReads.some((each) => each.id === id);
  }

  async #decide(id: string): Promise<void> {
    const way = this.#random();
    if (way < 0.15) return this.#ignore(id);
    if (way > 0.4 || !this.#hasLeftOut) await this.#leaveOutParts(id);
    this.#queue.displayed(id);
    seeAll(this.#queue, id);
    this.#clock.advance(lookMilliseconds);
    const approval = this.#queue.get(id);
    if (approval?.state !== 'waiting') return this.#count('ended before its decision');
    if (approval.question !== undefined) this.#answer(approval, way);
    else if (way < 0.3 || this.#isToDecline(approval)) this.#decline(id);
    else await this.#approve(approval);
    // A call keeps waiting when its approval was not accepted.
    if (this.#queue.get(id)?.state === 'waiting') this.#ignore(id);
  }

  /** Lets the time pass that the calls wait for the card. */
  #ignore(id: string): void {
    this.#count('ignored');
    const now = this.#clock.now();
    this.#clock.advance(Math.max(0, (this.#queue.get(id)?.waitsUntil ?? now) - now));
  }

  /** Returns whether the user has left out a part. The user leaves out a part of the first change that has several, because few changes do. */
  get #hasLeftOut(): boolean {
    return this.#decisions.has('left out a part');
  }

  /** Returns true for the first card whose call still waits for it, because most calls end before the decision. */
  #isToDecline({ waitsUntil = 0 }: Approval): boolean {
    const isFirst = !this.#hasDeclinedInTime && waitsUntil > this.#clock.now();
    if (isFirst) this.#hasDeclinedInTime = true;
    return isFirst;
  }

  async #leaveOutParts(id: string): Promise<void> {
    const { files = [] } = this.#queue.get(id) ?? {};
    for (const index of files.keys()) {
      const review = await this.#queue.review(id, index);
      const hunks = review?.hunks ?? [];
      for (const hunk of hunks.keys()) {
        const leavesOut = this.#random() < 0.4 || (hunk === 0 && !this.#hasLeftOut);
        if (hunks.length > 1 && leavesOut) this.#queue.selectHunk(id, index, hunk, false);
      }
      if (files.length > 1 && this.#random() < 0.2) this.#queue.selectFile(id, index, false);
    }
    const isPart = this.#queue.get(id)?.files.some((file) => file.includedHunks < file.proposedHunks);
    if (isPart === true) this.#count('left out a part');
  }

  async #approve({ id, files, proposalHash, judgement: { confirmCount } }: Approval): Promise<void> {
    const texts = await Promise.all(files.keys().map((index) => this.#queue.texts(id, index)));
    // The click is known before its apply begins.
    this.#edits.clicks.set(id, { proposalHash, texts: texts.map((each) => each?.current) });
    const result = this.#queue.approve(id, proposalHash, confirmCount);
    if (result !== 'accepted') this.#edits.clicks.delete(id);
    this.#count(`approve ${result}`);
    if (result === 'nothing_selected') this.#decline(id);
  }

  #decline(id: string): void {
    this.#count(`decline ${this.#queue.decline(id, { message: 'No.' })}`);
  }

  #answer({ id, proposalHash, question }: Approval, way: number): void {
    if (way < 0.3) return this.#decline(id);
    const answer = question?.choices.at(0) ?? 'Yes.';
    this.#count(`answer ${this.#queue.answer(id, proposalHash, answer)}`);
  }

  #permit(id: string): void {
    this.#queue.readDisplayed(id);
    this.#clock.advance(lookMilliseconds);
    this.#count(`read ${this.#queue.answerRead(id, this.#random() < 0.5)}`);
  }

  #count(decision: string): void {
    this.#decisions.set(decision, (this.#decisions.get(decision) ?? 0) + 1);
  }
}
