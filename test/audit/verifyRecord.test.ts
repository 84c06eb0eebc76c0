import { appendFileSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { auditRecord } from '#audit/auditRecord.ts';
import { sealLine } from '#audit/hashChain.ts';
import { removeOldRecords } from '#audit/retention.ts';
import { readRunEnds } from '#audit/runEnds.ts';
import { HeadKeeper } from '#audit/storedHeads.ts';
import { verifyRecord } from '#audit/verifyRecord.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryState } from '../home/temporaryState.ts';
import { auditRun, FakeSecrets, storedHeads } from './auditRun.ts';

const day = 24 * 60 * 60_000;
const onError = (error: unknown): never => {
  throw error;
};

/** The record of several runs, as the windows of one machine write it. */
function record() {
  const clock = new FakeClock();
  const state = temporaryState();
  const secrets = new FakeSecrets();
  const heads = storedHeads(state, secrets);
  const setMoment = (path: string): void => utimesSync(path, clock.now() / 1000, clock.now() / 1000);
  /** Starts a run whose first line carries the ends of the runs before it. */
  const begin = async (windowId: string, mostFileBytes?: number) => {
    clock.advance(1000);
    const before = await readRunEnds(state.audit, clock.now());
    const run = auditRun({ state, clock, windowId, before, ...(mostFileBytes !== undefined && { mostFileBytes }) });
    const keeper = new HeadKeeper({ heads, fileAuditLog: run.log, clock, onError });
    // A head may still be on its way to the storage when the test is over and its folder goes.
    onTestFinished(() => keeper.end());
    const calls = (count: number): void => {
      for (let call = 0; call < count; call += 1) run.oneCall();
      setMoment(run.log.head.path);
    };
    return { ...run, keeper, calls };
  };
  type Run = Awaited<ReturnType<typeof begin>>;
  /** Ends a run without its last head, as a kill does; what was stored before stays. */
  const kill = async ({ keeper, log }: Run): Promise<void> => {
    await vi.waitFor(async () => {
      const stored = await heads.locked((held) => held.read());
      expect(stored.map(({ auditFile }) => auditFile)).toContain(basename(log.head.path));
    });
    const kept = new Map(secrets.kept);
    await keeper.end();
    secrets.kept.clear();
    for (const [key, value] of kept) secrets.kept.set(key, value);
  };
  const verify = ({ log }: Pick<Run, 'log'>, oldest = 0) =>
    verifyRecord({ folder: state.audit, head: () => log.head, heads, oldest });
  const problems = async (run: Pick<Run, 'log'>) => {
    const { runs, missing } = await verify(run);
    return { problems: runs.flatMap(({ problem }) => problem ?? []), missing };
  };
  return { clock, state, secrets, heads, begin, kill, verify, problems };
}
const nothing = { problems: [], missing: [] };

test('A48: says nothing of runs that ended, were killed and run at the same time', async () => {
  const { begin, kill, verify } = record();
  const [ended, killed] = [await begin('ended'), await begin('killed')];
  ended.calls(2);
  killed.calls(60);
  await ended.keeper.end();
  await kill(killed);
  const [other, own] = [await begin('other'), await begin('own')];
  other.calls(1);
  own.calls(1);
  other.calls(3);
  await other.keeper.end();
  const { runs, ...rest } = await verify(own);
  expect(runs.map(({ problem, lines }) => [problem, lines])).toEqual([
    [undefined, 4],
    [undefined, 120],
    [undefined, 8],
    [undefined, 2],
  ]);
  expect(rest).toEqual({ missing: [], unconfirmed: 0, unrecorded: 0, withoutHead: 0, problem: undefined });
});

describe('A47: the end of a run', () => {
  test('Verify Audit reports lines as missing up to the last stored head when they were cut off a killed run', async () => {
    const { begin, kill, problems, state, clock } = record();
    const killed = await begin('killed');
    killed.calls(50);
    await kill(killed);
    const own = auditRun({ state, clock, windowId: 'own' });
    killed.damage((lines) => lines.slice(0, -3));
    const found = { path: killed.path, line: 97, kind: 'end_removed', missing: 3 };
    expect(await problems(own)).toEqual({ problems: [found], missing: [] });
  });

  test('Verify Audit reports lines as missing when a later run carries the end that was cut off, although no head is stored', async () => {
    const { begin, kill, problems, secrets } = record();
    const killed = await begin('killed');
    killed.calls(4);
    await kill(killed);
    const next = await begin('next');
    next.calls(1);
    await kill(next);
    const own = await begin('own');
    own.calls(1);
    await own.keeper.end();
    secrets.kept.clear();
    expect(await problems(own)).toEqual(nothing);
    killed.damage((lines) => lines.slice(0, 6));
    const found = { path: killed.path, line: 6, kind: 'end_removed', missing: 2 };
    expect(await problems(own)).toEqual({ problems: [found], missing: [] });
  });

  test('Verify Audit reports the end as replaced when the run has a whole new chain', async () => {
    const { begin, problems } = record();
    const ended = await begin('ended');
    ended.calls(5);
    await ended.keeper.end();
    const own = await begin('own');
    ended.damage((lines) => {
      let previous = '0'.repeat(64);
      return lines.map((line) => {
        const { prev: _prev, hash: _hash, ...facts } = JSON.parse(line);
        const sealed = sealLine(JSON.stringify({ ...facts, forged: true }), previous);
        previous = sealed.hash;
        return sealed.line;
      });
    });
    const { problems: found } = await problems(own);
    expect(found).toEqual([{ path: ended.path, line: 10, kind: 'replaced' }]);
  });

  test('Verify Audit reports the end as missing when the run looks as if a version without a chain had written it', async () => {
    const { begin, problems } = record();
    const ended = await begin('ended');
    ended.calls(5);
    await ended.keeper.end();
    const own = await begin('own');
    writeFileSync(ended.path, '{"v":1,"seq":1,"event":"server.start"}\n');
    expect((await problems(own)).problems).toMatchObject([{ kind: 'end_removed', missing: 10 }]);
  });

  test('Verify Audit takes the last whole line for the end when the window is killed at any byte of the next line', async () => {
    const { begin, kill, problems, state, clock, secrets } = record();
    const killed = await begin('killed');
    killed.calls(2);
    await kill(killed);
    // The head of a line is stored only after the line is written.
    secrets.kept.clear();
    const whole = readFileSync(killed.path);
    const third = whole.subarray(0, -1).lastIndexOf(0x0a) + 1;
    for (let length = whole.length; length >= third; length -= 37) {
      truncateSync(killed.path, length);
      const [end] = await readRunEnds(state.audit, clock.now());
      expect(end).toMatchObject({ auditFile: basename(killed.path), seq: length === whole.length ? 4 : 3 });
    }
    const own = await begin('own');
    own.calls(1);
    expect(await problems(own)).toEqual(nothing);
    await own.keeper.end();
  });

  test('is never a line that was changed', async () => {
    const { begin, state, clock } = record();
    const run = await begin('run');
    run.calls(2);
    await run.keeper.end();
    run.damage((lines) => lines.with(3, (lines[3] ?? '').replace('src/a.ts', 'src/b.ts')));
    expect(await readRunEnds(state.audit, clock.now())).toMatchObject([{ seq: 3 }]);
  });

  test('is carried by the first line of the next run only', async () => {
    const { begin } = record();
    const [first, next] = [await begin('first'), await begin('next')];
    first.calls(1);
    await first.keeper.end();
    next.calls(1);
    await next.keeper.end();
    const third = await begin('third');
    third.calls(1);
    await third.keeper.end();
    const carried = third.lines().map((line) => auditRecord.parse(JSON.parse(line)).before);
    expect(carried).toEqual([
      [first, next].map(({ path, log }) => ({ auditFile: basename(path), seq: 2, hash: log.head.hash })),
      undefined,
    ]);
  });

  test('is in the file before when the window is killed before the first line of a new file', async () => {
    const { begin, kill, state, clock } = record();
    const killed = await begin('killed');
    killed.calls(2);
    await kill(killed);
    writeFileSync(killed.path.replace('.jsonl', '.2.jsonl'), '{"v":2,"se');
    expect(await readRunEnds(state.audit, clock.now())).toMatchObject([{ auditFile: basename(killed.path), seq: 4 }]);
  });
});

describe('A48: a whole run', () => {
  test('is missed when a later run carries its end, and when only the secret storage knows it', async () => {
    const { begin, problems, secrets } = record();
    const [first, newest] = [await begin('first'), await begin('newest')];
    first.calls(1);
    await first.keeper.end();
    newest.calls(1);
    await newest.keeper.end();
    const own = await begin('own');
    rmSync(first.path);
    rmSync(newest.path);
    const names = [basename(first.path), basename(newest.path)];
    expect(await problems(own)).toEqual({ problems: [], missing: names });
    own.calls(1);
    await own.keeper.end();
    secrets.kept.clear();
    expect(await problems(own)).toEqual({ problems: [], missing: names });
  });

  test('is not missed on another machine, whose heads are not found', async () => {
    const { begin, verify, secrets, state } = record();
    const ended = await begin('ended');
    ended.calls(1);
    await ended.keeper.end();
    const own = await begin('own');
    expect(await verify(own)).toMatchObject({ withoutHead: 0 });
    const elsewhere = storedHeads({ ...state, audit: join(state.home, 'elsewhere') }, secrets);
    expect(await elsewhere.locked((held) => held.read())).toEqual([]);
    secrets.kept.clear();
    expect(await verify(own)).toMatchObject({ withoutHead: 1, missing: [] });
  });
});

describe('A48: a removal', () => {
  async function removed(why = (clock: FakeClock): void => clock.advance(31 * day)) {
    const all = record();
    const old = await all.begin('old', 1500);
    old.calls(3);
    await old.keeper.end();
    const next = await all.begin('next');
    next.calls(1);
    await next.keeper.end();
    why(all.clock);
    const own = await all.begin('own');
    const options = { state: all.state, fileAuditLog: own.log, heads: all.heads, clock: all.clock, onError };
    return { ...all, old, next, own, options };
  }

  test('by age or size is recorded before the files go, and is not taken for tampering', async () => {
    const { own, options, verify, old } = await removed(() => undefined);
    for (const { path } of await old.files()) utimesSync(path, 1, 1);
    expect(await old.files()).toHaveLength(4);
    await removeOldRecords({ ...options, retentionDays: () => 1e5, mostBytes: 1 });
    own.calls(1);
    expect((await old.files()).map(({ windowId }) => windowId)).toEqual(['own']);
    const line = JSON.parse(own.lines()[0] ?? '');
    expect(line).toMatchObject({ event: 'records.removal', why: 'age', removed: expect.any(Array) });
    expect(line.removed).toContainEqual({ auditFile: basename(old.path) });
    expect(await verify(own)).toMatchObject({ missing: [], unconfirmed: 0, unrecorded: 0 });
    await own.keeper.end();
  });

  test('does not happen when it cannot be recorded', async () => {
    const { own, options, old } = await removed();
    vi.spyOn(own.log, 'problem', 'get').mockReturnValue('no space left');
    await expect(removeOldRecords({ ...options, retentionDays: () => 30 })).rejects.toThrow('no space left');
    expect((await old.files()).length).toBeGreaterThan(3);
  });

  test('is recorded again when the file that records it is removed', async () => {
    const { own, options, clock, begin, verify, heads, old } = await removed(() => undefined);
    for (const { path } of await old.files()) utimesSync(path, clock.now() / 1000 - 600, clock.now() / 1000 - 600);
    await removeOldRecords({ ...options, retentionDays: () => 1e5, mostBytes: 1 });
    await own.keeper.end();
    utimesSync(own.path, clock.now() / 1000 - 600, clock.now() / 1000 - 600);
    const last = await begin('last');
    await removeOldRecords({ ...options, fileAuditLog: last.log, heads, retentionDays: () => 1e5, mostBytes: 1 });
    const { removed: names } = JSON.parse(last.lines()[0] ?? '');
    expect(names).toContainEqual({ auditFile: basename(old.path) });
    expect(names).toContainEqual({ auditFile: basename(own.path) });
    expect(await verify(last)).toMatchObject({ missing: [] });
    await last.keeper.end();
  });

  test('is believed by another window as soon as the files are gone', async () => {
    const { own, options, old, state, clock, verify } = await removed(() => undefined);
    for (const { path, windowId } of await old.files()) if (windowId === 'old') utimesSync(path, 1, 1);
    const quiet = auditRun({ state, clock, windowId: 'quiet' });
    await removeOldRecords({ ...options, fileAuditLog: quiet.log, retentionDays: () => 30 });
    expect(await verify(own)).toMatchObject({ missing: [], unconfirmed: 0, withoutHead: 0 });
  });

  test('of the first file of a run is not taken for a cut when another run carries a line of it', async () => {
    const { begin, state, heads, clock, verify } = record();
    const long = await begin('long', 1500);
    long.calls(1);
    await long.keeper.end();
    const own = await begin('own');
    own.calls(1);
    long.calls(3);
    utimesSync(long.path, 1, 1);
    await removeOldRecords({ state, fileAuditLog: own.log, heads, clock, onError, retentionDays: () => 30 });
    const { runs, ...rest } = await verify(own);
    expect(runs.map(({ problem, startsLater }) => [problem, startsLater])).toEqual([
      [undefined, true],
      [undefined, false],
    ]);
    expect(rest).toMatchObject({ missing: [], unrecorded: 0 });
    await own.keeper.end();
  });

  test('is not believed when the line that records it was added to a killed run', async () => {
    const { own, old, next, verify } = await removed(() => undefined);
    const { hash, seq } = next.log.head;
    const forged = { v: 2, seq: seq + 1, event: 'records.removal', removed: [] as { auditFile: string }[] };
    for (const { path, windowId } of await old.files()) {
      if (windowId !== 'old') continue;
      forged.removed.push({ auditFile: basename(path) });
      rmSync(path);
    }
    appendFileSync(next.path, `${sealLine(JSON.stringify(forged), hash).line}\n`);
    expect(await verify(own)).toMatchObject({ missing: [expect.stringContaining('-old-')], unconfirmed: 0 });
  });

  test('is told apart when only a run without a head records it', async () => {
    const { own, old, state, clock, verify } = await removed(() => undefined);
    const stranger = auditRun({ state, clock, windowId: 'stranger' });
    const files = (await old.files()).filter(({ windowId }) => windowId === 'old');
    const names = files.map(({ path }) => ({ auditFile: basename(path) }));
    stranger.log.event({ event: 'records.removal', why: 'user', removed: names });
    for (const { path } of files) rmSync(path);
    expect(await verify(own)).toMatchObject({ missing: [], unconfirmed: 1, withoutHead: 1 });
  });

  test('of the first files of a run is told apart from one that nothing records', async () => {
    const { own, old, verify, options, clock } = await removed(() => undefined);
    const [first, second] = (await old.files()).filter(({ windowId }) => windowId === 'old');
    utimesSync(first?.path ?? '', clock.now() / 1000 - 40 * 86_400, clock.now() / 1000 - 40 * 86_400);
    await removeOldRecords({ ...options, retentionDays: () => 30 });
    expect(await verify(own)).toMatchObject({ missing: [], unrecorded: 0 });
    rmSync(second?.path ?? '');
    const { unrecorded, runs } = await verify(own);
    expect(unrecorded).toBe(1);
    expect(runs.filter(({ startsLater }) => startsLater)).toHaveLength(1);
    await own.keeper.end();
  });

  test('of a run that is too old anyway is not asked for', async () => {
    const { own, old, verify, clock } = await removed();
    for (const { path, windowId } of await old.files()) if (windowId === 'old') rmSync(path);
    expect(await verify(own, clock.now() - 32 * day)).toMatchObject({ missing: [expect.any(String)] });
    expect(await verify(own, clock.now() - 30 * day)).toMatchObject({ missing: [] });
  });
});

describe('the stored head', () => {
  test('is stored after the first line, after a hundred lines, a minute after a line, and at the end', async () => {
    const { begin, heads, clock } = record();
    const run = await begin('own');
    const stored = async () => (await heads.locked((held) => held.read())).map(({ seq }) => seq);
    expect(await stored()).toEqual([]);
    run.log.event({ event: 'server.start' });
    await vi.waitFor(async () => expect(await stored()).toEqual([1]));
    run.calls(1);
    expect(await stored()).toEqual([1]);
    clock.advance(60_000);
    await vi.waitFor(async () => expect(await stored()).toEqual([3]));
    run.calls(49);
    expect(await stored()).toEqual([3]);
    run.calls(1);
    await vi.waitFor(async () => expect(await stored()).toEqual([103]));
    run.calls(1);
    await run.keeper.end();
    expect(await stored()).toEqual([105]);
    run.calls(60);
    expect(clock.pendingTimers).toBe(0);
  });

  test('of two windows that store at once is kept for both, and never goes back', async () => {
    const { begin, heads } = record();
    const [one, two] = [await begin('one'), await begin('two')];
    for (let round = 0; round < 5; round += 1) {
      one.calls(50);
      two.calls(50);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all([one.keeper.end(), two.keeper.end()]);
    const all = await heads.locked((held) => held.read());
    expect(all.map(({ seq }) => seq)).toEqual([500, 500]);
    const late = new HeadKeeper({
      heads,
      clock: one.clock,
      onError,
      fileAuditLog: { head: { ...one.log.head, seq: 7 }, onDidWrite: one.log.onDidWrite },
    });
    one.oneCall();
    await late.end();
    expect(await heads.locked((held) => held.read())).toEqual(all);
  });

  test('reaches the secret storage a minute later when the storage has failed once', async () => {
    const { secrets, state, clock } = record();
    const get = secrets.get.bind(secrets);
    let failures = 1;
    const failing = storedHeads(
      state,
      Object.assign(secrets, {
        get: (key: string) => (failures-- > 0 ? Promise.reject(new Error('it is locked')) : get(key)),
      }),
    );
    const run = auditRun({ state, clock });
    const errors: unknown[] = [];
    const keeper = new HeadKeeper({
      heads: failing,
      fileAuditLog: run.log,
      clock,
      onError: (error) => errors.push(error),
    });
    onTestFinished(() => keeper.end());
    run.oneCall();
    await vi.waitFor(() => expect(errors).toEqual([new Error('it is locked')]));
    expect(secrets.kept.size).toBe(0);
    await vi.waitFor(() => {
      clock.advance(60_000);
      expect(secrets.kept.size).toBe(1);
    });
    expect(errors).toHaveLength(1);
  });

  test('stays missing when the secret storage fails at the end, and Verify Audit says why', async () => {
    const { secrets, state, clock } = record();
    const errors: unknown[] = [];
    const broken = storedHeads(
      state,
      Object.assign(new FakeSecrets(), { get: () => Promise.reject(new Error('it is locked')) }),
    );
    const run = auditRun({ state, clock });
    const keeper = new HeadKeeper({
      heads: broken,
      fileAuditLog: run.log,
      clock,
      onError: (error) => errors.push(error),
    });
    run.oneCall();
    await keeper.end();
    // After the first line, and once more at the end.
    expect(errors).toEqual([new Error('it is locked'), new Error('it is locked')]);
    const report = await verifyRecord({ folder: state.audit, head: () => run.log.head, heads: broken, oldest: 0 });
    expect(report).toMatchObject({ problem: 'it is locked', missing: [] });
    expect(secrets.kept.size).toBe(0);
  });
});
