import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sealLine } from '#audit/hashChain.ts';
import { verifyRun } from '#audit/verifyRun.ts';
import { auditRun } from './auditRun.ts';

function tenCalls(): ReturnType<typeof auditRun> {
  const run = auditRun();
  for (let count = 0; count < 10; count += 1) run.oneCall();
  return run;
}

test('reports an untouched record as intact, with and without the end that the window knows', async () => {
  const { verify, oneCall } = tenCalls();
  const whole = { files: 1, lines: 20, isChained: true, cutLines: 0, startsLater: false };
  expect(await verify()).toEqual(whole);
  expect(await verify(true)).toEqual(whole);
  oneCall();
  expect(await verify(true)).toEqual({ ...whole, lines: 22 });
});

test('reports no problem when a window has recorded nothing yet', async () => {
  expect(await auditRun().verify(true)).toMatchObject({ files: 0, lines: 0 });
});

describe('A23: verification', () => {
  test('names a line that was edited', async () => {
    const { damage, verify, path } = tenCalls();
    damage((lines) => lines.with(6, (lines[6] ?? '').replace('read_file', 'edit_file')));
    expect((await verify()).problem).toEqual({ path, line: 7, kind: 'edited' });
  });

  test('names the line after one that was edited and given a new hash', async () => {
    const { damage, verify, path } = tenCalls();
    damage((lines) => {
      const { prev, hash: _hash, ...facts } = JSON.parse(lines[6] ?? '');
      return lines.with(6, sealLine(JSON.stringify({ ...facts, tool: 'edit_file' }), prev).line);
    });
    expect((await verify()).problem).toEqual({ path, line: 8, kind: 'removed_before' });
  });

  test('names the line after one that was deleted, also when it was the first', async () => {
    const { damage, verify, path } = tenCalls();
    damage((lines) => lines.toSpliced(6, 1));
    expect((await verify()).problem).toEqual({ path, line: 7, kind: 'removed_before' });
    damage((lines) => lines.slice(1));
    expect((await verify()).problem).toEqual({ path, line: 1, kind: 'removed_before' });
  });

  test('names the first of two lines that changed places', async () => {
    const { damage, verify, path } = tenCalls();
    damage((lines) => lines.with(6, lines[7] ?? '').with(7, lines[6] ?? ''));
    expect((await verify()).problem).toEqual({ path, line: 7, kind: 'removed_before' });
  });

  test('names the last line when lines were removed from the end of the run of this window', async () => {
    const { damage, verify, path, oneCall, log } = tenCalls();
    damage((lines) => lines.slice(0, 15));
    expect((await verify(true)).problem).toEqual({ path, line: 15, kind: 'end_removed' });
    expect((await verify()).problem).toBeUndefined();
    oneCall();
    expect((await verify()).problem).toEqual({ path, line: 16, kind: 'removed_before' });
    rmSync(path);
    expect((await verify(true)).problem).toEqual({ path: log.head.path, line: 1, kind: 'end_removed' });
  });

  test.each([
    ['with the right hash', (hash: string) => sealLine('{"v":2,"seq":21,"event":"server.stop"}', hash).line],
    ['without a hash', () => '{"v":2,"seq":21,"event":"server.stop"}'],
    ['as one of an older version', () => '{"v":1,"seq":21,"event":"server.stop"}'],
  ])('names a forged line at the end, %s', async (_name, forge) => {
    const { verify, path, oneCall, lines } = tenCalls();
    appendFileSync(path, `${forge(JSON.parse(lines().at(-1) ?? '').hash)}\n`);
    const forged = { path, line: 21, kind: expect.stringMatching(/^(?:edited|added)$/) };
    expect((await verify(true)).problem).toEqual(forged);
    oneCall();
    expect((await verify(true)).problem).toEqual(forged);
    expect((await verify()).problem).toEqual(forged);
  });

  test('names the line in which any single byte was changed', async () => {
    const run = auditRun();
    for (let count = 0; count < 4; count += 1) run.oneCall();
    const original = readFileSync(run.path);
    const starts = [0, ...[...original.keys()].filter((at) => original[at] === 0x0a).map((at) => at + 1)];
    await fc.assert(
      fc.asyncProperty(fc.nat(original.length - 1), fc.integer({ min: 1, max: 255 }), async (at, difference) => {
        const changed = Buffer.from(original);
        changed[at] = (original[at] ?? 0) ^ difference;
        writeFileSync(run.path, changed);
        // A line end at the beginning of a line makes an empty line before it, which is no record.
        const moved = changed[at] === 0x0a && starts.includes(at) ? 1 : 0;
        const line = starts.filter((start) => start <= at).length + moved;
        expect((await run.verify()).problem).toEqual({ path: run.path, line, kind: 'edited' });
      }),
      { numRuns: 400, examples: [[0, 0x7b ^ 0x0a]] },
    );
  });
});

