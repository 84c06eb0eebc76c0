import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpListenerState } from '#base/httpListener.ts';
import { copyHttpUrl, retryHttpListener, tellClosed } from '#ui/connections/httpListenerCommands.ts';
import { forwardedNotice } from '#ui/forwardedNotice.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';

beforeEach(() => resetEditor());

/** A listener whose state each test sets. */
function access(before: HttpListenerState | undefined, after = before, retried = after) {
  let state = before;
  const done: string[] = [];
  return {
    done,
    state: () => state,
    settle: async () => {
      done.push('settle');
      state = after;
    },
    retry: async () => {
      done.push('retry');
      state = retried;
    },
  };
}

const open = { kind: 'open', endpoint: 'http://127.0.0.1:50001/mcp' } as const;
const busy = { kind: 'busy', port: 50_001, holder: { kind: 'unknown' } } as const;

describe('Copy URL for HTTP Clients', () => {
  test('copies the URL of the listener once the server runs, and states that a token is needed', async () => {
    await copyHttpUrl(access(undefined, open));
    expect(editor.clipboard).toBe(open.endpoint);
    expect(editor.statusMessages.join()).toContain('access token');
    expect(editor.shown).toEqual([]);
  });

  test('offers to create a token when there is none', async () => {
    editor.answers.push('Create Access Token');
    await copyHttpUrl(access({ kind: 'closed' }));
    expect(editor.shown).toMatchObject([{ kind: 'information', choices: ['Create Access Token'] }]);
    expect(editor.executed).toEqual([['drawbridge.createToken']]);
    expect(editor.clipboard).toBe('');
  });

  test.each<[string, HttpListenerState | undefined, string | undefined]>([
    ['no folder is open', { kind: 'noFolder' }, 'Open a folder'],
    ['the port is taken', busy, 'port 50001 is in use by another program'],
    ['the port cannot be had', { kind: 'failed', message: 'EACCES' }, 'EACCES'],
    ['the server did not start, which another message reports', undefined, undefined],
  ])('copies nothing when %s', async (_, state, text) => {
    await copyHttpUrl(access(state));
    expect(editor.clipboard).toBe('');
    expect(editor.shown.map(({ message }) => message)).toEqual(
      text === undefined ? [] : [expect.stringContaining(text)],
    );
  });
});

describe('H14: the notification of a port that is taken', () => {
  test.each([
    [{ kind: 'unknown' }, 'in use by another program'],
    [{ kind: 'window', name: 'shop' }, 'in use by the window "shop"'],
    [{ kind: 'program', name: 'python3', pid: 77 }, 'in use by the program "python3" (process 77)'],
    [{ kind: 'program', name: 'a\u202eb', pid: 77 }, '"a<U+202E>b"'],
  ] as const)('names the holder %j', async (holder, text) => {
    await tellClosed({ ...busy, holder });
    expect(editor.shown).toMatchObject([{ kind: 'error', choices: ['Try Again'] }]);
    expect(editor.shown[0]?.message).toContain(text);
    expect(editor.shown[0]?.message).toContain('their tokens');
    expect(editor.executed).toEqual([]);
  });

  test('offers to try again', async () => {
    editor.answers.push('Try Again');
    await tellClosed(busy);
    expect(editor.executed).toEqual([['drawbridge.retryHttpListener']]);
  });

  test('reports when another try worked; the state change itself reports a failure once', async () => {
    const works = access(busy, busy, open);
    await retryHttpListener(works);
    expect(works.done).toEqual(['settle', 'retry']);
    expect(editor.statusMessages.join()).toContain('127.0.0.1:50001');
    await retryHttpListener(access(busy));
    expect([editor.statusMessages.length, editor.shown]).toEqual([1, []]);
  });
});

test('H15: reports forwarded requests to the user at most every ten minutes', () => {
  const clock = new FakeClock();
  const tell = forwardedNotice(clock);
  for (let count = 0; count < 100; count++) tell();
  expect(editor.shown).toMatchObject([{ kind: 'warning' }]);
  expect(editor.shown[0]?.message).toContain('where the folder is');
  clock.advance(10 * 60_000);
  tell();
  expect(editor.shown).toHaveLength(2);
});
