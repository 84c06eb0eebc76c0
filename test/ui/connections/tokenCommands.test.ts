import { beforeEach, describe, expect, test } from 'vitest';
import { createToken, revokeToken } from '#ui/connections/tokenCommands.ts';
import { tokenItem } from '#ui/connections/tokenItem.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor, userAnswers } from '../../fakes/editor/editor.ts';

const secret = 's'.repeat(43);

const messages = () => editor.shown.filter(({ kind }) => kind !== 'input' && kind !== 'pick');
const picks = () => editor.shown.flatMap(({ items }) => items ?? []);
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
  resetEditor();
});

describe('Create Access Token', () => {
  test('shows the secret this once, and copies it', async () => {
    const tokens = fakeTokens();
    userAnswers(' gemini ', 'Copy');
    await createToken(tokens);
    expect(tokens.done).toEqual(['create gemini']);
    expect(messages()).toMatchObject([{ kind: 'information', message: 'Access token "gemini"', modal: true }]);
    expect(messages()[0]?.detail).toContain(secret);
    expect(messages()[0]?.detail).toContain('shown only once');
    expect(editor.clipboard).toBe(secret);
  });

  test('writes to the clipboard only when the user asks for it', async () => {
    userAnswers('gemini');
    await createToken(fakeTokens());
    expect(editor.clipboard).toBe('');
  });

  test('creates nothing without a name, or with an invalid name', async () => {
    for (const name of [undefined, 'codex']) {
      const tokens = fakeTokens();
      userAnswers(name);
      await createToken(tokens);
      expect([tokens.done, messages()]).toEqual([[], []]);
    }
  });

  test('explains why it failed', async () => {
    userAnswers('gemini');
    const create = () => Promise.reject(new Error('The disk is full.'));
    await createToken({ ...fakeTokens(), create });
    expect(messages()).toMatchObject([
      { kind: 'error', message: 'The access token was not created. The disk is full.' },
    ]);
  });
});

describe('Revoke Access Token', () => {
  test('revokes the token of the row when the user confirms', async () => {
    const tokens = fakeTokens();
    userAnswers('Revoke');
    const [row] = tokens.all.map((token) => tokenItem(token, clock.now()));
    await revokeToken(tokens, clock, row);
    expect([tokens.done, picks()]).toEqual([['revoke codex'], []]);
    expect(messages()).toMatchObject([{ kind: 'warning', message: 'Revoke the access token "codex"?', modal: true }]);
  });

  test('asks which token, with details that tell tokens apart', async () => {
    const tokens = fakeTokens();
    userAnswers('codex', 'Revoke');
    await revokeToken(tokens, clock, undefined);
    expect(picks()).toMatchObject([{ label: 'codex', description: 'used 3 minutes ago' }]);
    expect(tokens.done).toEqual(['revoke codex']);
  });

  test('does nothing unless the user confirms', async () => {
    const tokens = fakeTokens();
    userAnswers('codex');
    await revokeToken(tokens, clock, undefined);
    userAnswers(undefined, 'Revoke');
    await revokeToken(tokens, clock, undefined);
    expect(tokens.done).toEqual([]);
  });

  test('reports that there is no token, or why it failed', async () => {
    await revokeToken({ ...fakeTokens(), all: [] }, clock, undefined);
    expect(messages()).toMatchObject([{ kind: 'information', message: 'There are no access tokens.' }]);
    userAnswers('codex', 'Revoke');
    const revoke = () => Promise.reject(new Error('The disk is full.'));
    await revokeToken({ ...fakeTokens(), revoke }, clock, undefined);
    expect(messages().at(-1)).toMatchObject({
      kind: 'error',
      message: 'The access token "codex" was not revoked. The disk is full.',
    });
  });
});
