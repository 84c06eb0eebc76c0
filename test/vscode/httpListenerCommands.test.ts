import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { HttpListenerState } from '../../src/ports/httpListener.ts';
import { forwardedNotice } from '../../src/vscode/forwardedNotice.ts';
import { copyHttpUrl, retryHttpListener, tellClosed } from '../../src/vscode/httpListenerCommands.ts';
import { FakeClock } from '../fakes/clock.ts';
import { commands, env, window } from '../fakes/vscode.ts';

vi.mock('vscode', () => import('../fakes/vscode.ts'));

let shown: { kind: string; message: string; buttons: readonly string[] }[];
let status: string[];
let answer: string | undefined;

beforeEach(() => {
  [shown, status, answer] = [[], [], undefined];
  env.clipboard.text = '';
  commands.executed.length = 0;
  const say =
    (kind: string) =>
    async (message: string, ...buttons: string[]): Promise<string | undefined> => {
      shown.push({ kind, message, buttons });
      return buttons.find((button) => button === answer);
    };
  Object.assign(window, {
    showInformationMessage: say('information'),
    showWarningMessage: say('warning'),
    showErrorMessage: say('error'),
    setStatusBarMessage: (text: string) => status.push(text),
  });
});

/** A listener whose state each step changes. */
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
  test('copies what the listener has once the server runs, and says that a token is needed', async () => {
    await copyHttpUrl(access(undefined, open));
    expect(env.clipboard.text).toBe(open.endpoint);
    expect(status.join()).toContain('access token');
    expect(shown).toEqual([]);
  });

  test('without a token offers to make one', async () => {
    answer = 'Create Access Token';
    await copyHttpUrl(access({ kind: 'closed' }));
    expect(shown).toMatchObject([{ kind: 'information', buttons: ['Create Access Token'] }]);
    expect(commands.executed).toEqual([['drawbridge.createToken']]);
    expect(env.clipboard.text).toBe('');
  });

  test.each<[string, HttpListenerState | undefined, string | undefined]>([
    ['no folder is open', { kind: 'noFolder' }, 'Open a folder'],
    ['the port is taken', busy, 'port 50001 is taken by another program'],
    ['the port cannot be had', { kind: 'failed', message: 'EACCES' }, 'EACCES'],
    ['the server did not start, which is told elsewhere', undefined, undefined],
  ])('copies nothing when %s', async (_, state, text) => {
    await copyHttpUrl(access(state));
    expect(env.clipboard.text).toBe('');
    expect(shown.map(({ message }) => message)).toEqual(text === undefined ? [] : [expect.stringContaining(text)]);
  });
});

describe('H14 the human hears of a port that is taken', () => {
  test.each([
    [{ kind: 'unknown' }, 'taken by another program'],
    [{ kind: 'window', name: 'shop' }, 'taken by the window "shop"'],
    [{ kind: 'program', name: 'python3', pid: 77 }, 'taken by the program "python3" (process 77)'],
    [{ kind: 'program', name: 'a\u202eb', pid: 77 }, '"a<U+202E>b"'],
  ] as const)('by %j', async (holder, text) => {
    await tellClosed({ ...busy, holder });
    expect(shown).toMatchObject([{ kind: 'error', buttons: ['Try Again'] }]);
    expect(shown[0]?.message).toContain(text);
    expect(shown[0]?.message).toContain('their tokens');
    expect(commands.executed).toEqual([]);
  });

  test('and can try again from there', async () => {
    answer = 'Try Again';
    await tellClosed(busy);
    expect(commands.executed).toEqual([['drawbridge.retryHttpListener']]);
  });

  test('trying again says when it worked; that it failed is told once, by the change itself', async () => {
    const works = access(busy, busy, open);
    await retryHttpListener(works);
    expect(works.done).toEqual(['settle', 'retry']);
    expect(status.join()).toContain('127.0.0.1:50001');
    await retryHttpListener(access(busy));
    expect([status.length, shown]).toEqual([1, []]);
  });
});

test('H15 forwarded requests are told to the human, at most every ten minutes', () => {
  const clock = new FakeClock();
  const tell = forwardedNotice(clock);
  for (let count = 0; count < 100; count++) tell();
  expect(shown).toMatchObject([{ kind: 'warning' }]);
  expect(shown[0]?.message).toContain('where the folder is');
  clock.advance(10 * 60_000);
  tell();
  expect(shown).toHaveLength(2);
});
