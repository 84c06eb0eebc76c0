import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Diagnostic, DiagnosticSeverity, Range, Uri } from 'vscode';
import { publishedProblems } from '#language/editor/diagnostics/publishedProblems.ts';
import { FakeDocument } from '../../../fakes/editor/documents.ts';
import { resetEditor } from '../../../fakes/editor/editor.ts';
import { publish } from '../../../fakes/editor/services.ts';

beforeEach(() => {
  resetEditor();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const { Error: error, Warning: warning, Information: information, Hint: hint } = DiagnosticSeverity;
const found = (severity: DiagnosticSeverity, message: string, more: Partial<Diagnostic> = {}): Diagnostic =>
  Object.assign(new Diagnostic(new Range(1, 0, 1, 0), message, severity), more);
const open = (path: string, languageId: string): void => void new FakeDocument(Uri.file(path), '', languageId);
const never = new AbortController().signal;

test('returns errors and warnings with the code as the problems list shows it', () => {
  publish(
    '/w/a.py',
    found(error, 'A', { source: 'pyright', code: { value: 'reportX', target: Uri.file('/x') } }),
    found(warning, 'B', { source: 'lint', code: 7 }),
    found(warning, 'C', { source: 'lint' }),
    found(error, 'D', { code: 'x' }),
    found(error, 'E'),
    found(information, 'F'),
    found(hint, 'G'),
  );
  const told = publishedProblems.problemsOf('/w/a.py', 'one\n  two\n');
  expect(told.map(({ severity, message, code }) => `${severity} ${message} ${code}`)).toEqual([
    'error A pyright(reportX)',
    'warning B lint(7)',
    'warning C lint',
    'error D x',
    'error E undefined',
  ]);
  expect(told[0]).toMatchObject({ line: 2, lineText: 'two' });
});

describe('waitUntilQuiet', () => {
  /** Resolves with the milliseconds waited and the files reported on. */
  async function waitUntilQuiet(after: Readonly<Record<number, string>>, expired = never): Promise<[number, string[]]> {
    // A service reports on files with this ending.
    publish('/w/other');
    const begin = Date.now();
    const waiting = publishedProblems
      .waitUntilQuiet(['/w/a', '/w/b'], expired)
      .then((heard): [number, string[]] => [Date.now() - begin, [...heard]]);
    for (const [time, fsPath] of Object.entries(after)) setTimeout(() => publish(fsPath), Number(time));
    await vi.advanceTimersByTimeAsync(10_000);
    return waiting;
  }

  test('does not wait for plain text and files without a service', async () => {
    open('/w/open.txt', 'plaintext');
    publish('/w/a.py');
    expect([...(await publishedProblems.waitUntilQuiet(['/w/open.txt', '/w/closed.md'], never))]).toEqual([]);
    const waiting = publishedProblems.waitUntilQuiet(['/w/b.py'], never);
    await vi.advanceTimersByTimeAsync(300);
    expect([...(await waiting)]).toEqual([]);
  });
  test('waits 300 ms when no service reports', async () => expect(await waitUntilQuiet({})).toEqual([300, []]));
  test('waits up to 1000 ms for the first report on an open file', async () => {
    open('/w/b', 'python');
    expect(await waitUntilQuiet({})).toEqual([1000, []]);
    expect(await waitUntilQuiet({ 500: '/w/b' })).toEqual([800, ['/w/b']]);
  });
  test('waits until services have been quiet for 300 ms', async () =>
    expect(await waitUntilQuiet({ 200: '/w/a', 400: '/w/b', 600: '/w/a' })).toEqual([900, ['/w/a', '/w/b']]));
  test('does not wait longer for reports on other files', async () =>
    expect(await waitUntilQuiet({ 200: '/w/c' })).toEqual([300, []]));
  test('waits no longer than the time limit', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 250);
    expect(await waitUntilQuiet({ 200: '/w/a' }, stop.signal)).toEqual([250, ['/w/a']]);
    expect(await waitUntilQuiet({}, stop.signal)).toEqual([0, []]);
  });
});
