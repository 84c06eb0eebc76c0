import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  type Addition,
  type Assistant,
  type AssistantPart,
  assistantParts,
  type ConnectPart,
  type Machine,
} from '#connect/assistant.ts';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { codex } from '#connect/assistants/codex.ts';
import { gemini } from '#connect/assistants/gemini.ts';
import { opencode } from '#connect/assistants/opencode.ts';
import { applyChange, planParts, readParts, readState } from '#connect/configuration.ts';
import { inverseOf } from '#connect/configurationChange.ts';
import { appendElement, jsonFormat, removeElement } from '#connect/jsonFormat.ts';
import { jsoncDocument } from './jsoncDocument.ts';
import { filesBelow, partsSample } from './partsSample.ts';
import { temporaryMachine } from './temporaryMachine.ts';

type TemporaryMachine = Machine & { readonly stateHome: string };
type Wanted = Readonly<Partial<Record<ConnectPart, boolean>>>;

const guarded = assistants.filter(({ parts }) => parts !== undefined);

function partsOf({ parts }: Assistant): readonly ConnectPart[] {
  return ['server', ...assistantParts.filter((part) => parts?.[part] !== undefined)];
}

function wantedOf(assistant: Assistant, chosen: readonly ConnectPart[]): Wanted {
  return Object.fromEntries(partsOf(assistant).map((part) => [part, chosen.includes(part)]));
}

/** Sets up exactly these parts, as Connect does. @returns the changes of the files */
async function setUp(assistant: Assistant, machine: TemporaryMachine, chosen: readonly ConnectPart[]) {
  const changes = (await planParts(assistant, machine, wantedOf(assistant, chosen))).filter(({ isChange }) => isChange);
  for (const change of changes) await applyChange(change, machine.stateHome);
  return changes;
}

async function statesOf(assistant: Assistant, machine: Machine): Promise<Readonly<Record<string, string>>> {
  return { server: await readState(assistant, machine), ...(await readParts(assistant, machine)) };
}

function expected(chosen: readonly ConnectPart[]): Readonly<Record<string, string>> {
  const all = ['server', ...assistantParts] as const;
  return Object.fromEntries(all.map((part) => [part, chosen.includes(part) ? 'current' : 'absent']));
}

describe.each(guarded)('the parts of $id', (assistant) => {
  const all = partsOf(assistant);

  test('change only our lines in files with content, one change for each file, and go byte for byte', async () => {
    const { machine, before, after } = await partsSample(assistant);
    const changes = await setUp(assistant, machine, all);
    expect(new Set(changes.map(({ file }) => file)).size).toBe(changes.length);
    expect(await filesBelow(machine)).toEqual(after);
    expect(await statesOf(assistant, machine)).toEqual(expected(all));
    expect(await setUp(assistant, machine, all)).toEqual([]);
    await setUp(assistant, machine, []);
    expect(await filesBelow(machine)).toEqual(before);
  });

  test('are taken back by the inverse changes, and set up again by their inverse', async () => {
    const { machine, before, after } = await partsSample(assistant);
    const changes = await setUp(assistant, machine, all);
    for (const change of changes.map(inverseOf)) await applyChange(change, machine.stateHome);
    expect(await filesBelow(machine)).toEqual(before);
    for (const change of changes) await applyChange(change, machine.stateHome);
    const removed = await setUp(assistant, machine, []);
    for (const change of removed.map(inverseOf)) await applyChange(change, machine.stateHome);
    expect(await filesBelow(machine)).toEqual(after);
    await setUp(assistant, machine, []);
    expect(await filesBelow(machine)).toEqual(before);
  });

  test('law: whatever is set up and taken back in between, the files are as before when nothing is set up', async () => {
    const steps = fc.array(fc.subarray([...all]), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (chosen, isSample) => {
        const { machine, before } = isSample ? await partsSample(assistant) : await emptyMachine();
        for (const parts of chosen) {
          await setUp(assistant, machine, parts);
          const isReached = (part: ConnectPart): boolean =>
            part === 'server' ||
            parts.includes('server') ||
            !additionsOf(assistant, machine, part).some((each) => isInEntry(assistant, each));
          expect(await statesOf(assistant, machine)).toEqual(expected(parts.filter(isReached)));
        }
        await setUp(assistant, machine, []);
        expect(await filesBelow(machine)).toEqual(before);
        if (!isSample) expect(existsSync(machine.home)).toBe(false);
      }),
      { numRuns: 12 },
    );
  });

  test('are not changed when nothing is set up and nothing is wanted', async () => {
    const { machine, before } = await partsSample(assistant);
    expect(await setUp(assistant, machine, [])).toEqual([]);
    expect(await filesBelow(machine)).toEqual(before);
  });

  test('are repaired in their place when they start another launcher, and are then taken back', async () => {
    const { machine, before, after } = await partsSample(assistant);
    await setUp(assistant, machine, all);
    for (const [name, text] of Object.entries(await filesBelow(machine))) {
      await writeFile(join(machine.home, name), text.replaceAll('/home/ada/.drawbridge', '/old/home'));
    }
    const states = await statesOf(assistant, machine);
    expect(states['guard']).toBe('outdated');
    expect(states['server']).toBe('outdated');
    await setUp(assistant, machine, all);
    expect(await filesBelow(machine)).toEqual(after);
    await setUp(assistant, machine, []);
    expect(await filesBelow(machine)).toEqual(before);
  });

  test('give the assistant no permission for tools of its own, and need at most one file besides that of the server', async () => {
    const { machine } = await emptyMachine();
    expect((await planParts(assistant, machine, wantedOf(assistant, all))).length).toBeLessThanOrEqual(2);
    for (const part of assistantParts) {
      for (const addition of additionsOf(assistant, machine, part)) {
        if (addition.kind === 'file') continue;
        const isForOurTools = isInEntry(assistant, addition) || addition.value === 'mcp__drawbridge';
        expect(isForOurTools).toBe(part === 'permission');
        expect(addition.path.includes('allow')).toBe(addition.value === 'mcp__drawbridge');
      }
    }
  });
});

