import { beforeEach, expect, it } from 'vitest';
import { commandOf } from '#language/editor/refactorings/codeActionCommand.ts';
import { editor, resetEditor } from '../../../fakes/editor/editor.ts';

beforeEach(() => resetEditor());

const ofAction = (command: string, ...given: readonly unknown[]) =>
  commandOf({ title: 'Fix', command: { command, title: '', arguments: [...given] } });

it.each([
  ['_typescript.didOrganizeImports', []],
  ['_typescript.applyFixAllCodeAction', [{ action: {} }]],
  ['_typescript.applyCodeActionCommand', [{ action: { fixName: 'import' } }]],
  ['_typescript.applyCodeActionCommand', [{ action: { commands: [] } }]],
])('treats %s as a notification without a command', (command, given) => {
  expect(ofAction(command, ...given)).toBeUndefined();
});

it('P17: treats a fix that runs tsserver commands as a command', () => {
  const action = { commands: [{ type: 'install package', packageName: 'left-pad' }] };
  expect(ofAction('_typescript.applyCodeActionCommand', { action })).toMatchObject({ title: 'Fix' });
});

it('returns the command of an action or a bare one, and runs it with the original arguments', async () => {
  const ran: unknown[] = [];
  editor.commands.set('x.y', (...values: readonly unknown[]) => void ran.push(values));
  const live = { toJSON: () => 'shown', itself: () => 1 };
  const command = ofAction('x.y', live, undefined);
  expect(command).toMatchObject({ id: 'x.y', title: 'Fix', arguments: ['shown', null] });
  await command?.run();
  expect(ran).toEqual([[live, undefined]]);
  expect(commandOf({ title: 'Bare', command: 'x.y' })).toMatchObject({ id: 'x.y', title: 'Bare', arguments: [] });
  expect(commandOf({ title: 'None' })).toBeUndefined();
});

it('replaces arguments that cannot be shown', () => {
  const round: Record<string, unknown> = {};
  round['self'] = round;
  expect(ofAction('x', round)?.arguments).toEqual(['(cannot be shown)']);
  expect(ofAction('x', 'a'.repeat(30_000))?.arguments).toEqual([expect.stringContaining('characters of JSON')]);
});
