import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { bringUp, clickButton, decide, openApprovals, openGroups } from '../approvalsPage.ts';
import { approvalSeconds, type Answer, textOfAnswer } from '../assistant.ts';
import {
  type Bridge,
  type BridgeOptions,
  type BridgeSdk,
  bridgeSdks,
  bundledBridge,
  launcherOf,
  startBridge,
} from '../bridgeClient.ts';
import { isNightlyOnly } from '../../size.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, until } from '../harness.ts';

/** How long a call waits for the user: as long as a test may take, or not at all. */
const settings = { 'drawbridge.clients': { patient: { approvalSeconds }, hurried: { approvalSeconds: 1 } } };

const outcome = z.looseObject({
  structuredContent: z.looseObject({ status: z.string(), approvalId: z.string() }),
});
const statusOf = (answer: Answer): string => outcome.parse(answer).structuredContent.status;
/** The error codes of a call whose window reloaded; the assistant calls again. */
const retryable: readonly string[] = ['session_closed', 'workspace_unavailable'];

/** The outcome of a call in one word: `ok`, a status, or a code; the whole text of any other error. */
function kindOf(answer: Answer): string {
  if (answer.isError === true) {
    const text = textOfAnswer(answer);
    return /\[(session_closed|workspace_unavailable)\]/.exec(text)?.[1] ?? text;
  }
  const status = outcome.safeParse(answer).data?.structuredContent.status;
  return status === undefined ? 'ok' : status;
}

let drawbridge: Drawbridge;
let home: string;
let directory: string;

beforeAll(async () => {
  const names = bridgeSdks.flatMap((sdk) => [late(sdk), unfinished(sdk), ...waiting(sdk)]);
  const files = Object.fromEntries(names.map((name) => [name, 'one\n']));
  drawbridge = await startDrawbridge({ files: { 'who.txt': 'here\n', ...files }, settings });
  ({ home } = drawbridge.host);
  directory = drawbridge.folder ?? '';
  await drawbridge.record();
  await until(() => existsSync(launcherOf(home)), 'the launcher');
});
afterAll(() => drawbridge?.stop());

/** The file that is edited by a call which does not wait. */
const late = (sdk: BridgeSdk): string => `${sdk} late.txt`;
/** The file that is edited by a call which the end of the extension host cuts off. */
const unfinished = (sdk: BridgeSdk): string => `${sdk} unfinished.txt`;
/** Those that are edited by calls which wait for the user. */
const waiting = (sdk: BridgeSdk): string[] => Array.from({ length: 5 }, (_, at) => `${sdk} ${at}.txt`);
const edit = (path: string) => ({ edits: [{ path, oldText: 'one', newText: 'two' }] });
const textOf = (path: string): string => readFileSync(join(directory, path), 'utf8');

type Users = readonly { readonly sdk: BridgeSdk; readonly bridge: Bridge }[];

/** Bridges of all three SDKs, which are ended again. */
async function withBridges(options: Omit<BridgeOptions, 'sdk'>, use: (bridges: Users) => Promise<void>): Promise<void> {
  const started = bridgeSdks.map(async (sdk) => ({ sdk, bridge: await startBridge({ ...options, sdk }) }));
  const bridges = await Promise.all(started);
  try {
    await use(bridges);
  } finally {
    await Promise.all(bridges.map(({ bridge }) => bridge.close()));
  }
}

it('holds 45 reads and 5 waiting calls of each bridge while the window reloads, and gives each its answer', async () => {
  await withBridges({ home, directory, name: 'patient' }, async (bridges) => {
    const { windowId } = await drawbridge.record();
    const changes = bridges.flatMap(({ sdk, bridge }) =>
      waiting(sdk).map((path) => bridge.call('apply_edit', edit(path))),
    );
    await openGroups(await openApprovals(drawbridge.window), changes.length);
    const reload = { hasEnded: false };
    const reloading = drawbridge.window.reload().finally(() => (reload.hasEnded = true));
    const kinds: string[] = [];
    const read = async ({ bridge }: Users[number]): Promise<void> => {
      do kinds.push(kindOf(await bridge.call('read_file', { path: 'who.txt' })));
      while (!reload.hasEnded);
    };
    await Promise.all([reloading, ...bridges.flatMap((each) => Array.from({ length: 45 }, () => read(each)))]);
    expect(kinds.filter((kind) => kind !== 'ok')).toEqual([]);
    for (const path of bridgeSdks.flatMap(waiting)) expect(textOf(path)).toBe('one\n');
    const page = await openApprovals(drawbridge.window);
    await openGroups(page, changes.length);
    for (const path of bridgeSdks.flatMap(waiting)) await decide(page, new RegExp(`^Approve edit of ${path}`));
    expect((await Promise.all(changes)).map(kindOf)).toEqual(changes.map(() => 'applied'));
    await drawbridge.record();
    for (const { bridge } of bridges) expect(await bridge.windowId()).toBe(windowId);
  });
  for (const path of bridgeSdks.flatMap(waiting)) expect(textOf(path)).toBe('two\n');
});

