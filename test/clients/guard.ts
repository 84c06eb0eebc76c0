/** Guards a real assistant: its edits and commands are decided in the Approvals view of a real window. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { clickButton, decide, openApprovals, waitingCards } from '../e2e/approvalsPage.ts';
import { progress } from '../host/progress.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import { size } from '../size.ts';
import { commandAttempts, showAction } from './commandCases.ts';
import { type Attempt, forty, type GuardCase, type GuardedAssistant, type GuardSetting } from './guardCases.ts';
import type { Turn } from './modelServer.ts';
import { writeFiles } from './recording.ts';

/** Returns the failures, by case and mode; none when all is well. */
export async function guard<Mode extends string>(
  assistant: GuardedAssistant<Mode>,
  setting: GuardSetting,
): Promise<readonly string[]> {
  // The views share the side bar, and a command must be seen as a whole before it can be approved.
  await setting.window.setViewport(1280, 1600);
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
  for (const each of [...attempts, ...commandAttempts]) {
    const title = `${assistant.name}, guarded: ${each.name}`;
    progress(title);
    const problem = await each.attempt(assistant, setting).catch((error: unknown) => String(error));
    if (problem !== undefined) problems.push(`${title}: ${problem}`);
  }
  for (let round = 1; round <= faultRounds; round += 1) {
    for (const fault of faults) {
      for (const waiting of waitingCalls(assistant)) {
        const name = `${assistant.name}, guarded: ${fault.name} while the card of ${waiting.name} waits (${round} of ${faultRounds})`;
        progress(name);
        const problem = await tryFault(fault, waiting, assistant, setting).catch((error: unknown) => String(error));
        if (problem !== undefined) problems.push(`${name}: ${problem}`);
      }
    }
  }
  return problems;
}

/** The number of times that each fault happens to each assistant; with five assistants, 120 faults in the nightly run. */
const faultRounds = size({ quick: 1, full: 4 });

interface Fault {
  readonly name: string;
  /** Lets the fault happen while the card waits. */
  readonly happen: (setting: GuardSetting) => Promise<void>;
  /** The user is asked again; otherwise the call is refused. */
  readonly isAskedAgain: boolean;
}

const faults: readonly Fault[] = [
  { name: 'the window reloads', happen: ({ window }) => window.reload(), isAskedAgain: true },
  {
    name: 'the extension host is killed',
    async happen({ window }) {
      const killed = window.extensionHostPid;
      process.kill(killed, 'SIGKILL');
      await until(async () => (await window.evaluate(() => process.pid)) !== killed, 'a new extension host', 60_000);
    },
    isAskedAgain: true,
  },
  {
    name: 'the user stops Drawbridge',
    async happen({ window }) {
      await window.command('drawbridge.stop');
    },
    isAskedAgain: false,
  },
];

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

/** A call of the assistant whose card waits while a fault happens. It changes `fault.txt`, which has the text of `forty`. */
interface WaitingCall<Mode extends string> {
  readonly name: string;
  readonly turns: (path: string) => readonly Turn[];
  readonly mode: Mode;
  /** The name of the button that approves it. */
  readonly approve: RegExp;
  /** The text of the file afterwards. */
  readonly after: string;
}

function waitingCalls<Mode extends string>({
  oneEdit,
  commands: { call, mode },
}: GuardedAssistant<Mode>): readonly WaitingCall<Mode>[] {
  return [
    { name: 'an edit', ...oneEdit, approve: /^Approve edit of fault\.txt/, after: forty([3, 'LINE 3']) },
    {
      name: 'a command',
      turns: () => [[call('echo once >> fault.txt')], 'Done.'],
      mode,
      approve: /^Run: Run echo once/,
      after: `${forty()}once\n`,
    },
  ];
}

/** Returns the failure when the file is not changed exactly when the user approves the call, after a fault. */
async function tryFault<Mode extends string>(
  { happen, isAskedAgain }: Fault,
  { turns, mode, approve, after }: WaitingCall<Mode>,
  { start }: GuardedAssistant<Mode>,
  setting: GuardSetting,
): Promise<string | undefined> {
  const { window, folder, home } = setting;
  const path = join(folder, 'fault.txt');
  writeFiles(folder, { 'fault.txt': forty() });
  const running = start(turns(path), mode, setting);
  let hasEnded = false;
  void running.finally(() => (hasEnded = true)).catch(() => undefined);
  const waits = async (page: Frame): Promise<void> => {
    const button = page.getByRole('button', { name: approve });
    await until(async () => hasEnded || (await button.count()) === 1, 'its card', 60_000);
  };
  await waits(await openApprovals(window));
  if (hasEnded) return `it ended without a card: ${(await running).output.slice(0, 1000)}`;
  await happen(setting);
  if (isAskedAgain) {
    const page = await openApprovals(window);
    await waits(page);
    if (readFileSync(path, 'utf8') !== forty()) return 'the file was written before the user approved it';
    await showAction(page);
    await decide(page, approve);
  }
  await running;
  if (!isAskedAgain) {
    await window.command('drawbridge.start');
    await until(() => readGuardsOf(home).includes(folder), 'the window to guard its folder');
  }
  const wanted = isAskedAgain ? after : forty();
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
