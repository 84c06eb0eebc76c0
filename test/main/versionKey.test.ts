import { describe, expect, it } from 'vitest';
import { textVersion } from '#audit/textVersion.ts';
import { useVersionKey } from '#main/versionKey.ts';
import { characters, githubToken } from '../fakes/secrets.ts';

class Storage {
  readonly kept = new Map<string, string>();
  get = async (key: string): Promise<string | undefined> => this.kept.get(key);
  store = async (key: string, value: string): Promise<void> => void this.kept.set(key, value);
}

function logInto(errors: string[]) {
  return { error: (message: string) => void errors.push(message) };
}

describe('the versions of texts', () => {
  it('stay valid over a reload, and those of another installation differ', async () => {
    const [storage, errors] = [new Storage(), new Array<string>()];
    await useVersionKey(storage, logInto(errors));
    const version = textVersion('a\n');
    await useVersionKey(new Storage(), logInto(errors));
    expect(textVersion('a\n')).not.toBe(version);
    await useVersionKey(storage, logInto(errors));
    expect(textVersion('a\n')).toBe(version);
    expect(errors).toEqual([]);
  });

  it('have the key of the window that stored it last when two windows start at once', async () => {
    const storage = new Storage();
    const other = Buffer.alloc(32, 7).toString('base64');
    const store = async (key: string): Promise<void> => void storage.kept.set(key, other);
    await useVersionKey({ get: storage.get, store }, logInto([]));
    const version = textVersion('a\n');
    await useVersionKey(storage, logInto([]));
    expect(textVersion('a\n')).toBe(version);
  });

  it('have a key of the process when the secret storage fails, hangs or holds no key', async () => {
    const errors: string[] = [];
    const failing = { get: () => Promise.reject(new Error('locked')), store: async () => undefined };
    await useVersionKey(failing, logInto(errors));
    await useVersionKey({ get: async () => 'short', store: async () => undefined }, logInto(errors));
    expect(errors).toHaveLength(2);
    expect(textVersion('a\n')).toMatch(/^[0-9a-f]{16}$/);
  });

  it('A29: are the same for every redacted secret, and no hash that somebody else could compute', async () => {
    await useVersionKey(new Storage(), logInto([]));
    const withSecret = (secret: string): string => `const a = "${secret}";\n`;
    const version = textVersion(withSecret(githubToken));
    expect(textVersion(withSecret(`ghp_${characters(50)}`))).toBe(version);
    expect(textVersion(`${withSecret(githubToken)}more\n`)).not.toBe(version);
    const plain = textVersion('a\n');
    await useVersionKey(new Storage(), logInto([]));
    expect(textVersion('a\n')).not.toBe(plain);
  });
});
