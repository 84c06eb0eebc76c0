import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { auditRecord } from '#audit/auditRecord.ts';
import { deleteRecords } from '#audit/editor/deleteRecords.ts';
import { exportAudit } from '#audit/editor/exportAudit.ts';
import { verifyAudit } from '#audit/editor/verifyAudit.ts';
import { verifyRun } from '#audit/verifyRun.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor, userAnswers } from '../../fakes/editor/editor.ts';
import { auditRun, storedHeads } from '../auditRun.ts';

beforeEach(resetEditor);

const oldest = (): number => 0;
const shownMessages = () => editor.shown.filter(({ kind }) => ['information', 'warning', 'error'].includes(kind));
const messages = (): string[] => shownMessages().map(({ message }) => message);
const buttons = (): unknown[] => shownMessages().map(({ choices }) => choices);

describe('Verify Audit', () => {
  function window() {
    const run = auditRun();
    const told: string[] = [];
    const tell = (text: string): void => void told.push(text);
    const verify = () =>
      verifyAudit({
        state: run.state,
        fileAuditLog: run.log,
        heads: storedHeads(run.state),
        oldest,
        log: { info: tell, warn: tell },
      });
    return { ...run, told, verify };
  }

  test('reports an intact record, and the runs that could not be verified', async () => {
    const { oneCall, verify, state, told } = window();
    oneCall();
    await verify();
    expect(messages()).toEqual(['The audit record is intact: 2 lines of 1 runs.']);
    expect(told).toEqual(messages());
    writeFileSync(join(state.audit, '2026-01-01-old-1.jsonl'), '{"v":1,"seq":1,"event":"server.start"}\n');
    await verify();
    expect(messages().at(-1)).toContain('Not verified, because an older version wrote them without a chain: 1 runs.');
  });

  test('A23: names file and line of the first bad line, and opens it there', async () => {
    const { oneCall, damage, verify, path, state, clock } = window();
    oneCall();
    oneCall();
    damage((lines) => lines.with(2, (lines[2] ?? '').replace('src/a.ts', 'src/b.ts')));
    clock.advance(1);
    const later = auditRun({ state, clock, windowId: 'w-2' });
    later.oneCall();
    later.damage((lines) => lines.slice(1));
    userAnswers('Open Line');
    await verify();
    expect(messages()).toEqual([
      `The audit record was changed: ${basename(path)}:3 was edited. 1 more runs have a problem too; see the log.`,
    ]);
    expect(editor.shownDocuments).toMatchObject([{ path, options: { selection: { start: { line: 2 } } } }]);
  });

  test('A23: reports missing lines at the end of the record of this window, also when no line is left', async () => {
    const { oneCall, damage, verify, path } = window();
    oneCall();
    damage((lines) => lines.slice(0, 1));
    await verify();
    rmSync(path);
    await verify();
    expect(messages()).toEqual(
      Array(2).fill(`The audit record was changed: the lines after ${basename(path)}:1 were removed.`),
    );
  });

  test('A47: says how many last lines of a run are missing, which run is missing, and that heads were not found', async () => {
    const { verify, state, clock } = window();
    const [cut, gone] = ['cut', 'gone'].map((windowId) => auditRun({ state, clock, windowId }));
    for (const run of [cut, gone]) for (let call = 0; call < 3; call += 1) run?.oneCall();
    const ends = [cut, gone].flatMap((run) => (run === undefined ? [] : run.log.head));
    const before = ends.map(({ path, seq, hash }) => ({ auditFile: basename(path), seq, hash }));
    clock.advance(1);
    auditRun({ state, clock, windowId: 'later', before }).oneCall();
    await verify();
    const notFound = 'Head not found (new machine or reset keychain): 3 runs.';
    expect(messages()[0]).toContain(`The audit record is intact: 14 lines of 3 runs. ${notFound}`);
    cut?.damage((lines) => lines.slice(0, 3));
    await verify();
    expect(messages()[1]).toBe(
      `The audit record was changed: the last 3 lines of run ${before[0]?.auditFile} are missing.`,
    );
    rmSync(cut?.path ?? '');
    rmSync(gone?.path ?? '');
    await verify();
    expect(messages()[2]).toBe(
      `The audit record was changed: the run ${before[0]?.auditFile} is missing. 1 more runs have a problem too; see the log.`,
    );
  });

  test('stops when the user cancels', async () => {
    const { oneCall, verify } = window();
    oneCall();
    editor.cancelsProgress = true;
    await verify();
    expect(messages()).toEqual([]);
  });
});

