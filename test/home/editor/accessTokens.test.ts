import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '#home/editor/accessTokens.ts';
import { authenticate, credentialOf, makeSecret } from '#mcp/auth.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { temporaryState } from '../temporaryState.ts';

const minute = 60_000;

/** Sets up windows of one user that share a clock. */
function scene() {
  const { home } = temporaryState();
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const open = (): AccessTokens & { readonly revoked: string[] } => {
    const tokens = new AccessTokens({ home, clock, makeSecret, onError: (error) => void errors.push(error) });
    onTestFinished(() => tokens.dispose());
    const revoked: string[] = [];
    tokens.onDidRevoke((name) => void revoked.push(name));
    return Object.assign(tokens, { revoked });
  };
  return { clock, errors, open };
}

/** Resolves when the condition holds after a change. */
function change(tokens: AccessTokens, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = tokens.onDidChange(() => {
      if (!condition()) return;
      subscription.dispose();
      resolve();
    });
  });
}

const accepts = (tokens: AccessTokens, secret: string): string | undefined =>
  authenticate(`Bearer ${secret}`, tokens.credentials())?.name;

describe('an access token', () => {
  test('H12 is stored as a hash in a private file and accepted by every window', async () => {
    const { clock, open } = scene();
    const [here, there] = [open(), open()];
    const secret = await here.create('codex');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect([accepts(here, secret), accepts(there, secret), accepts(here, makeSecret())]).toEqual([
      'codex',
      'codex',
      undefined,
    ]);
    const text = readFileSync(here.path, 'utf8');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    expect(JSON.parse(text)).toEqual({
      version: 1,
      tokens: [
        {
          name: 'codex',
          sha256: credentialOf('codex', secret).sha256.toString('hex'),
          created: new Date(clock.now()).toISOString(),
        },
      ],
    });
    expect((lstatSync(here.path).mode & 0o777).toString(8)).toBe('600');
  });

  test('is refused by every window after a revocation, and every window is told', async () => {
    const { open } = scene();
    const [here, there] = [open(), open()];
    const [codex, other] = [await here.create('codex'), await here.create('other')];
    expect(accepts(there, codex)).toBe('codex');
    await here.revoke('codex');
    expect([accepts(there, codex), accepts(here, codex), accepts(there, other)]).toEqual([
      undefined,
      undefined,
      'other',
    ]);
    expect([here.revoked, there.revoked]).toEqual([['codex'], ['codex']]);
  });

  test('tells an idle window of a revocation', async () => {
    const { open } = scene();
    const [here, there] = [open(), open()];
    const arrived = change(there, () => there.all.length === 1);
    await here.create('codex');
    await arrived;
    const left = change(there, () => there.all.length === 0);
    await here.revoke('codex');
    await left;
    expect(there.revoked).toEqual(['codex']);
  });

  test('stays revoked when a new token gets its name', async () => {
    const { clock, open } = scene();
    const [here, there] = [open(), open()];
    const old = await here.create('codex');
    expect(accepts(there, old)).toBe('codex');
    const proposed = clock.now();
    expect(there.stillHas('codex', proposed)).toBe(true);
    clock.advance(1000);
    await here.revoke('codex');
    const secret = await here.create('codex');
    expect([accepts(there, old), accepts(there, secret)]).toEqual([undefined, 'codex']);
    expect(there.revoked).toEqual(['codex']);
    expect([there.stillHas('codex', proposed), there.stillHas('codex', clock.now())]).toEqual([false, true]);
  });

  test('refuses reserved, malformed and duplicate names', async () => {
    const { open } = scene();
    const tokens = open();
    await tokens.create('Codex on my laptop');
    for (const name of ['a', 'a b', 'x'.repeat(40), 'v1.2_b-3']) expect(tokens.nameProblem(name)).toBeUndefined();
    const wrong = ['', ' a', 'a ', 'x'.repeat(41), 'naïve', 'a/b', 'a\nb', 'Window', 'any', 'codex ON my laptop'];
    for (const name of wrong) expect(tokens.nameProblem(name), name).toEqual(expect.any(String));
    await expect(tokens.create('codex on MY laptop')).rejects.toThrow('There is a token');
    expect(tokens.all).toHaveLength(1);
  });

  test('is created once when two windows create the same name', async () => {
    const { open } = scene();
    const results = await Promise.allSettled([open().create('codex'), open().create('codex')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('records its last use at most once a minute', async () => {
    const { clock, errors, open } = scene();
    const [here, there] = [open(), open()];
    await here.create('codex');
    there.credentials();
    const [first] = here.all;
    expect(first?.lastUsed).toBeUndefined();
    const use = async (tokens: AccessTokens): Promise<number | undefined> => {
      const written = change(tokens, () => tokens.all[0]?.lastUsed === clock.now());
      tokens.used('codex');
      await written;
      return tokens.all[0]?.lastUsed;
    };
    clock.advance(minute);
    const time = clock.now();
    expect(await use(here)).toBe(time);
    clock.advance(minute - 1);
    const before = readFileSync(here.path, 'utf8');
    here.used('codex');
    there.used('codex');
    // A window runs its updates one after the other.
    await Promise.all([here, there].map((tokens) => tokens.revoke('nothing of this name')));
    expect(readFileSync(here.path, 'utf8')).toBe(before);
    clock.advance(1);
    expect(await use(here)).toBe(time + minute);
    await here.revoke('codex');
    await here.create('codex');
    expect(await use(here)).toBe(time + minute);
    expect(errors).toEqual([]);
  });

  test('records no use when the token does not exist', async () => {
    const { open } = scene();
    const tokens = open();
    await tokens.create('codex');
    const before = readFileSync(tokens.path, 'utf8');
    tokens.used('other');
    await tokens.revoke('other');
    expect(readFileSync(tokens.path, 'utf8')).toBe(before);
  });
});

describe('a file of tokens that cannot be read', () => {
  test.each([
    ['is broken', () => '{'],
    ['names a token "window"', (text: string) => text.replace('codex', 'window')],
    ['has two tokens with one name', (text: string) => text.replace('other', 'CODEX')],
    ['is of another version', (text: string) => text.replace('"version": 1', '"version": 2')],
    ['has an invalid hash', (text: string) => text.replace(/"sha256": "../, '"sha256": "zz')],
  ])('accepts no token and revokes none when it %s', async (_why, spoil) => {
    const { open } = scene();
    const tokens = open();
    const secret = await tokens.create('codex');
    await tokens.create('other');
    const good = readFileSync(tokens.path, 'utf8');
    writeFileSync(tokens.path, spoil(good));
    expect([accepts(tokens, secret), tokens.problem]).toEqual([undefined, expect.stringContaining('tokens.json')]);
    expect([tokens.revoked, tokens.stillHas('gone', 0)]).toEqual([[], true]);
    await expect(tokens.create('third')).rejects.toThrow('cannot be used');
    await expect(tokens.revoke('codex')).rejects.toThrow('cannot be used');
    writeFileSync(tokens.path, good);
    expect([accepts(tokens, secret), tokens.problem, tokens.revoked]).toEqual(['codex', undefined, []]);
  });

  test('revokes a token when the repaired file lacks it', async () => {
    const { open } = scene();
    const tokens = open();
    const secret = await tokens.create('codex');
    writeFileSync(tokens.path, '{');
    expect(accepts(tokens, secret)).toBeUndefined();
    writeFileSync(tokens.path, '{ "version": 1, "tokens": [] }');
    expect(accepts(tokens, secret)).toBeUndefined();
    expect(tokens.revoked).toEqual(['codex']);
  });
});
