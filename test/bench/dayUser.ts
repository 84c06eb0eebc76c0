import type { Approval } from '#changes/approval.ts';
import { suggestRules } from '#policy/suggest.ts';
import type { DayWindow } from './dayWindow.ts';
import type { Random } from './sourceText.ts';
import { seeAll } from '../changes/seeAll.ts';

/** The time that the user looks at a card before the click. */
const readingMilliseconds = 6000;
const questionsBeforeRule = 3;

export interface Questions {
  all: number;
  guarded: number;
  deletes: number;
  limit: number;
  /** Rules that the user made by an answer. */
  rules: number;
}

/** A user who approves everything, edits the same files, and counts the approvals. */
export class DayUser {
  readonly questions: Questions = { all: 0, guarded: 0, deletes: 0, limit: 0, rules: 0 };
  readonly #window: DayWindow;
  readonly #makesRules: boolean;
  readonly #random: Random;
  readonly #seen = new Set<string>();
  readonly #askedAbout = new Map<string, number>();
  #edits = 0;

  /** @param makesRules whether the third approval for a folder allows its edits for the session */
  constructor(window: DayWindow, makesRules: boolean, random: Random) {
    this.#window = window;
    this.#makesRules = makesRules;
    this.#random = random;
  }

  get edits(): number {
    return this.#edits;
  }

  answer(card: Approval): void {
    const { queue, clock } = this.#window;
    this.notice(card);
    if (this.#makesRules) this.#makeRule(card);
    queue.displayed(card.id);
    seeAll(queue, card.id);
    clock.advance(readingMilliseconds);
    const result = queue.approve(card.id, card.proposalHash, card.judgement.confirmCount);
    if (result !== 'accepted') throw new Error(`The user could not approve ${card.id}: ${result}`);
  }

  /** Counts a card, whatever its outcome. */
  notice(card: Approval): void {
    if (this.#seen.has(card.id)) return;
    this.#seen.add(card.id);
    this.questions.all += 1;
    if (card.files.some(({ protectedBy }) => protectedBy !== undefined)) this.questions.guarded += 1;
    else if (card.risk === 'delete') this.questions.deletes += 1;
    if (card.judgement.explain.at(-1)?.step === 'limit') this.questions.limit += 1;
  }

  /** Adds a line somewhere in a file. */
  edit(path: string): void {
    this.#edits += 1;
    const lines = this.#window.textOf(path).split('\n');
    const at = Math.floor(this.#random() * (lines.length - 1));
    this.#window.edit(path, lines.toSpliced(at, 0, lineOf(this.#edits)).join('\n'));
  }

  /** Returns the number of the user's lines that are gone. */
  lostEdits(): number {
    const lines = [...this.#window.texts.values()].flatMap((text) => text.split('\n'));
    const found = new Set(lines.filter(isByHand));
    return this.#edits - found.size;
  }

  #makeRule({ tool, files, judgement, risk, principal }: Approval): void {
    const folders = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))];
    for (const folder of folders) this.#askedAbout.set(folder, (this.#askedAbout.get(folder) ?? 0) + 1);
    if (folders.every((folder) => (this.#askedAbout.get(folder) ?? 0) < questionsBeforeRule)) return;
    const suggestions = suggestRules({ tool, files, judgement: { ...judgement, risk } });
    const ofFolder = suggestions.find(({ covers }) => covers.startsWith('edits of files in '));
    if (ofFolder === undefined) return;
    this.questions.rules += 1;
    const rule = { id: `r-${this.questions.rules}`, ...ofFolder.rule };
    this.#window.sessionRules.add(rule, { principal, client: undefined });
  }
}

const lineOf = (number: number): string => `// by hand ${number}`;

/** Returns whether the user added the line; an assistant that has read the file leaves such lines alone. */
export function isByHand(line: string): boolean {
  return line.startsWith('// by hand ');
}