describe('Export Audit', () => {
  const target = '/exports/audit.jsonl';

  function window() {
    const run = auditRun();
    const folder = join(homedir(), 'secret-project');
    const exportIt = () =>
      exportAudit({
        state: run.state,
        clock: run.clock,
        redactor: run.redactor,
        fileAuditLog: run.log,
        auditLog: run.log,
        folders: () => [{ name: 'project', fsPath: folder, realPath: folder, uri: `file://${folder}` }],
      });
    return { ...run, folder, exportIt };
  }
  const savedText = (): string => editor.files.get(target)?.toString() ?? '';
  /** The text that the user was shown before they decided. */
  const preview = (): string => editor.documents.at(-1)?.getText() ?? '';

  test('shows counts and first lines, and saves nothing unless the user agrees', async () => {
    const { oneCall, exportIt, log } = window();
    oneCall();
    log.event({ event: 'auth.failure', header: 'password=hunter2' });
    userAnswers('Everything', undefined);
    await exportIt();
    expect(preview()).toContain('// Lines: 3\n// Calls: 1\n');
    expect(preview()).toContain('// Redacted secrets: 1\n//   key_value: 1\n');
    expect(preview()).toContain('"event":"call.received"');
    expect(buttons()).toEqual([['Save...']]);
    userAnswers('Everything', 'Save...', undefined);
    await exportIt();
    expect(editor.files.size).toBe(0);
    userAnswers(undefined);
    await exportIt();
    expect(editor.files.size).toBe(0);
  });

  test('writes a chain of its own, records its end, and contains no paths of this machine and no user name', async () => {
    const { oneCall, exportIt, log, folder, lines, redactor } = window();
    const { username } = userInfo();
    oneCall();
    log.event({
      event: 'server.stop',
      error: `${folder}/src/a.ts ${homedir()}/x file://${encodeURI(folder)}/b /home/${username}/y`,
    });
    redactor.add('a token that was made after it was written');
    userAnswers('This Window', 'Save...', target);
    await exportIt();
    const text = savedText();
    expect(text).toContain('project/src/a.ts ~/x file://project/b');
    for (const line of text.trimEnd().split('\n')) expect(line.match(/"(?:prev|hash)":/g)).toHaveLength(2);
    for (const name of [homedir(), 'secret-project', `/${username}/`]) expect(text).not.toContain(name);
    const file = join(mkdtempSync(join(tmpdir(), 'drawbridge-export-')), 'audit.jsonl');
    onTestFinished(() => rmSync(join(file, '..'), { recursive: true }));
    writeFileSync(file, text);
    const report = await verifyRun([
      { path: file, bytes: text.length * 3, modified: 0, day: '', windowId: '', start: 0, part: 1 },
    ]);
    expect(report).toMatchObject({ lines: 4 });
    expect(report.problem).toBeUndefined();
    const { hash } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
    expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({
      event: 'export',
      range: 'window',
      lines: 3,
      chainEnd: hash,
    });
    expect(messages().at(-1)).toBe('Exported 3 lines of the audit record to audit.jsonl.');
  });

  test('A22: contains no absolute path of another window or of a workspace behind a link', async () => {
    const { exportIt, log } = window();
    const named = ['/srv/client x/src/a.ts', 'file:///srv/client%20x/src/b.ts', 'D:\\work\\client x\\c.ts'];
    for (const path of named) {
      const start = { tool: 'read_file', client: undefined, protocolVersion: undefined };
      log.begin({ ...start, principal: { credential: 'window' }, arguments: { path } });
    }
    log.event({ event: 'approval.state', error: 'Error: EACCES: permission denied, open /mnt/data/client/d.ts' });
    const harmless = 'see https://example.org/a/b, src/a/b.ts, **/secrets/**, ~/x/y, 1/2/3 and a / b';
    log.event({ event: 'server.stop', why: harmless });
    userAnswers('Everything', 'Save...', target);
    await exportIt();
    const text = savedText();
    expect(text).not.toMatch(/client|\/srv|\/mnt|D:/);
    for (const name of ['a.ts', 'b.ts', 'c.ts', 'd.ts']) expect(text).toContain(`[path]/${name}`);
    expect(text).toContain(harmless);
  });

  test('leaves out older records, other windows and damaged lines', async () => {
    const { exportIt, oneCall, clock, state, path } = window();
    oneCall();
    clock.advance(8 * 24 * 60 * 60_000);
    oneCall();
    const other = auditRun({ state, clock, windowId: 'w-2' });
    other.oneCall();
    writeFileSync(other.path, `${readFileSync(other.path, 'utf8')}{"v":2,"se`);
    const counts = async (pick: string) => {
      userAnswers(pick, 'Save...', target);
      await exportIt();
      const { lines, calls, unreadable } = JSON.parse(savedText().split('\n')[0] ?? '');
      return { lines, calls, unreadable };
    };
    expect(await counts('Last 7 Days')).toEqual({ lines: 4, calls: 2, unreadable: 1 });
    expect(existsSync(path)).toBe(true);
    // Each export adds a line to the record of this window.
    expect(await counts('This Window')).toEqual({ lines: 5, calls: 2, unreadable: 0 });
    expect(await counts('Everything')).toEqual({ lines: 8, calls: 3, unreadable: 1 });
  });

  test('A22: redacts secrets that the first pass did not know, with fingerprints of its own', async () => {
    const { exportIt, log, redactor, lines } = window();
    const secret = 'a secret that is known only later';
    log.event({ event: 'server.stop', one: secret, two: secret });
    redactor.add(secret);
    expect(lines().join('')).toContain(secret);
    userAnswers('Everything', 'Save...', target);
    await exportIt();
    expect(savedText() + preview()).not.toContain(secret);
    const markers = savedText().match(/\[redacted:token:[0-9a-f]{8}\]/g) ?? [];
    expect(markers).toHaveLength(2);
    expect(new Set(markers).size).toBe(1);
    expect(markers[0]).not.toBe(redactor.redact(secret));
  });

  test('shows the reason when the export fails', async () => {
    const { exportIt, oneCall } = window();
    oneCall();
    userAnswers('Everything', 'Save...', target);
    vi.spyOn(editor.files, 'set').mockImplementation(() => {
      throw new Error('no space left');
    });
    await exportIt();
    expect(messages().at(-1)).toBe('The audit record was not exported. no space left');
  });
});

