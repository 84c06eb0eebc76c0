import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Principal } from '#base/principal.ts';
import type { Mode } from '#policy/rules.ts';
import { DayUser, isByHand } from './dayUser.ts';
import { type AssistantStep, assistantEdits, userEdits, makeDay, textOf } from './dayScript.ts';
import { type DayWindow, openDayWindow } from './dayWindow.ts';
import type { Measurement } from './report.ts';
import { seededRandom } from './sourceText.ts';
import { packageJson, type TaskCall, typicalTasks } from './typicalTasks.ts';

interface Variant {
  readonly name: string;
  readonly mode: Mode;
  readonly makesRules: boolean;
}

const variants: readonly Variant[] = [
  { name: 'Manual, no rules', mode: 'manual', makesRules: false },
  { name: 'Manual, rules made by clicking', mode: 'manual', makesRules: true },
  { name: 'Accept edits', mode: 'acceptEdits', makesRules: false },
];

/** The time after which the mode Accept edits must be chosen again. */
const modeMilliseconds = 4 * 60 * 60_000;
const mostAttempts = 3;

/** Replays one day of work in the call pipeline, with the real policy and queue over files in memory. */
export async function benchDay(): Promise<Measurement[]> {
  const replays: Replay[] = [];
  for (const variant of variants) {
    const replay = new Replay(variant);
    await replay.run();
    replays.push(replay);
  }
  const tasks = await benchTypicalTasks();
  const lost = replays.map((replay) => replay.lostUserEdits());
  return [
    ...replays.map((replay) => replay.row()),
    tasks,
    {
      topic: 'day',
      what: "user's edits lost, of any mode",
      value: Math.max(...lost),
      unit: 'edits',
      target: { atMost: 0 },
      detail: `${userEdits} edits, some in files whose change waits`,
    },
  ];
}

/** Counts the questions of twenty tasks in Accept edits, each in a window of its own. */
async function benchTypicalTasks(): Promise<Measurement> {
  const asked: string[] = [];
  let questions = 0;
  for (const { title, calls } of typicalTasks) {
    const window = openDayWindow(filesOf(calls), 'acceptEdits');
    const user = new DayUser(window, false, seededRandom(7));
    for (const call of calls) {
      const status = await answered(window, user, taskInput(call));
      if (status !== 'applied') throw new Error(`The task to ${title} ended so: ${status}`);
    }
    if (user.questions.all > 0) asked.push(`${title} (${user.questions.all})`);
    questions += user.questions.all;
  }
  return {
    topic: 'day',
    what: 'questions for each of 20 typical tasks in Accept edits',
    value: questions / typicalTasks.length,
    unit: 'questions',
    target: { atMost: 0.5 },
    detail: `asked in ${asked.length} of ${typicalTasks.length} tasks: ${asked.join(', ')}`,
  };
}

const taskText = 'one\ntwo\nthree\nfour\nfive\nsix\n';

function filesOf(calls: readonly TaskCall[]): ReadonlyMap<string, string> {
  const existing = calls.flatMap(({ kind, path }) => (kind === 'create' ? [] : [path]));
  return new Map(['README.md', ...existing].map((path) => [path, path === 'package.json' ? packageJson : taskText]));
}

function taskInput(call: TaskCall): [tool: string, input: object] {
  const { kind, path } = call;
  const reason = 'Part of the task.';
  if (kind === 'create') return ['create_file', { path, content: taskText, reason }];
  if (kind === 'move') return ['move_file', { path, to: call.to, reason }];
  const { oldText = 'three', newText = 'drei' } = call;
  return ['apply_edit', { edits: [{ path, oldText, newText }], reason }];
}

/** Returns the status of a call whose card the user answers. */
async function answered(window: DayWindow, user: DayUser, [tool, input]: [string, object]): Promise<string> {
  const called = window.call(tool, input, { credential: 'window', connectionId: 'assistant' }).then(statusOf);
  for (;;) {
    const status = await Promise.race([called, setImmediate()]);
    if (typeof status === 'string') return status;
    const card = window.queue.all.find(({ state }) => state === 'waiting');
    if (card !== undefined) user.answer(card);
  }
}

class Replay {
  readonly #variant: Variant;
  readonly #day = makeDay();
  readonly #window: DayWindow;
  readonly #random = seededRandom(7);
  readonly #user: DayUser;
  #applied = 0;
  /** The length of the day. */
  #milliseconds = 0;

  constructor(variant: Variant) {
    this.#variant = variant;
    this.#window = openDayWindow(this.#day.files, variant.mode);
    this.#user = new DayUser(this.#window, variant.makesRules, this.#random);
  }