test.each([claudeCode, codex, gemini])(
  'the guard of $id is outdated when it is one of edits alone, and Connect adds the hooks of commands and moments',
  async (assistant) => {
    const { machine } = await emptyMachine();
    const all = partsOf(assistant);
    await setUp(assistant, machine, all);
    const whole = await filesBelow(machine);
    const file = additionsOf(assistant, machine, 'guard')[0]?.file ?? assistant.configurationFile(machine) ?? '';
    const settings = z
      .looseObject({ hooks: z.record(z.string(), z.array(z.looseObject({}))) })
      .parse(JSON.parse(await readFile(file, 'utf8')));
    const ofEdits = Object.entries(settings.hooks)
      .filter(([event]) => /Tool(?:Use)?$/.test(event))
      .map(([event, groups]) => [event, groups.map((group) => ({ ...group, matcher: 'Edit' }))]);
    await writeFile(file, `${JSON.stringify({ ...settings, hooks: Object.fromEntries(ofEdits) }, undefined, 2)}\n`);
    expect((await statesOf(assistant, machine))['guard']).toBe('outdated');
    await setUp(assistant, machine, all);
    const name = file.slice(machine.home.length + 1);
    expect(JSON.parse((await filesBelow(machine))[name] ?? '')).toEqual(JSON.parse(whole[name] ?? ''));
    await setUp(assistant, machine, []);
    expect(await filesBelow(machine)).toEqual({});
  },
);

async function emptyMachine() {
  return { machine: await temporaryMachine(), before: {} };
}

function additionsOf({ parts, entryPath }: Assistant, machine: Machine, part: AssistantPart): readonly Addition[] {
  return (
    parts?.[part]?.({
      machine,
      launcher: { command: machine.launcher, args: [] },
      commandLine: machine.launcher,
      entryPath,
    }) ?? []
  );
}

function isInEntry({ entryPath }: Assistant, addition: Addition): boolean {
  return addition.kind !== 'file' && entryPath.every((key, at) => addition.path[at] === key);
}

async function machineWith(file: (machine: Machine) => string | undefined, text: string) {
  const machine = await temporaryMachine();
  const path = file(machine) ?? '';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return { machine, path, read: () => readFile(path, 'utf8') };
}

const configurationOf =
  (assistant: Assistant) =>
  (machine: Machine): string | undefined =>
    assistant.configurationFile(machine);
const claudeSettings = (machine: Machine): string | undefined => claudeCode.settingsFile?.(machine);

