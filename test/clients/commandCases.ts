/** Commands that a real assistant runs in its own shell: what writes asks before, and what changes is listed afterwards. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { clickButton, decide, openApprovals, waitingCards } from '../e2e/approvalsPage.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import type { Attempt, GuardedRun } from './guardCases.ts';
import { writeFiles } from './recording.ts';

/**
 * Files that stand in the project before the first session of an assistant begins: an undo restores what its snapshot holds, and a
 * session that was killed keeps its snapshot.
 */
export const filesOfCommands = { 'kept.txt': 'one\n', 'script.sh': 'echo changed > kept.txt\n' };

/** The words of the user who declines a command. */
const message = 'Keep this file for the release.';

/** What every assistant is tried with, in a mode in which it asks about no command itself. */
export const commandAttempts: readonly Attempt[] = [
  {
    name: 'a command that writes runs once when the user approves it, and one that reads passes',
    async attempt({ commands: { call, mode }, start }, setting) {
      const { window, folder } = setting;
      const pathOf = (name: string): string => join(folder, name);
      rmSync(pathOf('count.txt'), { force: true });
      writeFiles(folder, { 'gone.txt': 'gone\n', 'read.txt': 'the kept text\n' });
      const turns = [[call('echo once >> count.txt && rm gone.txt')], [call('cat read.txt')], 'Done.'];
      const running = start(turns, mode, setting);
      const page = await openApprovals(window);
      const ended = await cardOf(running, page);
      if (ended !== undefined) return ended;
      if (!existsSync(pathOf('gone.txt'))) return 'the command ran before the user approved it';
      await showAction(page);
      await decide(page, /^Run: Run echo once/);
      const { told, output } = await running;
      if (existsSync(pathOf('gone.txt'))) {
        return `the command was not run after the user approved it: ${told.slice(-1000)} ${output.slice(-1000)}`;
      }
      const count = readFileSync(pathOf('count.txt'), 'utf8');
      if (count !== 'once\n') return `the command was run more than once: ${JSON.stringify(count)}`;
      return /the kept text/.test(told) ? undefined : `the read did not pass: ${told.slice(0, 2000)}`;
    },
  },
  {
    name: 'a program changes a file, whose undo waits for the end of the turn, and then a command is declined',
    async attempt({ name, commands: { call, mode }, start }, setting) {
      const { window, folder } = setting;
      const pathOf = (file: string): string => join(folder, file);
      const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8');
      writeFiles(folder, { ...filesOfCommands, 'declined.txt': 'declined\n' });
      await window.command('drawbridge.keepAllOutside');
      // The turn lasts while the card of its last command waits.
      const running = start([[call('sh script.sh')], [call('rm declined.txt')], 'Done.'], mode, setting);
      const ended = await cardOf(running, await openApprovals(window));
      if (ended !== undefined) return ended;
      if (textOf('kept.txt') !== 'changed\n') return 'the program did not pass';
      const row = await changeDuring(window, `${name}: sh script.sh`, 'kept.txt');
      await window.command('notifications.clearAll');
      await row.hover();
      await row.getByRole('button', { name: 'Undo' }).click();
      await window.page.getByText('The undo waits until the assistant has finished its turn').first().waitFor();
      await window.command('notifications.clearAll');
      if (textOf('kept.txt') !== 'changed\n') return 'the undo did not wait for the end of the turn';
      const page = await openApprovals(window);
      await showAction(page);
      await clickButton(page, /^Decline… Run rm declined\.txt/);
      await page.getByRole('textbox').fill(message);
      await decide(page, /^Decline Run rm declined\.txt/);
      const { told } = await running;
      if (textOf('declined.txt') !== 'declined\n') return 'the declined command was run';
      await until(() => textOf('kept.txt') === 'one\n', 'the undo at the end of the turn', 20_000);
      return told.includes(message) ? undefined : `the model was not told the user's words: ${told.slice(0, 2000)}`;
    },
  },
];

/**
 * Scrolls through the action of the last card that waits, whose end must be seen before it can be approved. The views below may leave less
 * room than the action needs.
 */
export async function showAction(page: Frame): Promise<void> {
  // The details of a finished card have an action too.
  const action = page.locator('main [data-stop] .action').last();
  if ((await action.count()) === 0) return;
  await action.scrollIntoViewIfNeeded();
  await action.getByRole('listitem').last().scrollIntoViewIfNeeded();
}

/** Waits for one card. Returns the failure when the assistant ends without it. */
async function cardOf(running: Promise<GuardedRun>, page: Frame): Promise<string | undefined> {
  let hasEnded = false;
  void running.finally(() => (hasEnded = true)).catch(() => undefined);
  await until(async () => hasEnded || (await waitingCards(page).count()) === 1, 'its card', 60_000);
  return hasEnded ? `it ended without a card: ${(await running).output.slice(0, 1000)}` : undefined;
}

/** Returns the row of a file in the view "Changed Outside". Throws when it does not stand right below the row of this command. */
async function changeDuring(window: Window, command: string, file: string): Promise<Locator> {
  await window.command('drawbridge.outside.focus');
  const pane = window.page.locator('.pane', { has: window.page.getByRole('button', { name: /^Changed Outside/ }) });
  const rows = pane.getByRole('treeitem');
  const row = pane.getByRole('treeitem', { name: new RegExp(`^${RegExp.escape(file)}`) }).first();
  let seen: readonly string[] = [];
  const isBelow = async (): Promise<boolean> => {
    const found: { readonly top: number; readonly label: string }[] = [];
    for (const each of await rows.all()) {
      const top = (await each.boundingBox())?.y ?? 0;
      found.push({ top, label: (await each.getAttribute('aria-label')) ?? '' });
    }
    seen = found.toSorted((one, other) => one.top - other.top).map(({ label }) => label);
    const index = seen.findIndex((label) => label.startsWith(command));
    return index !== -1 && seen[index + 1]?.startsWith(file) === true;
  };
  await until(isBelow, `${file} below "${command}"`, 20_000).catch(() => {
    throw new Error(`${file} is not below "${command}", but there are ${JSON.stringify(seen)}`);
  });
  return row;
}
