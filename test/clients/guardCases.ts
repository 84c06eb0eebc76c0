/** Edits that a real assistant makes with its own tools, decided in the Approvals view of a real window. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { Assistant, Machine } from '#connect/assistant.ts';
import { applyChange, planParts } from '#connect/configuration.ts';
import { clickButton, decide, openApprovals, waitingCards } from '../e2e/approvalsPage.ts';
import type { Run } from '../host/processes.ts';
import { progress } from '../host/progress.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import { size } from '../size.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import { type Files, writeFiles } from './recording.ts';

export interface GuardSetting {
  readonly window: Window;
  readonly run: Run;
  readonly userHome: string;
  readonly machine: Machine;
  /** The state folder. */
  readonly home: string;
  /** The folder that is open in the window. */
  readonly folder: string;
  /** The folder of the installed programs. */
  readonly programs: string;
}

export interface GuardCase<Mode extends string> {
  readonly name: string;
  readonly files: Files;
  /** @param pathOf returns the absolute path of a file in the project */
  readonly turns: (pathOf: (name: string) => string) => readonly Turn[];
  /** The number of cards that wait at the same time; one when absent. */
  readonly cards?: number;
  /** Decides about the cards. */
  readonly decide: (page: Frame) => Promise<void>;
  /** The texts of the files afterwards; undefined for one that must not exist. */
  readonly after: Readonly<Record<string, string | undefined>>;
  /** Words that the model must be told, in its last request. */
  readonly told: RegExp;
  /** The modes of the assistant in which it is tried. */
  readonly modes: readonly Mode[];
}

export interface GuardedRun {
  readonly output: string;
  /** The words that the model was told in its last request; empty when there was none. */
  readonly told: string;
}

/** An assistant whose own edits the window decides. */
export interface GuardedAssistant<Mode extends string = string> {
  readonly name: string;
  /** The id in `src/connect/assistants`. */
  readonly id: string;
  readonly cases: readonly GuardCase<Mode>[];
  /** Returns turns that write LINE 3 into line 3 of the file, which has the text of `forty`, in a mode that does not ask. */
  readonly oneEdit: { readonly turns: (path: string) => readonly Turn[]; readonly mode: Mode };
  /** Sets the guard up as Connect does. */
  readonly connect: (setting: GuardSetting) => Promise<void>;
  /** Runs the assistant to its end. */
  readonly start: (turns: readonly Turn[], mode: Mode, setting: GuardSetting) => Promise<GuardedRun>;
}

/** Returns the failures, by case and mode; none when all is well. */
export async function guard<Mode extends string>(
  assistant: GuardedAssistant<Mode>,
  setting: GuardSetting,
): Promise<readonly string[]> {
  await assistant.connect(setting);
  const problems: string[] = [];
  for (const each of assistant.cases) {
    for (const mode of each.modes) {
      const name = `${assistant.name}, guarded: ${each.name} (${mode})`;
      progress(name);
      const problem = await tryCase(each, mode, assistant, setting).catch((error: unknown) => String(error));
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    }
  }
  for (const each of attempts) {
    const title = `${assistant.name}, guarded: ${each.name}`;
    progress(title);
    const problem = await each.attempt(assistant, setting).catch((error: unknown) => String(error));
    if (problem !== undefined) problems.push(`${title}: ${problem}`);
  }
  for (let round = 1; round <= faultRounds; round += 1) {
    for (const fault of faults) {
      const name = `${assistant.name}, guarded: ${fault.name} (${round} of ${faultRounds})`;
      progress(name);
      const problem = await tryFault(fault, assistant, setting).catch((error: unknown) => String(error));
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    }
  }
  return problems;
}

/** The number of times that each fault happens to each assistant; with five assistants, 60 faults in the nightly run. */
const faultRounds = size({ quick: 1, full: 4 });

interface Fault {
  readonly name: string;
  /** Lets the fault happen while the card of the edit waits. */
  readonly happen: (setting: GuardSetting) => Promise<void>;
  /** The user is asked about the edit again; otherwise it is refused. */
  readonly isAskedAgain: boolean;
}

const faults: readonly Fault[] = [
  { name: 'the window reloads while its card waits', happen: ({ window }) => window.reload(), isAskedAgain: true },
  {
    name: 'the extension host is killed while its card waits',
    async happen({ window }) {
      const killed = window.extensionHostPid;
      process.kill(killed, 'SIGKILL');
      await until(async () => (await window.evaluate(() => process.pid)) !== killed, 'a new extension host', 60_000);
    },
    isAskedAgain: true,
  },
  {
    name: 'the user stops Drawbridge while its card waits',
    async happen({ window }) {
      await window.command('drawbridge.stop');
    },
    isAskedAgain: false,
  },
];

interface Attempt {
  readonly name: string;
  /** Returns the failure; undefined when all is well. */
  attempt<Mode extends string>(assistant: GuardedAssistant<Mode>, setting: GuardSetting): Promise<string | undefined>;
}

