import { beforeEach, describe, expect, test } from 'vitest';
import { assistantItem, type ConnectedAssistant } from '#ui/connections/assistantItem.ts';
import { clientProfiles } from '#ui/connections/clientProfiles.ts';
import { connectionCommands } from '#ui/connections/connectionCommands.ts';
import { otherWindowItem } from '#ui/connections/otherWindowItem.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { connected } from './connected.ts';

const clock = new FakeClock();

function scene(...assistants: ConnectedAssistant[]) {
  const done: string[] = [];
  const commands = connectionCommands({
    assistants: () => assistants,
    pause: ({ connectionId }, client) => void done.push(`pause ${connectionId} ${client?.name}`),
    resume: ({ connectionId }) => void done.push(`resume ${connectionId}`),
    disconnect: async ({ connectionId }) => void done.push(`disconnect ${connectionId}`),
    profiles: clientProfiles(() => ({})),
  });
  const row = (index = 0) => assistantItem(assistants[index] ?? connected(clock), clock.now());
  return { done, commands, row };
}

const other = connected(clock, { principal: { credential: 'window', connectionId: 'd' } });

beforeEach(() => {
  resetEditor();
});

describe('the pause commands', () => {
  test('pause the assistant of the row at once when nothing is lost', async () => {
    const { commands, done, row } = scene({ ...other, isPaused: true }, connected(clock));
    await commands.pauseConnection(row(1));
    expect(done).toEqual(['pause c codex']);
    expect(editor.shown).toEqual([]);
    await commands.resumeConnection(row(0));
    expect(done.at(-1)).toBe('resume d');
  });

  test('ask before a waiting approval is withdrawn', async () => {
    const { commands, done, row } = scene(connected(clock, { waiting: 2 }));
    await commands.pauseConnection(row());
    expect(done).toEqual([]);
    expect(editor.shown).toMatchObject([
      { kind: 'warning', message: 'Pause Codex?', detail: expect.stringContaining('2 requests wait for you.') },
    ]);
    editor.answers.push('Pause');
    await commands.pauseConnection(row());
    expect(done).toEqual(['pause c codex']);
  });

  test('leave assistants alone that are paused already, and report when none is connected', async () => {
    const { commands, done } = scene(other, connected(clock, { isPaused: true }));
    await commands.pauseAssistants();
    expect(done).toEqual(['pause d codex']);
    await scene(connected(clock, { isPaused: true })).commands.pauseAssistants();
    expect(editor.shown).toMatchObject([
      { kind: 'information', message: expect.stringContaining('no assistant to pause') },
    ]);
  });

  test('ask once when all are paused', async () => {
    const { commands, done } = scene({ ...other, waiting: 1 }, connected(clock, { waiting: 1 }));
    editor.answers.push('Pause');
    await commands.pauseAssistants();
    expect(editor.shown).toMatchObject([{ message: 'Pause 2 assistants?' }]);
    expect(done).toHaveLength(2);
  });

  test('ask which assistant when the editor passes no row, as while it draws the rows anew', async () => {
    const paused = connected(clock, { isPaused: true, client: { name: 'Cursor', version: '1' } });
    const { commands, done } = scene(other, paused);
    editor.answers.push('Codex', 'Cursor', 'Cursor');
    await commands.pauseConnection(undefined);
    await commands.resumeConnection(undefined);
    await commands.endConnection(undefined);
    expect(editor.shown.slice(0, 3).map(({ choices }) => choices)).toEqual([
      ['Codex'],
      ['Cursor'],
      ['Codex', 'Cursor'],
    ]);
    expect(done).toEqual(['pause d codex', 'resume c', 'disconnect c']);
  });

  test('do nothing for a row that is gone, or when no assistant is connected', async () => {
    const { commands, done } = scene();
    for (const row of [scene(other).row(), undefined, { id: 5 }]) {
      await commands.pauseConnection(row);
      await commands.resumeConnection(row);
      await commands.endConnection(row);
      await commands.copyWindowId(row);
    }
    expect(done).toEqual([]);
    expect(editor.shown).toEqual([]);
  });
});

describe('Disconnect', () => {
  test('states that the assistant may connect again, and offers to pause it', async () => {
    const { commands, done, row } = scene(connected(clock));
    editor.answers.push('Pause Assistant');
    await commands.endConnection(row());
    expect(editor.shown).toMatchObject([
      { message: 'Codex is disconnected. Its next request may connect it again.', choices: ['Pause Assistant'] },
    ]);
    expect(done).toEqual(['disconnect c', 'pause c codex']);
  });

  test.each([
    ['each of its sessions is another one', { principal: { credential: 'window', connectionId: 'session:5' } }],
    ['it is paused', { isPaused: true }],
  ])('offers no pause when %s', async (_why, more) => {
    const { commands, row } = scene(connected(clock, more));
    await commands.endConnection(row());
    expect(editor.shown).toMatchObject([{ kind: 'information', choices: [] }]);
  });

  test('offers to revoke the token of an assistant that came with one', async () => {
    const { commands, row } = scene(connected(clock, { principal: { credential: 'laptop' }, way: 'token' }));
    editor.answers.push('Revoke');
    await commands.endConnection(row());
    expect(editor.executed).toEqual([['drawbridge.revokeToken', 'token:laptop']]);
  });

  test('asks before a waiting approval is withdrawn', async () => {
    const { commands, done, row } = scene(connected(clock, { waiting: 1 }));
    await commands.endConnection(row());
    expect(done).toEqual([]);
    expect(editor.shown).toMatchObject([
      { message: 'Disconnect Codex?', detail: expect.stringContaining('withdrawn') },
    ]);
    editor.answers.push('Disconnect');
    await commands.endConnection(row());
    expect(done).toEqual(['disconnect c']);
  });

  test('A19: makes no link from a name in its messages', async () => {
    const { commands, row } = scene(connected(clock, { client: { name: '[x](command:y)', version: '1' } }));
    await commands.endConnection(row());
    expect(editor.shown[0]?.message).not.toContain('](');
  });
});

test('copies the id of another window from its row', async () => {
  const program = { name: 'Code', version: '1' };
  await scene().commands.copyWindowId(
    otherWindowItem({ id: 'w-1', name: undefined, folders: [], editor: program, waiting: 0, answers: true }),
  );
  expect(editor.clipboard).toBe('w-1');
});
