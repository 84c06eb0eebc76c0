import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Assistant } from '#connect/assistant.ts';
import { applyChange, planConnect, planDisconnect, readState } from '#connect/configuration.ts';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { temporaryMachine } from './temporaryMachine.ts';

const golden = join(import.meta.dirname, 'golden');
const fictionalHome = '/home/ada/.drawbridge';

interface Case {
  readonly assistant: Assistant;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

async function casesOf(assistant: Assistant): Promise<readonly Case[]> {
  const folder = join(golden, assistant.id);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.before.txt') && name !== 'parts.before.txt');
  return Promise.all(
    names.map(async (name) => ({
      assistant,
      name: name.slice(0, -'.before.txt'.length),
      before: await readFile(join(folder, name), 'utf8'),
      after: await readFile(join(folder, name.replace('.before.', '.after.')), 'utf8'),
    })),
  );
}

const cases = (await Promise.all(assistants.map(casesOf))).flat();
const additions = cases.filter(({ name }) => !name.startsWith('repair-'));
const repairs = cases.filter(({ name }) => name.startsWith('repair-'));

/** Puts a configuration where the assistant reads it. */
async function withFile({ assistant, before }: Pick<Case, 'assistant' | 'before'>) {
  const machine = await temporaryMachine();
  const file = assistant.configurationFile(machine) ?? '';
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, before.replaceAll(fictionalHome, machine.stateHome));
  const read = async (): Promise<string> => (await readFile(file, 'utf8')).replaceAll(machine.stateHome, fictionalHome);
  return { machine, file, read };
}

describe.each(additions)('$assistant.id: $name', (sample) => {
  test('changes only our entry when it is added, and nothing when it is added again', async () => {
    const { machine, read } = await withFile(sample);
    const { assistant } = sample;
    expect(await readState(assistant, machine)).toBe('absent');
    const change = await planConnect(assistant, machine);
    expect(change.isChange).toBe(true);
    await applyChange(change, machine.stateHome);
    expect(await read()).toBe(sample.after);
    expect(await readState(assistant, machine)).toBe('current');
    expect(await planConnect(assistant, machine)).toMatchObject({ isChange: false });
  });

  test('restores every byte when it is removed after adding', async () => {
    const { machine, read } = await withFile(sample);
    const { assistant } = sample;
    await applyChange(await planConnect(assistant, machine), machine.stateHome);
    const change = await planDisconnect(assistant, machine);
    expect(change.isChange).toBe(true);
    await applyChange(change, machine.stateHome);
    expect(await read()).toBe(sample.before);
    expect(await readState(assistant, machine)).toBe('absent');
    expect(await planDisconnect(assistant, machine)).toMatchObject({ isChange: false });
  });
});

describe.each(repairs)('$assistant.id: $name', (sample) => {
  test('repairs an old entry of ours, and keeps what the user added to it', async () => {
    const { machine, read } = await withFile(sample);
    const { assistant } = sample;
    expect(await readState(assistant, machine)).toBe('outdated');
    await applyChange(await planConnect(assistant, machine), machine.stateHome);
    expect(await read()).toBe(sample.after);
    expect(await readState(assistant, machine)).toBe('current');
    expect(await planConnect(assistant, machine)).toMatchObject({ isChange: false });
    await applyChange(await planDisconnect(assistant, machine), machine.stateHome);
    expect(await readState(assistant, machine)).toBe('absent');
  });
});

describe.each(assistants)('$id', (assistant) => {
  test('creates a missing file, and removes it with the folders that were created for it', async () => {
    const machine = await temporaryMachine();
    const file = assistant.configurationFile(machine) ?? '';
    await applyChange(await planConnect(assistant, machine), machine.stateHome);
    expect(await readState(assistant, machine)).toBe('current');
    expect(await readFile(file, 'utf8')).toMatch(/\n$/);
    const change = await planDisconnect(assistant, machine);
    expect(change.after).toBeUndefined();
    await applyChange(change, machine.stateHome);
    expect(existsSync(machine.home)).toBe(false);
  });

  test('has a golden file', () => {
    expect(additions.filter((sample) => sample.assistant === assistant)).not.toHaveLength(0);
  });
});
