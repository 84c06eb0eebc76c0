import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide, openApprovals } from '../approvalsPage.ts';
import { type Bridge, bridgeSdks, launcherOf, startBridge } from '../bridgeClient.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, until } from '../harness.ts';

let drawbridge: Drawbridge;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: { 'other.txt': 'other\n' } });
  await drawbridge.record();
  await until(() => existsSync(launcherOf(drawbridge.host.home)), 'the launcher');
});
afterAll(() => drawbridge?.stop());

const startBridges = (directory: string): Promise<Bridge[]> =>
  Promise.all(bridgeSdks.map((sdk) => startBridge({ home: drawbridge.host.home, directory, sdk })));

it('A43: uses the only open window once its user agrees by a card, until a window on the directory opens', async () => {
  const folder = tempWorkspace({ 'who.txt': 'right\n' }, 'right');
  const { windowId: otherId } = await drawbridge.record();
  const bridges = await startBridges(folder);
  const page = await openApprovals(drawbridge.window);
  const answers: readonly (string | undefined)[] = [
    'Yes, until this assistant ends',
    undefined,
    'Yes, and always from this folder',
  ];
  for (const [at, bridge] of bridges.entries()) {
    expect(await bridge.toolNames()).toContain('read_file');
    const read = bridge.say('read_file', { path: 'other.txt' });
    const card = page.getByRole('article', { name: /wants to use this window$/ });
    await card.getByText(`It works in ${folder}, which this window does not have open.`).waitFor();
    expect(bridge.stderr()).toContain('it is the only window that is open, and asks its user');
    const choice = answers[at];
    if (choice === undefined) await decide(page, /^Dismiss the question/);
    else {
      await card.getByRole('radio', { name: choice }).check();
      await decide(page, /^Answer the question/);
    }
    expect(await read).toContain(choice === undefined ? 'did not let you use it' : 'other');
    if (choice !== undefined) expect(await bridge.windowId()).toBe(otherId);
    else expect(await bridge.say('get_workspace')).toContain('did not let you use it');
  }
  // The last answer was for the folder, so that the next assistant there is not asked about.
  const next = await startBridge({ home: drawbridge.host.home, directory: folder });
  expect(await next.windowId()).toBe(otherId);
  await next.close();
  const window = await drawbridge.host.openWindow({ folder });
  const { windowId } = await drawbridge.record(window);
  for (const bridge of bridges) {
    await until(async () => (await bridge.windowId()) === windowId, 'the bridge to be with the right window');
    expect(bridge.stderr()).toContain(folder);
    await bridge.close();
  }
  await window.close();
});

it('offers the same tools while no window is open and says what to do, and serves calls once the window opens', async () => {
  const { host } = drawbridge;
  // With one window open that one would be used.
  const empty = await host.openWindow();
  await drawbridge.record(empty);
  const folder = tempWorkspace({ 'who.txt': 'late\n' }, 'late');
  const bridges = await startBridges(folder);
  const there = await startBridge({ home: host.home, directory: drawbridge.folder ?? '' });
  const tools = await there.toolNames();
  await there.close();
  for (const bridge of bridges) {
    expect(await bridge.toolNames()).toEqual(tools);
    const said = await bridge.say('read_file', { path: 'who.txt' });
    expect(said).toContain('[workspace_unavailable]');
    expect(said).toContain(folder);
    expect(said).toContain(drawbridge.folder);
  }
  const window = await host.openWindow({ folder });
  const { windowId } = await drawbridge.record(window);
  for (const bridge of bridges) {
    // Clients that listen get a notification; other clients just call again.
    await until(() => bridge.toolListChanges() > 0, 'the bridge to say that there are tools now');
    expect(await bridge.windowId()).toBe(windowId);
    expect(await bridge.say('read_file', { path: 'who.txt' })).toContain('late');
    await bridge.close();
  }
  await window.close();
  await empty.close();
});
