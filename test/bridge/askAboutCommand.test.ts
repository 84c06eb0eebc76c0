import { mkdirSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NativeCommand, NativeMoment } from '#base/nativeCommand.ts';
import type { NativeAnswer } from '#base/nativeEdit.ts';
import { askAboutCommand, tellMoment } from '#bridge/askWindows.ts';
import { switchGuardsOff } from '#home/guardsOff.ts';
import { writeGuard } from '#home/windowGuard.ts';
import { temporaryFolder } from '../mcp/fixture.ts';
import { openHookWindow } from './hookWindow.ts';

const none: NativeAnswer = { decision: 'none' };
const allow: NativeAnswer = { decision: 'allow', files: [] };
const own = `cat ${join(userInfo().homedir, '.claude', 'settings.json')}`;

async function setUp() {
  const root = realpathSync(await temporaryFolder());
  const [home, shop, other] = [join(root, 'home'), join(root, 'shop'), join(root, 'other')];
  for (const folder of [shop, other]) mkdirSync(folder);
  const commandIn = (folder: string, text = 'make', event: NativeCommand['event'] = 'before'): NativeCommand => ({
    event,
    assistant: 'Claude Code',
    session: 's',
    call: 'c',
    tool: 'Bash',
    command: { shell: 'bash', text, folder },
  });
  const momentIn = (folder: string, event: NativeMoment['event']): NativeMoment => ({
    event,
    assistant: 'Claude Code',
    session: 's',
    folder,
  });
  return { root, home, shop, other, commandIn, momentIn };
}

describe('a command', () => {
  test('passes without an opinion where nobody guards, and asks the windows that it concerns', async () => {
    const { root, home, shop, other, commandIn } = await setUp();
    expect(await askAboutCommand(commandIn(shop), home)).toEqual(none);
    const { told } = await openHookWindow(home, 'one', [shop], allow);
    expect(await askAboutCommand(commandIn(other), home)).toEqual(none);
    expect(told).toEqual([]);
    for (const asked of [commandIn(shop), commandIn(root), commandIn(other, `rm ${shop}/a`)]) {
      expect(await askAboutCommand(asked, home)).toEqual(allow);
    }
    expect(told).toHaveLength(3);
    expect(told[0]).toEqual(commandIn(shop));
  });

  test('is refused when one of the windows refuses it', async () => {
    const { root, home, shop, other, commandIn } = await setUp();
    const one = await openHookWindow(home, 'one', [shop], allow);
    const two = await openHookWindow(home, 'two', [other], { decision: 'deny', words: 'No.' });
    expect(await askAboutCommand(commandIn(root), home)).toEqual({ decision: 'deny', words: 'No.' });
    expect(await askAboutCommand(commandIn(shop), home)).toEqual(allow);
    expect(await askAboutCommand(commandIn(shop, 'rm ../other/a'), home)).toEqual({ decision: 'deny', words: 'No.' });
    expect(one.told.length + two.told.length).toBeGreaterThan(3);
  });

  test('G3: is refused in words when its window stays away', async () => {
    const { home, shop, other, commandIn } = await setUp();
    await writeGuard(home, { windowId: 'gone', state: 'open', folders: [shop] });
    const answer = await askAboutCommand(commandIn(shop), home, 50);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('this command was not run') });
    expect(await askAboutCommand(commandIn(other), home, 50)).toEqual(none);
  });

  test('is sent whole, whatever its length', async () => {
    const { home, shop, commandIn } = await setUp();
    const { told } = await openHookWindow(home, 'one', [shop], allow);
    const asked = commandIn(shop, `cat <<'E'\n${'x'.repeat(1_000_000)}\nE`);
    expect(await askAboutCommand(asked, home)).toEqual(allow);
    expect(told).toEqual([asked]);
  });

  test('passes while the user has switched the guard off', async () => {
    const { home, shop, commandIn } = await setUp();
    const { told } = await openHookWindow(home, 'one', [shop], { decision: 'deny', words: 'No.' });
    await switchGuardsOff(home, Date.now() + 60_000);
    expect(await askAboutCommand(commandIn(shop), home)).toEqual(none);
    expect(told).toEqual([]);
  });

  test('G7: is marked when it names a setting of the guard, and refused where no window is asked', async () => {
    const { home, shop, other, commandIn } = await setUp();
    expect(await askAboutCommand(commandIn(shop, own), home)).toEqual(none);
    const { told } = await openHookWindow(home, 'one', [shop], allow);
    expect(await askAboutCommand(commandIn(shop, own), home)).toEqual(allow);
    expect(told).toMatchObject([{ command: { namesOwnSettings: true } }]);
    const refused = { decision: 'deny', words: expect.stringContaining('Ask the user to run it') };
    expect(await askAboutCommand(commandIn(other, own), home)).toMatchObject(refused);
    await switchGuardsOff(home, Date.now() + 60_000);
    expect(await askAboutCommand(commandIn(shop, own), home)).toMatchObject(refused);
    expect(told).toHaveLength(1);
  });

  test('that has ended is told to the windows that are there, also while the guard is off', async () => {
    const { root, home, shop, other, commandIn } = await setUp();
    const { told } = await openHookWindow(home, 'one', [shop], { decision: 'none', words: 'Left out.' });
    await writeGuard(home, { windowId: 'gone', state: 'open', folders: [other] });
    await switchGuardsOff(home, Date.now() + 60_000);
    const after = commandIn(root, 'make', 'after');
    expect(await askAboutCommand(after, home, 60_000)).toEqual({ decision: 'none', words: 'Left out.' });
    expect(told).toEqual([after]);
  });
});

describe('a moment of a session', () => {
  test('that it began is told to the windows of its folder and of folders below, and no window is waited for', async () => {
    const { root, home, shop, other, momentIn } = await setUp();
    const { told } = await openHookWindow(home, 'one', [shop], { decision: 'deny', words: 'No.' });
    await writeGuard(home, { windowId: 'gone', state: 'open', folders: [shop] });
    await tellMoment(momentIn(shop, 'sessionBegan'), home);
    await tellMoment(momentIn(root, 'sessionBegan'), home);
    await tellMoment(momentIn(other, 'sessionBegan'), home);
    expect(told).toEqual([momentIn(shop, 'sessionBegan'), momentIn(root, 'sessionBegan')]);
  });

  test('that its turn or itself has ended is told to all windows, because it may have gone elsewhere', async () => {
    const { home, shop, other, momentIn } = await setUp();
    const { told } = await openHookWindow(home, 'one', [shop]);
    const ends = [momentIn(other, 'turnEnded'), momentIn(other, 'sessionEnded')];
    for (const end of ends) await tellMoment(end, home);
    expect(told).toEqual(ends);
  });
});
