import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Machine, SettingsPart } from '#connect/assistant.ts';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { planSettings, readSettings } from '#connect/assistantSettings.ts';
import { applyChange } from '#connect/configuration.ts';
import { hooksDisabledBy } from '#connect/hooks/hooksDisabledBy.ts';
import { appendElement, jsonFormat, removeElement } from '#connect/jsonFormat.ts';
import { jsoncDocument } from './jsoncDocument.ts';
import { temporaryMachine } from './temporaryMachine.ts';

const both: ReadonlySet<SettingsPart> = new Set(['guard', 'permission']);
const none: ReadonlySet<SettingsPart> = new Set();

async function machineWith(text?: string): Promise<Machine & { readonly stateHome: string; readonly file: string }> {
  const machine = await temporaryMachine();
  const file = claudeCode.settings?.file(machine) ?? '';
  await mkdir(dirname(file), { recursive: true });
  if (text !== undefined) await writeFile(file, text);
  return { ...machine, file };
}

/** Sets exactly these parts up, as Connect does. */
async function setUp(machine: Machine & { readonly stateHome: string }, parts: ReadonlySet<SettingsPart>) {
  const change = await planSettings(claudeCode, machine, parts);
  if (change.isChange) await applyChange(change, machine.stateHome);
  return change;
}

const settings = `{
  // My hooks.
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }, // first
    ]
  },
  "permissions": { "allow": ["Bash(ls)"], "deny": [ ] },
  "model": "opus"
}
`;

describe('the settings of Claude Code', () => {
  test('get the hooks and the permission, and are removed byte for byte', async () => {
    const machine = await machineWith(settings);
    expect(await readSettings(claudeCode, machine)).toEqual({ guard: 'absent', permission: 'absent' });
    await setUp(machine, both);
    expect(await readSettings(claudeCode, machine)).toEqual({ guard: 'current', permission: 'current' });
    const text = await readFile(machine.file, 'utf8');
    const group = (timeout: number) => ({
      matcher: 'Edit|MultiEdit|Write|NotebookEdit',
      hooks: [{ type: 'command', command: `${machine.launcher} hook`, timeout }],
    });
    expect(jsonFormat.read(text)).toEqual({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'mine.sh' }] }, group(2_592_000)],
        PostToolUse: [group(60)],
      },
      permissions: { allow: ['Bash(ls)', 'mcp__drawbridge'], deny: [] },
      model: 'opus',
    });
    expect(text).toContain('// first');
    await setUp(machine, none);
    expect(await readFile(machine.file, 'utf8')).toBe(settings);
  });

  test.each(['', '{}', '{}\n', '{ }', '{"hooks":{}}', '{\n\t"model": "x"\n}', '\uFEFF{\r\n  "a": [1]\r\n}\r\n'])(
    'are as before in the text %j',
    async (text) => {
      const machine = await machineWith(text);
      await setUp(machine, both);
      expect(await readSettings(claudeCode, machine)).toEqual({ guard: 'current', permission: 'current' });
      await setUp(machine, none);
      expect(await readFile(machine.file, 'utf8')).toBe(text);
    },
  );

  test.each([
    ['together', [none]],
    ['the guard first', [new Set<SettingsPart>(['permission']), none]],
    ['the permission first', [new Set<SettingsPart>(['guard']), none]],
  ])('are removed with the file when Drawbridge made it, %s', async (_order, steps) => {
    const machine = await machineWith();
    await setUp(machine, both);
    for (const parts of steps) await setUp(machine, parts);
    expect(existsSync(machine.file)).toBe(false);
  });

  test('keep what was added in between', async () => {
    const machine = await machineWith('{"model":"x"}');
    await setUp(machine, both);
    const changed = (await readFile(machine.file, 'utf8')).replace('"mcp__drawbridge"', '"mcp__drawbridge","Bash(ls)"');
    await writeFile(machine.file, changed);
    await setUp(machine, none);
    expect(jsonFormat.read(await readFile(machine.file, 'utf8'))).toEqual({
      model: 'x',
      permissions: { allow: ['Bash(ls)'] },
    });
  });

  test('get an outdated hook repaired in its place', async () => {
    const machine = await machineWith(settings);
    await setUp(machine, both);
    const other = (await readFile(machine.file, 'utf8')).replaceAll(machine.launcher, '/old/home/bin/drawbridge');
    await writeFile(machine.file, other);
    expect(await readSettings(claudeCode, machine)).toEqual({ guard: 'outdated', permission: 'current' });
    await setUp(machine, both);
    expect(await readSettings(claudeCode, machine)).toEqual({ guard: 'current', permission: 'current' });
    await setUp(machine, none);
    expect(await readFile(machine.file, 'utf8')).toBe(settings);
  });

  test.each([
    ['{"hooks": []}', 'there is no object'],
    ['{"hooks": {"PreToolUse": {}}}', 'there is no array'],
    ['{"permissions": {"allow": "all"}}', 'there is no array'],
    ['{', 'is not valid JSON'],
  ])('are refused when they are %s', async (text, reason) => {
    const machine = await machineWith(text);
    await expect(planSettings(claudeCode, machine, both)).rejects.toThrow(reason);
    expect(await readFile(machine.file, 'utf8')).toBe(text);
  });

  test('are not changed when nothing is set up and nothing is wanted', async () => {
    const machine = await machineWith();
    expect((await setUp(machine, none)).isChange).toBe(false);
    expect(existsSync(machine.file)).toBe(false);
  });
});

describe('hooksDisabledBy', () => {
  test('names the file that switches hooks off', () => {
    const files = [
      { file: 'a', text: '{"disableAllHooks": false}' },
      { file: 'b', text: 'not JSON' },
      { file: 'c', text: '{ /* no */ "disableAllHooks": true }' },
    ];
    expect(hooksDisabledBy(files)).toBe('c');
    expect(hooksDisabledBy(files.slice(0, 2))).toBeUndefined();
  });
});

test('law: an element that is appended to any document and removed leaves the document as it was', () => {
  const isOurs = (value: unknown): boolean => value === 'ours';
  fc.assert(
    fc.property(jsoncDocument, fc.constantFrom(['list'], ['a', 'b'], ['mcpServers', 'a.b']), (text, path) => {
      let appended: ReturnType<typeof appendElement>;
      try {
        appended = appendElement(text, path, 'ours');
      } catch {
        return;
      }
      expect(removeElement(appended.text, path, isOurs, appended.created)).toBe(text);
    }),
  );
});
