import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { assistantOf, LastSeen } from '#connect/lastSeen.ts';
import { readLastSeen } from '#home/lastSeen.ts';
import { temporaryMachine } from './temporaryMachine.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

async function scene() {
  const { stateHome: home } = await temporaryMachine();
  const errors: unknown[] = [];
  const seen = new LastSeen({ home, assistants, onError: (error) => errors.push(error) });
  return { home, seen, errors };
}

test.each([
  ['claude-code', 'claude-code'],
  ['Claude Code', 'claude-code'],
  ['claude-ai', 'claude-desktop'],
  ['codex-mcp-client', 'codex'],
  ['gemini-cli-mcp-client', 'gemini-cli'],
  ['github-copilot-cli', 'copilot-cli'],
  ['cursor-vscode', 'cursor'],
  ['qwen-cli-mcp-client-drawbridge', 'qwen-code'],
  ['Visual Studio Code', 'vscode'],
  ['my-client', undefined],
  ['', undefined],
])('knows the client %j as the assistant %j', (client, id) => {
  expect(assistantOf(client, assistants)?.id).toBe(id);
});

test('knows each assistant by its name and as no other', () => {
  for (const each of assistants) expect(assistantOf(each.name, assistants)?.id).toBe(each.id);
});

test('keeps the time of the last call of each assistant, and nothing else', async () => {
  const { home, seen } = await scene();
  expect(await readLastSeen(home)).toEqual(new Map());
  seen.note('claude-code', noon);
  seen.note('codex', noon + 5);
  seen.note('my-client', noon);
  seen.note(undefined, noon);
  await vi.waitFor(async () =>
    expect(await readLastSeen(home)).toEqual(
      new Map([
        ['claude-code', noon],
        ['codex', noon + 5],
      ]),
    ),
  );
  const file = join(home, 'seen', 'codex');
  expect(await readFile(file, 'utf8')).toBe(`${noon + 5}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(home, 'seen'))).toHaveLength(2);
});

test('writes once a minute while an assistant calls all the time', async () => {
  const { home, seen } = await scene();
  for (let second = 0; second < 59; second += 1) seen.note('codex', noon + second * 1000);
  await vi.waitFor(async () => expect((await readLastSeen(home)).get('codex')).toBe(noon));
  seen.note('codex', noon + minute);
  await vi.waitFor(async () => expect((await readLastSeen(home)).get('codex')).toBe(noon + minute));
});

test('ignores files that hold no time', async () => {
  const { home } = await scene();
  await mkdir(join(home, 'seen', 'folder'), { recursive: true });
  await writeFile(join(home, 'seen', 'codex'), 'yesterday\n');
  await writeFile(join(home, 'seen', 'zed'), '');
  await writeFile(join(home, 'seen', 'goose.123'), '5\n');
  expect(await readLastSeen(home)).toEqual(new Map());
});

test('reports that a time could not be written', async () => {
  const { home, seen, errors } = await scene();
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'seen'), '');
  seen.note('codex', noon);
  await vi.waitFor(() => expect(errors).toHaveLength(1));
});
