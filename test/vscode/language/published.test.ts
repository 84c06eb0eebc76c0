import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { published } from '../../../src/vscode/language/diagnostics/published.ts';
import { host } from '../../fakes/languages.ts';

vi.mock('vscode', () => import('../../fakes/languages.ts'));

beforeEach(() => {
  host.reset();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const range = { start: { line: 1, character: 0 } };
const never = new AbortController().signal;

test('errors and warnings with the code as the problems list shows it', () => {
  host.publish(
    '/w/a.py',
    { severity: 0, message: 'A', range, source: 'pyright', code: { value: 'reportX', target: {} } },
    { severity: 1, message: 'B', range, source: 'lint', code: 7 },
    { severity: 1, message: 'C', range, source: 'lint' },
    { severity: 0, message: 'D', range, code: 'x' },
    { severity: 0, message: 'E', range },
    { severity: 2, message: 'F', range },
    { severity: 3, message: 'G', range },
  );
  const found = published.of('/w/a.py', 'one\n  two\n');
  expect(found.map(({ severity, message, code }) => `${severity} ${message} ${code}`)).toEqual([
    'error A pyright(reportX)',
    'warning B lint(7)',
    'warning C lint',
    'error D x',
    'error E undefined',
  ]);
  expect(found[0]).toMatchObject({ line: 2, lineText: 'two' });
});

describe('waits', () => {
  /** Milliseconds until it had settled. */
  async function settled(after: Readonly<Record<number, string>>, expired = never): Promise<[number, string[]]> {
    // Somebody speaks of files of this kind.
    host.publish('/w/other');
    const begin = Date.now();
    const waiting = published
      .settled(['/w/a', '/w/b'], expired)
      .then((heard): [number, string[]] => [Date.now() - begin, [...heard]]);
    for (const [time, fsPath] of Object.entries(after)) setTimeout(() => host.publish(fsPath), Number(time));
    await vi.advanceTimersByTimeAsync(10_000);
    return waiting;
  }

  test('not at all for what nobody speaks of: plain text, and kinds of files without a service', async () => {
    host.open.set('/w/open.txt', '');
    host.publish('/w/a.py');
    expect([...(await published.settled(['/w/open.txt', '/w/closed.md'], never))]).toEqual([]);
    const waiting = published.settled(['/w/b.py'], never);
    await vi.advanceTimersByTimeAsync(300);
    expect([...(await waiting)]).toEqual([]);
  });
  test('a moment when nobody speaks', async () => expect(await settled({})).toEqual([300, []]));
  test('longer for the first word on an open file', async () => {
    host.open.set('/w/b', '');
    expect(await settled({})).toEqual([1000, []]);
    expect(await settled({ 500: '/w/b' })).toEqual([800, ['/w/b']]);
  });
  test('until they are quiet', async () =>
    expect(await settled({ 200: '/w/a', 400: '/w/b', 600: '/w/a' })).toEqual([900, ['/w/a', '/w/b']]));
  test('not for what is said of others', async () => expect(await settled({ 200: '/w/c' })).toEqual([300, []]));
  test('no longer than there is time', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 250);
    expect(await settled({ 200: '/w/a' }, stop.signal)).toEqual([250, ['/w/a']]);
    expect(await settled({}, stop.signal)).toEqual([0, []]);
  });
});
