import { beforeEach, describe, expect, test, vi } from 'vitest';
import { tokenItem } from '../../src/vscode/connectionsView/tokenItem.ts';
import { createToken, revokeToken } from '../../src/vscode/tokenCommands.ts';
import { FakeClock } from '../fakes/clock.ts';
import { env, window } from '../fakes/vscode.ts';

vi.mock('vscode', () => import('../fakes/vscode.ts'));

const secret = 's'.repeat(43);

/** What the human answers, and what was shown. */
function human(answers: { readonly name?: string; readonly button?: string; readonly pick?: string }) {
  const shown: { kind: string; message: string; modal?: boolean; detail?: string }[] = [];
  const say =
    (kind: string) =>
    async (message: string, options?: { modal: boolean; detail: string }, ...buttons: string[]) => {
      shown.push({ kind, message, ...options });
      return buttons.find((button) => button === answers.button);
    };
  const picks: { label: string; description: string }[][] = [];
  Object.assign(window, {
    showInputBox: async ({ validateInput }: { validateInput: (value: string) => string | undefined }) =>
      answers.name === undefined || validateInput(answers.name) !== undefined ? undefined : answers.name,
    showQuickPick: async (items: { label: string; description: string }[]) => {
      picks.push(items);
      return items.find(({ label }) => label === answers.pick);
    },
    showInformationMessage: say('information'),
    showWarningMessage: say('warning'),
    showErrorMessage: say('error'),
    setStatusBarMessage: () => undefined,
  });
  return { shown, picks };
}

const clock = new FakeClock();

/** Tokens of which one can be made and one revoked. */
function fakeTokens() {
  const done: string[] = [];
  return {
    done,
    all: [{ name: 'codex', created: clock.now() - 3_600_000, lastUsed: clock.now() - 180_000 }],
    nameProblem: (name: string) => (name === 'codex' ? 'There is one.' : undefined),
    create: async (name: string) => {
      done.push(`create ${name}`);
      return secret;
    },
    revoke: async (name: string) => void done.push(`revoke ${name}`),
  };
}

beforeEach(() => {
  env.clipboard.text = '';
});

describe('Create Access Token', () => {
  test('shows the secret this once, and copies it', async () => {
    const tokens = fakeTokens();
    const { shown } = human({ name: ' gemini ', button: 'Copy' });
    await createToken(tokens);
    expect(tokens.done).toEqual(['create gemini']);
    expect(shown).toMatchObject([{ kind: 'information', message: 'Access token "gemini"', modal: true }]);
    expect(shown[0]?.detail).toContain(secret);
    expect(shown[0]?.detail).toContain('shown this once');
    expect(env.clipboard.text).toBe(secret);
  });

  test('touches the clipboard only when told to', async () => {
    human({ name: 'gemini' });
    await createToken(fakeTokens());
    expect(env.clipboard.text).toBe('');
  });

  test('makes nothing without a name, or with one that cannot be', async () => {
    for (const name of [undefined, 'codex']) {
      const tokens = fakeTokens();
      const { shown } = human({ ...(name !== undefined && { name }) });
      await createToken(tokens);
      expect([tokens.done, shown]).toEqual([[], []]);
    }
  });

  test('says why it failed', async () => {
    const { shown } = human({ name: 'gemini' });
    const create = () => Promise.reject(new Error('The disk is full.'));
    await createToken({ ...fakeTokens(), create });
    expect(shown).toEqual([{ kind: 'error', message: 'The access token was not created. The disk is full.' }]);
  });
});

describe('Revoke Access Token', () => {
  test('revokes the token of the row when it is confirmed', async () => {
    const tokens = fakeTokens();
    const { shown, picks } = human({ button: 'Revoke' });
    const [row] = tokens.all.map((token) => tokenItem(token, clock.now()));
    await revokeToken(tokens, clock, row);
    expect([tokens.done, picks]).toEqual([['revoke codex'], []]);
    expect(shown).toMatchObject([{ kind: 'warning', message: 'Revoke the access token "codex"?', modal: true }]);
  });

  test('asks which one, with what helps to know it', async () => {
    const tokens = fakeTokens();
    const { picks } = human({ pick: 'codex', button: 'Revoke' });
    await revokeToken(tokens, clock, undefined);
    expect(picks).toMatchObject([[{ label: 'codex', description: 'used 3 minutes ago' }]]);
    expect(tokens.done).toEqual(['revoke codex']);
  });

  test('does nothing unless it is confirmed', async () => {
    const tokens = fakeTokens();
    human({ pick: 'codex' });
    await revokeToken(tokens, clock, undefined);
    human({ button: 'Revoke' });
    await revokeToken(tokens, clock, undefined);
    expect(tokens.done).toEqual([]);
  });

  test('says that there is none, and why it failed', async () => {
    const none = human({});
    await revokeToken({ ...fakeTokens(), all: [] }, clock, undefined);
    expect(none.shown).toEqual([{ kind: 'information', message: 'There are no access tokens.' }]);
    const { shown } = human({ pick: 'codex', button: 'Revoke' });
    const revoke = () => Promise.reject(new Error('The disk is full.'));
    await revokeToken({ ...fakeTokens(), revoke }, clock, undefined);
    expect(shown.at(-1)).toMatchObject({
      kind: 'error',
      message: 'The access token "codex" was not revoked. The disk is full.',
    });
  });
});
