import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { Emitter } from '#base/event.ts';
import { guardPath, readGuards } from '#home/guards.ts';
import { type GuardOptions, WindowGuard, writeGuard } from '#home/windowGuard.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { temporaryState } from './temporaryState.ts';

function setUp() {
  const { home } = temporaryState();
  const changed = new Emitter<void>();
  const server: { running: object | undefined; state: GuardOptions['server']['state'] } = {
    running: {},
    state: 'running',
  };
  const workspace = new FakeWorkspace();
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const guard = new WindowGuard({
    home,
    clock,
    workspace,
    server: {
      get running() {
        return server.running;
      },
      get state() {
        return server.state;
      },
      onDidChange: changed.event,
    },
    onError: (error) => void errors.push(error),
  });
  const stateNow = async (): Promise<string | undefined> => (await readGuards(home))[0]?.state;
  return { home, changed, server, workspace, clock, errors, guard, stateNow };
}

/** Waits until the record on disk is as expected. */
const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 10_000 });

describe('the guard record of a window', () => {
  test('is open while the server runs, and goes when the user stops it', async () => {
    const { changed, server, stateNow, errors } = setUp();
    await eventually(async () => expect(await stateNow()).toBe('open'));
    Object.assign(server, { running: undefined, state: 'stopped' });
    changed.fire();
    await eventually(async () => expect(await stateNow()).toBeUndefined());
    expect(errors).toEqual([]);
  });

  test('stays while the server restarts, so that no edit passes meanwhile', async () => {
    const { home, changed, server, clock } = setUp();
    await eventually(async () => expect(await readGuards(home)).toHaveLength(1));
    Object.assign(server, { running: undefined, state: 'starting' });
    changed.fire();
    const [before] = await readGuards(home);
    clock.advance(30_000);
    await eventually(async () =>
      expect((await readGuards(home))[0]?.changedAt).toBeGreaterThan(before?.changedAt ?? 0),
    );
    expect(await readGuards(home)).toMatchObject([{ state: 'open' }]);
  });

  test('stays when the server cannot start again, and goes when the user then stops it', async () => {
    const { home, changed, server, clock, stateNow } = setUp();
    await eventually(async () => expect(await stateNow()).toBe('open'));
    Object.assign(server, { running: undefined, state: 'failed' });
    changed.fire();
    const [before] = await readGuards(home);
    clock.advance(30_000);
    await eventually(async () =>
      expect((await readGuards(home))[0]?.changedAt).toBeGreaterThan(before?.changedAt ?? 0),
    );
    expect(await stateNow()).toBe('open');
    server.state = 'stopped';
    changed.fire();
    await eventually(async () => expect(await stateNow()).toBeUndefined());
  });

  test('is closed at the end of the window, which may be a reload, whatever the server does then', async () => {
    const { changed, server, stateNow, guard, clock } = setUp();
    await eventually(async () => expect(await stateNow()).toBe('open'));
    await guard.end();
    server.running = undefined;
    changed.fire();
    expect(await stateNow()).toBe('closed');
    expect(clock.pendingTimers).toBe(0);
  });

  test('takes the place of the records of windows that ended with the same folders', async () => {
    const { home, clock, workspace } = setUp();
    await eventually(async () => expect(await readGuards(home)).toHaveLength(1));
    const own = workspace.folders().map(({ realPath }) => realPath);
    for (const [windowId, folders] of [
      ['ended', own],
      ['elsewhere', ['/elsewhere']],
    ] as const) {
      await writeGuard(home, { windowId, state: 'open', folders });
      const record = guardPath(home, windowId);
      writeFileSync(record, readFileSync(record, 'utf8').replace(/"pid":\d+/, '"pid":4194303'));
    }
    clock.advance(30_000);
    await eventually(async () =>
      expect((await readGuards(home)).map(({ windowId }) => windowId).toSorted()).toEqual(
        ['elsewhere', workspace.windowId].toSorted(),
      ),
    );
  });

  test('is written again every 30 seconds', async () => {
    const { home, clock, stateNow } = setUp();
    await eventually(async () => expect(await stateNow()).toBe('open'));
    const [before] = await readGuards(home);
    clock.advance(30_000);
    await eventually(async () =>
      expect((await readGuards(home))[0]?.changedAt).toBeGreaterThan(before?.changedAt ?? 0),
    );
  });

  test('is not written for a workspace that is not trusted', async () => {
    const { workspace, changed, stateNow, guard } = setUp();
    workspace.trusted = false;
    changed.fire();
    await eventually(async () => expect(await stateNow()).toBeUndefined());
    await guard.end();
    expect(await stateNow()).toBeUndefined();
  });
});