test('A23: finds a change of bytes that disappears in decoding', async () => {
  const { path, oneCall, verify } = auditRun();
  oneCall();
  const original = readFileSync(path);
  const at = original.indexOf(Buffer.from('\uFFFD'));
  const changed = Buffer.from(original);
  changed[at] = 0xf0;
  expect(changed.toString('utf8')).toBe(original.toString('utf8'));
  writeFileSync(path, changed);
  expect((await verify()).problem).toEqual({ path, line: 1, kind: 'edited' });
});

describe('verification after a crash or a full disk', () => {
  test('reports no tampering when the last line was cut off at any byte', async () => {
    const run = auditRun();
    run.oneCall();
    const text = readFileSync(run.path);
    const second = text.indexOf(0x0a) + 1;
    for (let length = second + 1; length < text.length - 1; length += 1) {
      writeFileSync(run.path, text.subarray(0, length));
      expect(await run.verify()).toMatchObject({ lines: 1, cutLines: 1 });
      expect((await run.verify()).problem).toBeUndefined();
    }
    writeFileSync(run.path, text.subarray(0, text.length - 1));
    expect(await run.verify()).toEqual({ files: 1, lines: 2, isChained: true, cutLines: 0, startsLater: false });
  });

  test('reports no tampering when a line in the middle was written only in part', async () => {
    const { damage, verify } = tenCalls();
    damage((lines) => lines.toSpliced(6, 0, '{"v":2,"seq":6,"ts"', ''));
    expect(await verify(true)).toEqual({ files: 1, lines: 20, isChained: true, cutLines: 1, startsLater: false });
  });
});

describe('a run of several files', () => {
  test('is one chain across days and file lengths', async () => {
    const run = auditRun({ mostFileBytes: 1500 });
    for (let count = 0; count < 3; count += 1) run.oneCall();
    run.clock.advance(24 * 60 * 60_000);
    run.oneCall();
    const files = await run.files();
    expect(files.length).toBeGreaterThan(3);
    expect(files.map(({ part }) => part)).toEqual(files.map((_, index) => index + 1));
    expect(new Set(files.map(({ day }) => day))).toEqual(new Set(['2026-11-21', '2026-11-22']));
    for (const { bytes } of files) expect(bytes).toBeLessThanOrEqual(1500);
    expect(await run.verify(true)).toMatchObject({ files: files.length, lines: 8 });
    expect((await run.verify(true)).problem).toBeUndefined();
  });

  test('reports that the first files are missing, and finds a file that is missing between others', async () => {
    const run = auditRun({ mostFileBytes: 1500 });
    for (let count = 0; count < 4; count += 1) run.oneCall();
    const [first, second, third] = await run.files();
    renameSync(first?.path ?? '', join(run.state.home, 'away'));
    expect(await run.verify(true)).toMatchObject({ startsLater: true });
    expect((await run.verify(true)).problem).toBeUndefined();
    rmSync(third?.path ?? '');
    expect((await run.verify(true)).problem).toMatchObject({ line: 1, kind: 'removed_before' });
    expect(second).toBeDefined();
  });

  test('A23: names a change in the file that was changed', async () => {
    const run = auditRun({ mostFileBytes: 1500 });
    for (let count = 0; count < 4; count += 1) run.oneCall();
    const [, second] = await run.files();
    run.damage((lines) => lines.map((line) => line.replace('"seq"', '"SEQ"')), second?.path);
    expect((await run.verify()).problem).toMatchObject({ path: second?.path, kind: 'edited' });
  });
});

test('reports version 1 as unchained, and refuses its lines in a chained run', async () => {
  const { path, verify, oneCall } = auditRun();
  oneCall();
  writeFileSync(path, '{"v":1,"seq":1,"event":"server.start"}\n{"v":1,"seq":2,"event":"server.stop"}\n{"v":1,"se');
  expect(await verify()).toMatchObject({ isChained: false });
  expect((await verify()).problem).toBeUndefined();
  expect((await verify(true)).problem).toMatchObject({ line: 1, kind: 'edited' });
});

test('names a file that cannot be read, and stops when the signal is aborted', async () => {
  const { path, files, log } = tenCalls();
  const listed = await files();
  const signal = AbortSignal.abort();
  await expect(verifyRun(listed, { signal })).rejects.toThrow();
  rmSync(path);
  expect((await verifyRun(listed, { head: log.head })).problem).toMatchObject({ path });
});

test('uses the SHA-256 of the line without its hash, so that other programs can check it', () => {
  const { oneCall, lines } = auditRun();
  oneCall();
  const [first = '', second = ''] = lines();
  const { hash } = JSON.parse(first);
  expect(
    createHash('sha256')
      .update(first.replace(`,"hash":"${hash}"`, ''))
      .digest('hex'),
  ).toBe(hash);
  expect(JSON.parse(second).prev).toBe(hash);
});