/** Decisions that need more of the editor than its Approvals view, on the one edit of each assistant. */
const attempts: readonly Attempt[] = [
  {
    name: 'edited by the user in the diff',
    async attempt({ oneEdit, start }, setting) {
      const { window } = setting;
      const path = join(setting.folder, 'fault.txt');
      writeFiles(setting.folder, { 'fault.txt': forty() });
      const running = start(oneEdit.turns(path), oneEdit.mode, setting);
      void running.catch(() => undefined);
      const view = await openApprovals(window);
      await clickButton(view, /^Open diff of fault\.txt/);
      const right = window.page.locator('.monaco-diff-editor .modified .view-lines').first();
      await right.locator('.view-line', { hasText: /^LINE\s3$/ }).click();
      await window.page.keyboard.press('End');
      await window.page.keyboard.type(' (mine)');
      await decide(view, /^Approve my version: edit of fault\.txt/);
      const { told } = await running;
      await window.command('workbench.action.closeAllEditors');
      const found = readFileSync(path, 'utf8');
      if (found !== forty([3, 'LINE 3 (mine)']))
        return `the file is not as the user edited it: ${JSON.stringify(found)}`;
      return /LINE 3 \(mine\)/.test(told)
        ? undefined
        : `the model was not told of the user's edit: ${told.slice(0, 2000)}`;
    },
  },
  {
    name: 'approved after the call gave up waiting',
    async attempt({ oneEdit, start }, setting) {
      const { window } = setting;
      const path = join(setting.folder, 'fault.txt');
      writeFiles(setting.folder, { 'fault.txt': forty() });
      await shortenWait(window);
      const { told } = await start(oneEdit.turns(path), oneEdit.mode, setting);
      if (readFileSync(path, 'utf8') !== forty()) return 'the file was written before the user approved it';
      const page = await openApprovals(window);
      await decide(page, /^Approve edit of fault\.txt/);
      await until(() => readFileSync(path, 'utf8') === forty([3, 'LINE 3']), 'the window to make the late edit');
      return /The user has not decided about this edit yet/.test(told)
        ? undefined
        : `the model was not told that nobody decided: ${told.slice(0, 2000)}`;
    },
  },
];

/** Lets the next wait for a decision about an edit, which takes 20 days, end after three seconds. */
async function shortenWait(window: Window): Promise<void> {
  await window.evaluate(() => {
    const day = 24 * 60 * 60 * 1000;
    const { setTimeout: original } = globalThis;
    const shortened = (callback: () => void, milliseconds = 0): ReturnType<typeof original> => {
      const isWait = milliseconds > 19 * day && milliseconds < 20 * day;
      if (isWait) Object.assign(globalThis, { setTimeout: original });
      return original(callback, isWait ? 3000 : milliseconds);
    };
    Object.assign(globalThis, { setTimeout: shortened });
  });
}

/** Returns the failure when the file is not written exactly when the user approves the edit, after a fault. */
async function tryFault<Mode extends string>(
  { happen, isAskedAgain }: Fault,
  { oneEdit, start }: GuardedAssistant<Mode>,
  setting: GuardSetting,
): Promise<string | undefined> {
  const { window, folder, home } = setting;
  const path = join(folder, 'fault.txt');
  writeFiles(folder, { 'fault.txt': forty() });
  const running = start(oneEdit.turns(path), oneEdit.mode, setting);
  let hasEnded = false;
  void running.finally(() => (hasEnded = true)).catch(() => undefined);
  const waits = async (page: Frame): Promise<void> => {
    const approve = page.getByRole('button', { name: /^Approve edit of fault\.txt/ });
    await until(async () => hasEnded || (await approve.count()) === 1, 'its card', 60_000);
  };
  await waits(await openApprovals(window));
  await happen(setting);
  if (isAskedAgain) {
    const page = await openApprovals(window);
    await waits(page);
    if (readFileSync(path, 'utf8') !== forty()) return 'the file was written before the user approved it';
    await decide(page, /^Approve edit of fault\.txt/);
  }
  await running;
  if (!isAskedAgain) {
    await window.command('drawbridge.start');
    await until(() => readGuardsOf(home).includes(folder), 'the window to guard its folder');
  }
  const wanted = isAskedAgain ? forty([3, 'LINE 3']) : forty();
  const found = readFileSync(path, 'utf8');
  return found === wanted ? undefined : `the file is not as the user decided: ${JSON.stringify(found)}`;
}

/** Returns the texts of the guard records of windows that guard a folder now. */
function readGuardsOf(home: string): string {
  const records = readdirSync(join(home, 'guards')).map((name) => readFileSync(join(home, 'guards', name), 'utf8'));
  return records.filter((text) => text.startsWith('open')).join('\n');
}