it('F9: restores the approvals and a review tab after a reload, and get_approval returns them to the bridge, still the same caller', async () => {
  await withBridges({ home, directory, name: 'hurried' }, async (bridges) => {
    const proposed = bridges.map(async ({ sdk, bridge }) =>
      outcome.parse(await bridge.call('apply_edit', edit(late(sdk)))),
    );
    const ids = (await Promise.all(proposed)).map(({ structuredContent }) => structuredContent.approvalId);
    const inTab = late(bridges[0]?.sdk ?? 'v1');
    const before = await openApprovals(drawbridge.window);
    await openGroups(before, ids.length);
    await bringUp(before, new RegExp(`^Approve edit of ${inTab}`));
    await clickButton(before, /^Review in a tab/);
    const draft = { name: 'Tell the assistant why (optional)' };
    const draftOf = (page: Frame): Promise<string> => page.getByRole('textbox', draft).inputValue({ timeout: 1000 });
    const old = await drawbridge.window.webview('body[data-view="tab"] article');
    await clickButton(old, /^Decline… /);
    await old.getByRole('textbox', draft).fill('half a sentence');
    // A page that is drawn anew shows the draft once the extension host has it.
    await drawbridge.window.command('workbench.action.files.newUntitledFile');
    await until(() => old.isDetached(), 'the review tab to be hidden');
    await drawbridge.window.command('workbench.action.closeActiveEditor');
    const again = await drawbridge.window.webview('body[data-view="tab"] article');
    await until(async () => (await draftOf(again)) === 'half a sentence', 'the draft on a page that is drawn anew');
    await drawbridge.window.reload();
    const tab = await drawbridge.window.webview('body[data-view="tab"] article');
    await until(async () => (await draftOf(tab)) === 'half a sentence', 'the draft after the reload');
    const page = await openApprovals(drawbridge.window);
    for (const [at, { sdk, bridge }] of bridges.entries()) {
      const status = async (): Promise<string> => statusOf(await bridge.call('get_approval', { approvalId: ids[at] }));
      expect(await status()).toBe('pending_approval');
      await decide(late(sdk) === inTab ? tab : page, new RegExp(`^Approve edit of ${late(sdk)}`));
      await until(() => textOf(late(sdk)) === 'two\n', 'the approved bytes');
      expect(await status()).toBe('applied');
    }
  });
});

it('returns a retryable error after kill -9 of the extension host, serves calls once the editor has started a new host, and keeps the card that waited', async () => {
  await withBridges({ home, directory, name: 'patient' }, async (bridges) => {
    const { windowId } = await drawbridge.record();
    for (const { bridge } of bridges) expect(await bridge.windowId()).toBe(windowId);
    const interrupted = bridges.map(({ sdk, bridge }) => bridge.call('apply_edit', edit(unfinished(sdk))));
    const before = await openApprovals(drawbridge.window);
    await openGroups(before, interrupted.length);
    const killed = drawbridge.window.extensionHostPid;
    process.kill(killed, 'SIGKILL');
    const kinds = await Promise.all(bridges.map(async ({ bridge }) => kindOf(await bridge.call('get_workspace'))));
    expect(kinds.filter((kind) => ![...retryable, 'ok'].includes(kind))).toEqual([]);
    const ends = (await Promise.all(interrupted)).map(kindOf);
    expect(ends.filter((kind) => !retryable.includes(kind))).toEqual([]);
    for (const { bridge } of bridges) {
      await until(async () => kindOf(await bridge.call('get_workspace')) === 'ok', 'the window to be back');
      expect(await bridge.windowId()).toBe(windowId);
    }
    await drawbridge.window.evaluate((vscode) => vscode.workspace.name);
    expect(drawbridge.window.extensionHostPid).not.toBe(killed);
    const page = await openApprovals(drawbridge.window);
    await openGroups(page, interrupted.length);
    const again = bridges.map(({ sdk, bridge }) => bridge.call('apply_edit', edit(unfinished(sdk))));
    for (const { sdk } of bridges) await decide(page, new RegExp(`^Approve edit of ${unfinished(sdk)}`));
    expect((await Promise.all(again)).map(kindOf)).toEqual(again.map(() => 'applied'));
  });
});

// bridgeWaiting.test.ts starts a bridge before its window in every run.
it.skipIf(isNightlyOnly)(
  'connects a bridge that started before the editor, and connects it again after a restart',
  async () => {
    const folder = tempWorkspace({ 'who.txt': 'later\n', 'below/a.txt': '' });
    const state = join(tempWorkspace({}, 'state'), 'home');
    const options = { home: state, directory: join(folder, 'below'), command: bundledBridge };
    await withBridges(options, async (bridges) => {
      for (let run = 1; run <= 2; run += 1) {
        for (const { bridge } of bridges) {
          const hasNone = async (): Promise<boolean> =>
            kindOf(await bridge.call('get_workspace')) === 'workspace_unavailable';
          await until(hasNone, 'the bridge to be without a window');
          expect(await bridge.say('read_file', { path: 'who.txt' })).toContain(folder);
        }
        const editor = await startDrawbridge({ folder, home: state });
        try {
          const { windowId } = await editor.record();
          for (const { bridge } of bridges) {
            const isThere = async (): Promise<boolean> => (await bridge.windowId().catch(() => '')) === windowId;
            await until(isThere, 'the bridge to be with the window');
            expect(await bridge.say('read_file', { path: 'who.txt' })).toContain('later');
          }
        } finally {
          await editor.stop();
        }
      }
    });
  },
);
