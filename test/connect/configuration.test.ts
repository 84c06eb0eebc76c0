import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { codex } from '#connect/assistants/codex.ts';
import { applyChange, ConfigurationError, planConnect, planDisconnect, readState } from '#connect/configuration.ts';
import { inverseOf } from '#connect/configurationChange.ts';
import { cursor } from '#connect/assistants/cursor.ts';
import { goose } from '#connect/assistants/goose.ts';
import { opencode } from '#connect/assistants/opencode.ts';
import { temporaryMachine } from './temporaryMachine.ts';

async function withCursor(content: string | Buffer) {
  const machine = await temporaryMachine();
  const file = cursor.configurationFile(machine) ?? '';
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  const connect = async (): Promise<unknown> => applyChange(await planConnect(cursor, machine), machine.stateHome);
  return { machine, file, connect };
}

describe('a file that cannot be used is refused, unchanged and explained', () => {
  const broken = [
    { assistant: cursor, text: '{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n', place: 'line 4, column 5' },
    { assistant: cursor, text: '{"mcpServers": {', place: 'line 1, column 17' },
    { assistant: cursor, text: '{} {}', place: 'line 1, column 4' },
    { assistant: codex, text: 'a = 1\n[b\nc = 2\n', place: 'line 3, column 1' },
    { assistant: codex, text: 'a = 1\na = 2\n', place: 'line 2, column 1' },
    { assistant: goose, text: 'extensions:\n  a: [\n', place: 'line 3, column 1' },
    { assistant: goose, text: 'a: 1\na: 2\n', place: 'line 2, column 1' },
    { assistant: goose, text: 'a: 1\n---\nb: 1\n', place: 'line 2, column 1' },
    { assistant: goose, text: 'a: *nowhere\n', place: 'alias' },
  ];
  test.each(broken)('when $assistant.id has the text $text', async ({ assistant, text, place }) => {
    const machine = await temporaryMachine();
    const file = assistant.configurationFile(machine) ?? '';
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    for (const attempt of [readState, planConnect, planDisconnect]) {
      const error = await failure(attempt(assistant, machine));
      expect(error.message).toContain(file);
      expect(error.message).toContain(place);
      expect(error.hint).toContain('It was not changed.');
    }
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  const unfit = [
    { what: 'a list where the servers belong', text: '{"mcpServers": []}', reason: 'no object at line 1, column 16' },
    { what: 'a root that is no object', text: '[1]', reason: 'no object at line 1, column 1' },
    {
      what: 'one key twice',
      text: '{"mcpServers": {},\n"mcpServers": {}}',
      reason: 'there twice, the second time at line 2',
    },
  ];
  test.each(unfit)('when it has $what', async ({ text, reason }) => {
    const { machine, file } = await withCursor(text);
    const error = await failure(planConnect(cursor, machine));
    expect(error.message).toContain(reason);
    expect(error.hint).toContain('by hand');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('when another server has our name', async () => {
    const { machine } = await withCursor('{"mcpServers": {"drawbridge": {"command": "npx", "args": ["castle"]}}}');
    for (const attempt of [readState, planConnect, planDisconnect]) {
      expect((await failure(attempt(cursor, machine))).message).toContain('not for Drawbridge');
    }
  });

  test('when it is not UTF-8', async () => {
    const { machine, file } = await withCursor(Buffer.from('{"a": "\u00e9"}', 'latin1'));
    expect((await failure(planConnect(cursor, machine))).message).toBe(`${file} is not encoded as UTF-8.`);
  });

  test('when it is UTF-16', async () => {
    const { machine } = await withCursor(Buffer.from('\uFEFF{}', 'utf16le'));
    expect((await failure(planConnect(cursor, machine))).message).toContain('UTF-8');
  });

  test('when it is larger than 10 MiB', async () => {
    const { machine } = await withCursor(`{"a": "${'x'.repeat(10 * 1024 * 1024)}"}`);
    const error = await failure(planConnect(cursor, machine));
    expect([error.message.includes('10 MiB'), error.hint.includes('by hand')]).toEqual([true, true]);
  });

  test('when a folder has its path', async () => {
    const machine = await temporaryMachine();
    await mkdir(cursor.configurationFile(machine) ?? '', { recursive: true });
    expect((await failure(planConnect(cursor, machine))).message).toContain('is a folder');
  });

  test('when a file has the path of its folder', async () => {
    const machine = await temporaryMachine();
    await mkdir(machine.home, { recursive: true });
    await writeFile(join(machine.home, '.cursor'), '');
    expect((await failure(planConnect(cursor, machine))).message).toContain('cannot be read');
  });

  test('when it is a link that leads nowhere', async () => {
    const machine = await temporaryMachine();
    const file = cursor.configurationFile(machine) ?? '';
    await mkdir(dirname(file), { recursive: true });
    await symlink(join(machine.home, 'gone'), file);
    expect((await failure(planConnect(cursor, machine))).message).toContain('leads nowhere');
  });

  test('when it is read-only', async () => {
    const { file, connect } = await withCursor('{}');
    await chmod(file, 0o444);
    expect((await failure(connect())).message).toBe(`${file} is read-only.`);
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  test('when the editor has no folder of user settings', async () => {
    const machine = await temporaryMachine();
    const assistant = { ...cursor, configurationFile: () => undefined };
    expect(await readState(assistant, machine)).toBe('absent');
    expect((await failure(planConnect(assistant, machine))).hint).toContain('where it runs');
  });
});

describe('writing a configuration', () => {
  test('refuses a file that changed after the plan, and leaves it alone', async () => {
    const { machine, file } = await withCursor('{}');
    const change = await planConnect(cursor, machine);
    await writeFile(file, '{"mcpServers": {"other": {}}}');
    const error = await failure(applyChange(change, machine.stateHome));
    expect(error.message).toContain('changed by another program');
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers": {"other": {}}}');
    expect(existsSync(machine.stateHome)).toBe(false);
  });

  test('does not overwrite a file that appeared after the plan', async () => {
    const machine = await temporaryMachine();
    const change = await planConnect(cursor, machine);
    await mkdir(dirname(change.file), { recursive: true });
    await writeFile(change.file, '{"mine": 1}');
    await failure(applyChange(change, machine.stateHome));
    expect(await readFile(change.file, 'utf8')).toBe('{"mine": 1}');
  });

  test('keeps a link, and writes the file that it leads to with its mode', async () => {
    const machine = await temporaryMachine();
    const [file, target] = [cursor.configurationFile(machine) ?? '', join(machine.home, 'dotfiles', 'mcp.json')];
    await mkdir(dirname(file), { recursive: true });
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, '{}', { mode: 0o640 });
    await symlink(target, file);
    await applyChange(await planConnect(cursor, machine), machine.stateHome);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toContain('drawbridge');
    expect((await stat(target)).mode & 0o777).toBe(0o640);
  });

  test('creates a new file and its folders for this user only', async () => {
    const machine = await temporaryMachine();
    const { file } = await planConnect(cursor, machine);
    await applyChange(await planConnect(cursor, machine), machine.stateHome);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  });

  test('keeps a copy of the file before, for this user only', async () => {
    const { machine } = await withCursor('{"secret": "s"}');
    const { backup = '' } = await applyChange(await planConnect(cursor, machine), machine.stateHome);
    expect(await readFile(backup, 'utf8')).toBe('{"secret": "s"}');
    expect(backup).toMatch(/\/backups\/cursor-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(backup))).mode & 0o777).toBe(0o700);
  });

  test('keeps the last five copies of each assistant', async () => {
    const { machine } = await withCursor('{"secret": "s"}');
    await mkdir(join(machine.stateHome, 'backups'), { recursive: true });
    await writeFile(join(machine.stateHome, 'backups', 'cursor-notes'), '');
    const backups: string[] = [];
    for (let time = 0; time < 4; time++) {
      for (const plan of [planConnect, planDisconnect]) {
        const { backup = '' } = await applyChange(await plan(cursor, machine), machine.stateHome);
        backups.push(backup.slice(backup.lastIndexOf('/') + 1));
      }
    }
    const kept = await readdir(join(machine.stateHome, 'backups'));
    expect(kept.toSorted()).toEqual([...backups.slice(-5), 'cursor-notes']);
  });

  test('keeps both copies when two changes are made in one millisecond, and after the clock went back', async () => {
    const { machine } = await withCursor('{"secret": "s"}');
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-28T23:59:59.999Z'));
    onTestFinished(() => now.mockRestore());
    const backups: (string | undefined)[] = [];
    for (const plan of [planConnect, planDisconnect, planConnect]) {
      if (backups.length === 2) now.mockReturnValue(Date.parse('2026-11-28T12:00:00.000Z'));
      backups.push((await applyChange(await plan(cursor, machine), machine.stateHome)).backup);
    }
    expect(backups.map((backup = '') => backup.slice(backup.lastIndexOf('/') + 1))).toEqual([
      'cursor-2026-11-28T23-59-59-999Z',
      'cursor-2026-11-29T00-00-00-000Z',
      'cursor-2026-11-29T00-00-00-001Z',
    ]);
    expect(await readFile(backups[0] ?? '', 'utf8')).toBe('{"secret": "s"}');
  });

  test('changes nothing when no copy can be kept', async () => {
    const { machine, file, connect } = await withCursor('{}');
    await mkdir(machine.stateHome, { recursive: true });
    await writeFile(join(machine.stateHome, 'backups'), '');
    expect((await failure(connect())).message).toContain('nothing was changed');
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  test('keeps nothing about other servers in the state folder', async () => {
    const { machine, connect } = await withCursor('{"mcpServers": {"a": {"env": {"KEY": "secret"}}}}');
    await connect();
    expect(await readFile(join(machine.stateHome, 'connections', 'cursor.json'), 'utf8')).not.toContain('secret');
  });
});

describe('reverting a change', () => {
  test('restores the file after connecting, and the entry after disconnecting', async () => {
    const { machine, file } = await withCursor('{ }');
    const connect = await planConnect(cursor, machine);
    await applyChange(connect, machine.stateHome);
    await applyChange(inverseOf(connect), machine.stateHome);
    expect(await readFile(file, 'utf8')).toBe('{ }');
    await applyChange(await planConnect(cursor, machine), machine.stateHome);
    const disconnect = await planDisconnect(cursor, machine);
    await applyChange(disconnect, machine.stateHome);
    await applyChange(inverseOf(disconnect), machine.stateHome);
    expect(await readState(cursor, machine)).toBe('current');
    await applyChange(await planDisconnect(cursor, machine), machine.stateHome);
    expect(await readFile(file, 'utf8')).toBe('{ }');
  });

  test('removes a created file, restores it, and removes it again', async () => {
    const machine = await temporaryMachine();
    await applyChange(await planConnect(cursor, machine), machine.stateHome);
    const disconnect = await planDisconnect(cursor, machine);
    await applyChange(disconnect, machine.stateHome);
    await applyChange(inverseOf(disconnect), machine.stateHome);
    await applyChange(await planDisconnect(cursor, machine), machine.stateHome);
    expect(existsSync(machine.home)).toBe(false);
  });

  test('removes the entry from the file that holds it, though the assistant has another file since', async () => {
    const machine = await temporaryMachine();
    const { file } = await planConnect(opencode, machine);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{"theme": "dark"}');
    await applyChange(await planConnect(opencode, machine), machine.stateHome);
    await writeFile(`${file}c`, '{}');
    await applyChange(await planDisconnect(opencode, machine), machine.stateHome);
    expect(await readFile(file, 'utf8')).toBe('{"theme": "dark"}');
    expect(await planDisconnect(opencode, machine)).toMatchObject({ file: `${file}c`, isChange: false });
  });

  test('keeps what others wrote into a file that we created', async () => {
    const machine = await temporaryMachine();
    await applyChange(await planConnect(claudeCode, machine), machine.stateHome);
    const file = claudeCode.configurationFile(machine) ?? '';
    await writeFile(file, (await readFile(file, 'utf8')).replace('{\n', '{\n  "numStartups": 1,\n'));
    await applyChange(await planDisconnect(claudeCode, machine), machine.stateHome);
    expect(await readFile(file, 'utf8')).toBe('{\n  "numStartups": 1\n}\n');
  });

  test('keeps a comment that the user wrote beside our entry, in the object that we created for it', async () => {
    const { machine, file, connect } = await withCursor('{}\n');
    await connect();
    const text = await readFile(file, 'utf8');
    expect(text).toContain('"mcpServers": {\n');
    await writeFile(file, text.replace('"mcpServers": {\n', '"mcpServers": {\n    // of the user\n'));
    await applyChange(await planDisconnect(cursor, machine), machine.stateHome);
    expect(await readFile(file, 'utf8')).toContain('// of the user');
  });

  test('keeps a folder into which others put something', async () => {
    const machine = await temporaryMachine();
    await applyChange(await planConnect(cursor, machine), machine.stateHome);
    await writeFile(join(machine.home, '.cursor', 'other'), '');
    await applyChange(await planDisconnect(cursor, machine), machine.stateHome);
    expect(await readdir(join(machine.home, '.cursor'))).toEqual(['other']);
  });

  test('keeps the containers, and nothing else, without any record', async () => {
    const { machine, file } = await withCursor('{\n  "a": 1\n}\n');
    await applyChange(await planConnect(cursor, machine), machine.stateHome);
    await writeFile(join(machine.stateHome, 'connections', 'cursor.json'), 'broken');
    await applyChange(await planDisconnect(cursor, machine), machine.stateHome);
    expect(await readFile(file, 'utf8')).toBe('{\n  "a": 1,\n  "mcpServers": {}\n}\n');
  });

  test('leaves an empty file empty, and a file of comments with its comments', async () => {
    for (const text of ['', '\n', '// none yet', '// none yet\n']) {
      const { machine, file, connect } = await withCursor(text);
      await connect();
      await applyChange(await planDisconnect(cursor, machine), machine.stateHome);
      expect(await readFile(file, 'utf8')).toBe(text);
    }
  });
});

async function failure(attempt: Promise<unknown>): Promise<ConfigurationError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ConfigurationError) return error;
  throw new Error('It should have failed with a ConfigurationError', { cause: error });
}