async function tryCase<Mode extends string>(
  { files, turns, cards = 1, decide: decideCards, after, told }: GuardCase<Mode>,
  mode: Mode,
  assistant: GuardedAssistant<Mode>,
  setting: GuardSetting,
): Promise<string | undefined> {
  const pathOf = (name: string): string => join(setting.folder, name);
  for (const name of Object.keys(after)) rmSync(pathOf(name), { force: true });
  writeFiles(setting.folder, files);
  const running = assistant.start(turns(pathOf), mode, setting);
  let hasEnded = false;
  void running.finally(() => (hasEnded = true)).catch(() => undefined);
  const page = await openApprovals(setting.window);
  await until(async () => hasEnded || (await waitingCards(page).count()) === cards, `${cards} cards`, 60_000);
  if (hasEnded) return `it ended without a card: ${(await running).output.slice(0, 1000)}`;
  await decideCards(page);
  const { told: words } = await running;
  for (const [name, wanted] of Object.entries(after)) {
    const found = existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : undefined;
    if (found !== wanted) return `${name} is not as it was approved: ${JSON.stringify(found)}`;
  }
  if (!told.test(words)) return `the model was told something else: ${words.slice(0, 2000)}`;
  return (await waitingCards(page).count()) === 0 ? undefined : 'a card still waits';
}

/** Sets up the guard of an assistant in its own files, as Connect does. */
export async function setUpGuard(assistant: Assistant, { machine, home }: GuardSetting): Promise<void> {
  for (const change of await planParts(assistant, machine, { guard: true })) {
    if (change.isChange) await applyChange(change, home);
  }
}

/** Returns a text of forty lines, some of which are others. */
export function forty(...changes: readonly [line: number, text: string][]): string {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  for (const [line, changed] of changes) lines[line - 1] = changed;
  return `${lines.join('\n')}\n`;
}

export function crlf(lf: string): string {
  return lf.replaceAll('\n', '\r\n');
}

/** Declines the card of a file without a message. */
export async function decline(page: Frame, name: string): Promise<void> {
  await clickButton(page, new RegExp(`^Decline… .*${RegExp.escape(name)}`));
  await clickButton(page, new RegExp(`^Decline (?!and).*${RegExp.escape(name)}`));
}

/** Leaves a line out of what is approved. */
export async function leaveOut(page: Frame, line: number, name: string): Promise<void> {
  await page.getByRole('checkbox', { name: new RegExp(`^Include line ${line} of ${RegExp.escape(name)}`) }).click();
}

/** Words that the model must be told in its last request, by what the user does. */
export type WordsOfCases = Readonly<Record<'whole' | 'part' | 'declined' | 'two' | 'noFinalLineEnd', RegExp>>;

/**
 * Returns the usual cases for an assistant that replaces a whole text by another one.
 * @param edit returns the call that changes a file; its path is absolute and its texts have LF
 */
export function rewriteCases<Mode extends string>(
  edit: (path: string, before: string, after: string) => ToolCall,
  modes: readonly Mode[],
  told: WordsOfCases,
): readonly GuardCase<Mode>[] {
  const changed = forty([3, 'LINE 3'], [36, 'LINE 36']);
  const approve = (page: Frame, name: string): Promise<void> =>
    decide(page, new RegExp(`^Approve edit of ${RegExp.escape(name)}`));
  const turnsOf =
    (name: string, ...texts: readonly string[]): GuardCase<Mode>['turns'] =>
    (pathOf) => [texts.slice(1).map((text, index) => edit(pathOf(name), texts[index] ?? '', text)), 'Done.'];
  return [
    {
      name: 'approved as a whole',
      files: { 'whole.txt': forty() },
      turns: turnsOf('whole.txt', forty(), changed),
      decide: (page) => approve(page, 'whole.txt'),
      after: { 'whole.txt': changed },
      told: told.whole,
      modes,
    },
    {
      name: 'approved in part, with CRLF',
      files: { 'part.txt': crlf(forty()) },
      turns: turnsOf('part.txt', forty(), changed),
      async decide(page) {
        await leaveOut(page, 36, 'part.txt');
        await decide(page, /^Approve .*part\.txt/);
      },
      after: { 'part.txt': crlf(forty([3, 'LINE 3'])) },
      told: told.part,
      modes,
    },
    {
      name: 'declined',
      files: { 'declined.txt': forty() },
      turns: turnsOf('declined.txt', forty(), changed),
      decide: (page) => decline(page, 'declined.txt'),
      after: { 'declined.txt': forty() },
      told: told.declined,
      modes,
    },
    {
      name: 'two edits of one message',
      files: { 'two.txt': forty() },
      turns: turnsOf('two.txt', forty(), forty([3, 'LINE 3']), changed),
      async decide(page) {
        await approve(page, 'two.txt');
        await page.getByText('Edited two.txt').first().waitFor();
        await approve(page, 'two.txt');
      },
      after: { 'two.txt': changed },
      told: told.two,
      modes,
    },
    {
      name: 'without a line end after the last line',
      files: { 'end.txt': forty().trimEnd() },
      turns: turnsOf('end.txt', forty().trimEnd(), changed.trimEnd()),
      decide: (page) => approve(page, 'end.txt'),
      after: { 'end.txt': changed.trimEnd() },
      told: told.noFinalLineEnd,
      modes,
    },
  ];
}
