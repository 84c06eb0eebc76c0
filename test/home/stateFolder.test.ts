import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makePrivateFolder, stateFolder } from '#home/stateFolder.ts';
import { temporaryState } from './temporaryState.ts';

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

test('uses ~/.drawbridge unless DRAWBRIDGE_HOME is set', () => {
  expect(stateFolder({}).home).toBe(join(homedir(), '.drawbridge'));
  expect(stateFolder({ DRAWBRIDGE_HOME: '' }).home).toBe(join(homedir(), '.drawbridge'));
  expect(stateFolder({ DRAWBRIDGE_HOME: 'bridge' }).home).toBe(join(homedir(), '.drawbridge'));
  expect(stateFolder({ DRAWBRIDGE_HOME: '/srv/bridge' }).audit).toBe('/srv/bridge/audit');
});

test('creates missing folders with mode 0700', () => {
  const { home, audit } = temporaryState();
  makePrivateFolder(home, audit);
  makePrivateFolder(home, audit);
  expect([modeOf(home), modeOf(audit)]).toEqual(['700', '700']);
});

test('H12 sets mode 0700 when others could open the folder', () => {
  const { home, audit } = temporaryState();
  mkdirSync(audit, { recursive: true });
  chmodSync(home, 0o755);
  chmodSync(audit, 0o777);
  makePrivateFolder(home, audit);
  expect([modeOf(home), modeOf(audit)]).toEqual(['700', '700']);
});

test('H12 refuses a link or a file in place of a folder', () => {
  const { home, audit, history } = temporaryState();
  mkdirSync(home, { recursive: true });
  symlinkSync(dirname(home), audit);
  writeFileSync(history, '');
  expect(() => makePrivateFolder(home, audit)).toThrow(/not a folder/);
  expect(() => makePrivateFolder(home, history)).toThrow();
});