  async run(): Promise<void> {
    const { clock } = this.#window;
    const morning = clock.now();
    for (const step of this.#day.steps) {
      clock.advance(Math.max(0, morning + step.at * 1000 - clock.now()));
      if (step.kind === 'user') this.#user.edit(step.path);
      else await this.#carryOut(step);
    }
    this.#milliseconds = clock.now() - morning;
  }

  row(): Measurement {
    const { all, guarded, deletes, limit, rules } = this.#user.questions;
    const { makesRules, mode } = this.#variant;
    const chosen = Math.ceil(this.#milliseconds / modeMilliseconds);
    const clicked = makesRules ? `; ${rules} rules made` : mode === 'manual' ? '' : `; mode chosen ${chosen} times`;
    return {
      topic: 'day',
      what: this.#variant.name,
      value: all,
      unit: 'questions',
      detail: `${this.#applied} of ${assistantEdits} edits applied; asked: ${guarded} protected, ${deletes} deletes or moves, ${limit} circuit breaker${clicked}`,
    };
  }

  lostUserEdits(): number {
    if (this.#user.edits !== userEdits) throw new Error(`The user made ${this.#user.edits} edits.`);
    return this.#user.lostEdits();
  }

  /** Reads and proposes like an assistant, and repeats both when another edit came first. */
  async #carryOut(step: AssistantStep): Promise<void> {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const status = await this.#attempt(step, step.crossed && attempt === 1);
      if (status === 'applied') {
        this.#applied += 1;
        return;
      }
      if (status !== 'stale' && status !== 'stale_version') {
        throw new Error(`The ${step.kind} at ${step.at} s ended so in ${this.#variant.name}: ${status}`);
      }
    }
    throw new Error(`The ${step.kind} at ${step.at} s was stale ${mostAttempts} times.`);
  }

  async #attempt(step: AssistantStep, crossed: boolean): Promise<string> {
    const principal: Principal = { credential: 'window', connectionId: `assistant-${step.assistant}` };
    const [tool, input] = await this.#callOf(step, principal);
    const path = step.kind === 'edit' ? (step.paths[0] ?? '') : step.path;
    let toCross = crossed;
    // When the user is not asked, they can only edit between the assistant's read and its call.
    if (toCross && !(await this.#window.wouldAsk(tool, input, principal))) {
      this.#user.edit(path);
      toCross = false;
    }
    const called = this.#window.call(tool, input, principal).then(statusOf);
    for (;;) {
      const status = await Promise.race([called, setImmediate()]);
      if (typeof status === 'string') return status;
      const card = this.#window.queue.all.find(({ state }) => state === 'waiting');
      if (card === undefined) continue;
      if (toCross) {
        this.#user.notice(card);
        this.#user.edit(path);
        toCross = false;
      } else this.#user.answer(card);
    }
  }

  async #callOf(step: AssistantStep, principal: Principal): Promise<[tool: string, input: object]> {
    const reason = 'Part of the work of the day.';
    if (step.kind === 'create')
      return ['create_file', { path: step.path, content: textOf(this.#random, step.lines), reason }];
    if (step.kind === 'move') return ['move_file', { path: step.path, to: step.to, reason }];
    if (step.kind === 'delete') {
      this.#window.sourceControl.answer = step.committed ? 'committed' : 'not_committed';
      return ['delete_file', { path: step.path, reason }];
    }
    const edits: object[] = [];
    for (const path of step.paths) {
      const read = readAnswer.parse(await this.#window.call('read_file', { path }, principal)).result.structuredContent;
      const firstLine = this.#placeIn(read.text.split('\n'), step.where, step.lines);
      const newText = textOf(this.#random, step.lines);
      edits.push({ path, firstLine, lastLine: firstLine + step.lines - 1, newText, version: read.version });
    }
    return ['apply_edit', { edits, reason }];
  }

  /** Returns the 1-based number of the first of `count` lines without a line that the user added. */
  #placeIn(lines: readonly string[], where: number, count: number): number {
    const places = lines.length - count;
    for (let tried = 0; tried < places; tried += 1) {
      const start = (Math.floor(where * places) + tried) % places;
      if (!lines.slice(start, start + count).some(isByHand)) return start + 1;
    }
    throw new Error('The file holds nothing but the lines of the user.');
  }
}

const readAnswer = z.object({
  result: z.object({ structuredContent: z.object({ text: z.string(), version: z.string() }) }),
});

const callAnswer = z.object({
  result: z.object({
    content: z.array(z.object({ text: z.string().optional() })),
    structuredContent: z.object({ status: z.string() }).optional(),
  }),
});

/** The status of a change, or the code of an error. */
function statusOf(outcome: unknown): string {
  const { content, structuredContent } = callAnswer.parse(outcome).result;
  const said = content[0]?.text ?? '';
  return structuredContent?.status ?? /\[([a-z_]+)\]$/.exec(said)?.[1] ?? said;
}
