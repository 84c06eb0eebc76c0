import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigurationError } from '#connect/configurationError.ts';
import { proxyVariables } from '#connect/doctor/facts.ts';
import { tryHook, tryLauncher } from '#connect/doctor/tryLauncher.ts';

describe('proxies that also apply to this machine', () => {
  test.each([
    [{}, []],
    [{ HTTP_PROXY: 'http://proxy:8080', HTTPS_PROXY: 'http://proxy:8080' }, ['HTTP_PROXY']],
    [{ http_proxy: 'http://p', ALL_PROXY: 'socks5://p' }, ['http_proxy', 'ALL_PROXY']],
    [{ HTTP_PROXY: '' }, []],
    [{ HTTP_PROXY: 'http://p', NO_PROXY: 'localhost' }, ['HTTP_PROXY']],
    [{ HTTP_PROXY: 'http://p', NO_PROXY: 'localhost, 127.0.0.1' }, []],
    [{ HTTP_PROXY: 'http://p', no_proxy: '*' }, []],
    [{ HTTP_PROXY: 'http://p', NO_PROXY: 'example.com,127.0.0.0/8' }, []],
  ])('are found in %o', (environment, expected) => {
    expect(proxyVariables(environment)).toEqual(expected);
  });
});

describe('the program that assistants start', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'doctor-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A program of these lines, asked for its version. */
  function tried(name: string, lines: string) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${lines}\n`);
    chmodSync(path, 0o755);
    return tryLauncher(path, () => ({ command: path, args: [] }));
  }

  test('works when it prints its version', async () => {
    const state = await tried('works', '[ "$1" = --version ] && echo "drawbridge 1.2.0-beta.1"');
    expect(state).toEqual({ kind: 'works', version: '1.2.0-beta.1' });
  });

  test('fails with its last output', async () => {
    const state = await tried('fails', 'echo "Install Node 20." >&2; exit 1');
    expect(state).toEqual({ kind: 'fails', why: 'Install Node 20.' });
  });

  test('fails when it prints something else', async () => {
    expect(await tried('other', 'echo hello')).toEqual({ kind: 'fails', why: 'hello' });
  });

  test('works as a hook when it answers the probe', async () => {
    const path = join(folder, 'hook');
    const hookOf = (lines: string) => {
      writeFileSync(path, `#!/bin/sh\n${lines}\n`);
      chmodSync(path, 0o755);
      return tryHook(path, () => ({ command: path, args: [] }));
    };
    const answer =
      '[ "$1" = hook ] && IFS= read -r input; case $input in *drawbridge_probe*) printf drawbridge_probe;; esac';
    expect(await hookOf(answer)).toEqual({ kind: 'works' });
    expect(await hookOf('exit 0')).toEqual({ kind: 'fails', why: '' });
    expect(await tryHook(join(folder, 'nowhere'), () => ({ command: path, args: [] }))).toEqual({ kind: 'missing' });
  });

  test('is missing', async () => {
    const path = join(folder, 'nowhere');
    expect(await tryLauncher(path, () => ({ command: path, args: [] }))).toEqual({ kind: 'missing' });
  });

  test('fails with a suggestion where no assistant can start it', async () => {
    const path = join(folder, 'works');
    const launcherCommand = () => {
      throw new ConfigurationError('Its path has a ",".', 'Set DRAWBRIDGE_HOME.');
    };
    const why = 'Its path has a ",". Set DRAWBRIDGE_HOME.';
    expect(await tryLauncher(path, launcherCommand)).toEqual({ kind: 'fails', why });
  });
});
