import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectedIds, markConnected, unmarkConnected } from '#connect/connectedIds.ts';
import { temporaryMachine } from './temporaryMachine.ts';

test('exists while an assistant is connected, with one id a line', async () => {
  const { stateHome } = await temporaryMachine();
  const file = join(stateHome, 'connected');
  expect(await connectedIds(stateHome)).toEqual([]);
  await markConnected(stateHome, 'codex');
  await markConnected(stateHome, 'claude-code');
  await markConnected(stateHome, 'codex');
  expect(await readFile(file, 'utf8')).toBe('codex\nclaude-code\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await unmarkConnected(stateHome, 'codex');
  await unmarkConnected(stateHome, 'zed');
  expect(await connectedIds(stateHome)).toEqual(['claude-code']);
  await unmarkConnected(stateHome, 'claude-code');
  expect(existsSync(file)).toBe(false);
  await unmarkConnected(stateHome, 'claude-code');
});

test('loses no assistant when several windows write at once', async () => {
  const { stateHome } = await temporaryMachine();
  const ids = ['codex', 'claude-code', 'zed', 'goose', 'cline'];
  await markConnected(stateHome, 'cursor');
  await Promise.all([...ids.map((id) => markConnected(stateHome, id)), unmarkConnected(stateHome, 'cursor')]);
  expect([...(await connectedIds(stateHome))].toSorted()).toEqual(ids.toSorted());
});

test('ignores lines that are no id', async () => {
  const { stateHome } = await temporaryMachine();
  await mkdir(stateHome);
  await writeFile(join(stateHome, 'connected'), 'codex\r\n\n../x\ncodex\n');
  expect(await connectedIds(stateHome)).toEqual(['codex']);
});