describe('Delete Records', () => {
  /** This window, one that has ended, one that was written to a minute ago, and a quiet one that runs. */
  function windows() {
    const clock = new FakeClock();
    const ended = auditRun({ clock, windowId: 'ended' });
    const { state } = ended;
    const quiet = auditRun({ state, clock, windowId: 'quiet' });
    const recent = auditRun({ state, clock, windowId: 'recent' });
    const own = auditRun({ state, clock });
    for (const run of [ended, quiet, recent, own]) run.oneCall();
    for (const { path } of [ended, quiet, own]) utimesSync(path, clock.now() / 1000 - 3600, clock.now() / 1000 - 3600);
    utimesSync(recent.path, clock.now() / 1000 - 60, clock.now() / 1000 - 60);
    mkdirSync(state.windows, { recursive: true });
    writeFileSync(join(state.windows, 'quiet.json'), '{}');
    const history = vi.fn<() => Promise<void>>(async () => undefined);
    const remove = () =>
      deleteRecords({
        state,
        clock,
        fileAuditLog: own.log,
        heads: storedHeads(state),
        oldest,
        onError: () => undefined,
        auditLog: own.log,
        deleteHistory: history,
      });
    return { ended, quiet, recent, own, history, remove };
  }

  test('deletes nothing until the user confirms', async () => {
    const { remove, ended, history } = windows();
    await remove();
    expect(buttons()).toEqual([['Delete Records', 'Delete Records and History']]);
    expect(existsSync(ended.path)).toBe(true);
    expect(history).not.toHaveBeenCalled();
  });

  test('removes records of ended runs, and records the deletion', async () => {
    const { remove, ended, quiet, recent, own, history } = windows();
    const size = readFileSync(ended.path).length;
    userAnswers('Delete Records');
    await remove();
    expect([ended, quiet, recent, own].map(({ path }) => existsSync(path))).toEqual([false, true, true, true]);
    expect(history).not.toHaveBeenCalled();
    const planned = auditRecord.parse(JSON.parse(own.lines().at(-2) ?? ''));
    expect(planned).toMatchObject({ event: 'records.removal', removed: [{ auditFile: basename(ended.path) }] });
    const last = auditRecord.parse(JSON.parse(own.lines().at(-1) ?? ''));
    expect(last).toMatchObject({ event: 'records.deleted', files: 1, bytes: size, history: false });
    const report = await verifyRun(
      (await own.files()).filter(({ windowId }) => windowId === 'w-1'),
      { head: own.log.head },
    );
    expect(report).toMatchObject({ lines: 4 });
    expect(report.problem).toBeUndefined();
  });

  test('removes the history when the user chooses it, and records the deleted files when it fails', async () => {
    const { remove, own, history } = windows();
    userAnswers('Delete Records and History');
    history.mockRejectedValueOnce(new Error('it is locked'));
    await remove();
    expect(JSON.parse(own.lines().at(-1) ?? '')).toMatchObject({ event: 'records.deleted', files: 1, history: false });
    expect(messages().at(-1)).toBe('Deleted 1 files of audit records. Then the deletion failed: it is locked');
    userAnswers('Delete Records and History');
    await remove();
    expect(JSON.parse(own.lines().at(-1) ?? '')).toMatchObject({ event: 'records.deleted', files: 0, history: true });
  });
});
