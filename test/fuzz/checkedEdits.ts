import type { FileChange, FileRestore } from '#base/proposal.ts';
import type { ApprovalFile, Approvals } from '#changes/approval.ts';
import type { ApplyOutcome } from '#changes/edits.ts';
import { SharedEdits } from '../bench/dayWindow.ts';

/** The user's click on Approve: the texts that the card showed then, by the index of the file. */
export interface Click {
  readonly proposalHash: string;
  readonly texts: readonly (string | undefined)[];
}

/**
 * Applies changes to texts in memory, and notes every difference between what is written and what was decided: a write belongs to
 * one approval, which the user approved or the policy allows, it happens once, and it leaves the bytes that the card showed.
 */
export class CheckedEdits extends SharedEdits {
  readonly problems: string[] = [];
  /** The clicks with which the user approved, by the id of the approval. */
  readonly clicks = new Map<string, Click>();
  /** Ids of approvals that were written, those that the policy allowed without a question among them. */
  readonly written = new Set<string>();
  readonly #approvals: () => Pick<Approvals, 'get' | 'texts'>;
  /** The texts after the last change that was looked at. */
  #known: ReadonlyMap<string, string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(texts: Map<string, string>, approvals: () => Pick<Approvals, 'get' | 'texts'>) {
    super(texts);
    this.#approvals = approvals;
    this.#known = new Map(texts);
  }

  /** Notes a change that no apply made. */
  checkUntouched(): void {
    const changed = differencesOf(this.#known, this.texts);
    if (changed.length > 0) this.problems.push(`changed without an apply: ${changed.join(', ')}`);
  }

  /** Puts other texts in the place of all, as a user does outside of the editor. */
  reset(texts: ReadonlyMap<string, string>): void {
    this.checkUntouched();
    this.texts.clear();
    for (const [path, text] of texts) this.texts.set(path, text);
    this.#known = new Map(texts);
    this.fire();
  }

  /** One apply after the other, so that each difference belongs to one of them. */
  override apply(changes: readonly (FileChange | FileRestore)[], recordId?: string): Promise<ApplyOutcome> {
    const applied = this.#last.then(() => this.#applyChecked(changes, recordId));
    this.#last = applied.catch(() => undefined);
    return applied;
  }

  async #applyChecked(changes: readonly (FileChange | FileRestore)[], id = ''): Promise<ApplyOutcome> {
    const approval = this.#approvals().get(id);
    const note = (problem: string): void => void this.problems.push(`${id} ${approval?.tool ?? ''}: ${problem}`);
    const files = approval?.files ?? [];
    const click = this.clicks.get(id);
    const texts = click?.texts ?? (await Promise.all(files.keys().map((index) => this.#textNow(id, index))));
    this.checkUntouched();
    const expected = expectedAfter(this.texts, files, texts);
    const outcome = await super.apply(changes);
    const differences = differencesOf(outcome.status === 'applied' ? expected : this.#known, this.texts);
    this.#known = new Map(this.texts);
    if (differences.length > 0) note(`other bytes than those of its card: ${differences.join(', ')}`);
    if (outcome.status !== 'applied') return outcome;
    if (approval?.state !== 'applying') note(`written while ${approval?.state ?? 'unknown'}`);
    const isAllowed = approval?.judgement.effect === 'allow';
    if (click === undefined && !isAllowed) note('written without a decision');
    if (click !== undefined && click.proposalHash !== approval?.proposalHash)
      note('another proposal than the approved one');
    if (this.written.has(id)) note('written twice');
    this.written.add(id);
    return outcome;
  }

  async #textNow(id: string, index: number): Promise<string | undefined> {
    return (await this.#approvals().texts(id, index))?.current;
  }
}

/** Returns the texts after an apply of the included files: edits and creations, then moves, then deletes. */
function expectedAfter(
  before: ReadonlyMap<string, string>,
  files: readonly ApprovalFile[],
  texts: readonly (string | undefined)[],
): ReadonlyMap<string, string> {
  const after = new Map(before);
  const below = (path: string): readonly string[] =>
    [...after.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
  for (const [index, { change, realPath, included }] of files.entries()) {
    const text = texts[index];
    if (included && (change === 'edit' || change === 'create') && text !== undefined) after.set(realPath, text);
  }
  for (const { change, realPath, to, included } of files) {
    if (!included || change !== 'move' || to === undefined) continue;
    for (const path of below(realPath)) {
      after.set(`${to.realPath}${path.slice(realPath.length)}`, after.get(path) ?? '');
      after.delete(path);
    }
  }
  for (const { change, realPath, included } of files) {
    if (included && change === 'delete') for (const path of below(realPath)) after.delete(path);
  }
  return after;
}

/** Returns the paths whose texts are not the same in both. */
function differencesOf(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path));
}