describe('foreign content', () => {
  test.each(['', '{}', '{}\n', '{ }', '{"hooks":{}}', '{\n\t"model": "x"\n}', '\uFEFF{\r\n  "a": [1]\r\n}\r\n'])(
    'is as before in the text %j',
    async (text) => {
      for (const [assistant, file] of [
        [claudeCode, claudeSettings],
        [gemini, configurationOf(gemini)],
        [opencode, configurationOf(opencode)],
      ] as const) {
        const { machine, read } = await machineWith(file, text);
        await setUp(assistant, machine, partsOf(assistant));
        expect(await statesOf(assistant, machine)).toEqual(expected(partsOf(assistant)));
        await setUp(assistant, machine, []);
        expect(await read()).toBe(text);
      }
    },
  );

  test('stays when it was added between ours', async () => {
    const { machine, path, read } = await machineWith(claudeSettings, '{"model":"x"}');
    await setUp(claudeCode, machine, ['server', 'guard', 'permission']);
    await writeFile(path, (await read()).replace('"mcp__drawbridge"', '"mcp__drawbridge","Bash(ls)"'));
    await setUp(claudeCode, machine, []);
    expect(jsonFormat.read(await read())).toEqual({ model: 'x', permissions: { allow: ['Bash(ls)'] } });
  });

  test('stays when the user wrote the same value before', async () => {
    const text = '{"permissions":{"deny":["Edit","Bash(rm:*)"]}}';
    const { machine, read } = await machineWith(claudeSettings, text);
    expect((await readParts(claudeCode, machine)).only).toBe('absent');
    await setUp(claudeCode, machine, ['only']);
    expect(jsonFormat.read(await read())).toEqual({
      permissions: { deny: ['Edit', 'Bash(rm:*)', 'Write', 'NotebookEdit'] },
    });
    expect((await readParts(claudeCode, machine)).only).toBe('current');
    await setUp(claudeCode, machine, []);
    expect(await read()).toBe(text);
  });

  test.each(['"deny"', '"ask"', '{ "*.md": "allow", // mine\n "*": "ask" }'])(
    'comes back when we replaced the value %s',
    async (value) => {
      const text = `{\n  "permission": { "bash": "ask", "edit": ${value} }, // all\n}\n`;
      const { machine, read } = await machineWith(configurationOf(opencode), text);
      await setUp(opencode, machine, ['server', 'only']);
      expect(jsonFormat.read(await read())).toMatchObject({ permission: { bash: 'ask', edit: 'deny' } });
      await setUp(opencode, machine, []);
      expect(await read()).toBe(text);
    },
  );

  test('comes back in TOML when the user had given our tools another mode', async () => {
    const { machine, read } = await machineWith(configurationOf(codex), 'model = "x"\n');
    await setUp(codex, machine, ['server']);
    const mine = (await read()).replace(/$/, 'default_tools_approval_mode = "prompt" # mine\n');
    await writeFile(codex.configurationFile(machine) ?? '', mine);
    await setUp(codex, machine, ['server', 'permission']);
    expect(await read()).toBe(mine.replace('"prompt"', '"approve"'));
    await setUp(codex, machine, ['server']);
    expect(await read()).toBe(mine);
  });

  test.each([
    ['nothing else', '', ''],
    ['a foreign hook', '\n[hooks.state."/f:stop:0:0"]\ntrusted_hash = "sha256:1"\n', '\n[hooks.state]\n'],
  ])('takes the trust of Codex in our hooks back with them beside %s', async (_what, foreign, header) => {
    const { machine, before } = await partsSample(codex);
    const configuration = codex.configurationFile(machine) ?? '';
    await setUp(codex, machine, partsOf(codex));
    // As Codex 0.169.0 writes it; ours is the second hook before a tool.
    const file = join(machine.home, '.codex', 'hooks.json');
    const places = ['pre_tool_use:1:0', 'permission_request:0:0', 'post_tool_use:0:0'];
    const states = places.map((place) => `\n[hooks.state."${file}:${place}"]\ntrusted_hash = "sha256:0"\n`);
    await writeFile(
      configuration,
      `${await readFile(configuration, 'utf8')}\n[hooks.state]\n${states.join('')}${foreign}`,
    );
    expect(await setUp(codex, machine, partsOf(codex))).toEqual([]);
    await setUp(codex, machine, []);
    const old = before['.codex/config.toml'];
    expect(await filesBelow(machine)).toEqual({ ...before, '.codex/config.toml': `${old}${header}${foreign}` });
  });

  test.each([
    ['{"hooks": []}', 'there is no object'],
    ['{"hooks": {"PreToolUse": {}}}', 'there is no array'],
    ['{"permissions": {"allow": "all"}}', 'there is no array'],
    ['{', 'is not valid JSON'],
  ])('is refused when it is %s', async (text, reason) => {
    const { machine, read } = await machineWith(claudeSettings, text);
    await expect(setUp(claudeCode, machine, ['guard', 'permission'])).rejects.toThrow(reason);
    expect(await read()).toBe(text);
  });

  test('is refused, and stays, in a file that should be ours', async () => {
    const file = (machine: Machine) => join(machine.home, '.config', 'opencode', 'plugins', 'drawbridge.js');
    const { machine, read } = await machineWith(file, 'export const mine = 1;\n');
    await expect(setUp(opencode, machine, ['guard'])).rejects.toThrow('is not a file of Drawbridge');
    await expect(setUp(opencode, machine, [])).rejects.toThrow('is not a file of Drawbridge');
    expect(await read()).toBe('export const mine = 1;\n');
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
