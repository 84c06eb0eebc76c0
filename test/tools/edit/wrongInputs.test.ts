import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError, ToolError } from '../../../src/core/tool.ts';
import { createFile } from '../../../src/tools/edit/createFile.ts';
import { deleteFile } from '../../../src/tools/edit/deleteFile.ts';
import { moveFile } from '../../../src/tools/edit/moveFile.ts';
import { pipe, type FakeNode } from '../../fakes/files.ts';
import { ProposeRun } from './proposeRun.ts';

const nodes: Readonly<Record<string, FakeNode>> = {
  '/w/a.ts': 'a\n',
  '/w/b.ts': 'b\n',
  '/w/d/x': 'x\n',
  '/w/d/y.pem': 'secret\n',
  '/w/bin': new Uint8Array([0, 1, 2]),
  '/w/pipe': pipe,
  '/w/out': { link: '/outside' },
  '/w/dead': { link: 'nowhere' },
  '/w/.env': 'SECRET=1\n',
  '/w/.git/config': '[core]\n',
  '/w/private/key': 'k\n',
  '/w/secrets/key': 'k\n',
  '/outside/x': 'x\n',
};

/** No tool of this kind may use any of these, whatever it is for. */
const badPaths: readonly unknown[] = [
  '',
  ' ',
  '../x',
  '../../etc/passwd',
  'a/../../x',
  '..\\x/..',
  '/etc/passwd',
  '/w-evil/x',
  'a\0b',
  'a\nb',
  'a:b',
  'CON',
  'nul',
  'd/aux',
  'a.',
  'a ',
  'd /x',
  '.env::$DATA',
  '.git::$INDEX_ALLOCATION/config',
  'SETTIN~1.JSO',
  'http://example.org/x',
  'vscode://extension/command',
  'vscode-userdata:/User/settings.json',
  'untitled:/x',
  'command:x',
  'git:/w/a.ts',
  'file:///etc/passwd',
  'file:///w/%2e%2e/x',
  'file:///w/%zz',
  'file://host/share',
  'file:w',
  '\\\\host\\share\\x',
  '\\\\?\\C:\\x',
  'C:x',
  '.env',
  '.ENV',
  '.env.production',
  '.git',
  '.git/config',
  '.Git/hooks/pre-commit',
  'sub/.git/config',
  'secrets/key',
  'private/key',
  'tls.key',
  'id_rsa',
  'a\u200Bb',
  'a\u202Eb',
  '\u{E0041}',
  '\uD800',
  'out',
  'out/x',
  'dead',
  'dead/x',
  'pipe',
  'x'.repeat(5000),
  '.',
  '/w',
  1,
  null,
  true,
  ['a.ts'],
  { path: 'a.ts' },
];

const badFields: readonly object[] = [
  { reason: 1 },
  { reason: 'x'.repeat(1001) },
  { replaces: '' },
  { replaces: 'x'.repeat(101) },
  { replaces: null },
  { confirm: true },
  { Path: 'a.ts' },
  { approved: true },
];

const create = (path: unknown, more: object = {}) => ({ path, content: 'x', ...more });
const move = (path: unknown, to: unknown, more: object = {}) => ({ path, to, ...more });

const cases = [
  ...badPaths.map((path) => [createFile, create(path)] as const),
  ...badPaths.map((path) => [createFile, create(path, { overwrite: true })] as const),
  ...badFields.map((more) => [createFile, create('new', more)] as const),
  ...[
    {},
    create('a.ts'),
    create('d'),
    create('d', { overwrite: true }),
    create('a.ts/x'),
    create('a.ts/x/y', { overwrite: true }),
    create('bin', { overwrite: true }),
    create('a.ts', { overwrite: true, content: 'a\n' }),
    create('a.ts', { overwrite: 1 }),
    create('new', { content: 'x\0' }),
    create('new', { content: '\uDC00' }),
    create('new', { content: null }),
    create('new', { content: ['x'] }),
    create('new', { content: 'x'.repeat(4_000_001) }),
  ].map((input) => [createFile, input] as const),
  ...badPaths.map((path) => [deleteFile, { path }] as const),
  ...badFields.map((more) => [deleteFile, { path: 'a.ts', ...more }] as const),
  ...[{}, { path: 'none' }, { path: 'd' }, { path: 'a.ts/x' }, { path: 'a.ts', recursive: true }].map(
    (input) => [deleteFile, input] as const,
  ),
  ...badPaths.map((path) => [moveFile, move(path, 'new')] as const),
  ...badPaths.map((to) => [moveFile, move('a.ts', to)] as const),
  ...badFields.map((more) => [moveFile, move('a.ts', 'new', more)] as const),
  ...[
    {},
    move('none', 'new'),
    move('a.ts', 'a.ts'),
    move('a.ts', 'b.ts'),
    move('a.ts', 'd'),
    move('a.ts', 'b.ts/x'),
    move('a.ts', 'a.ts/x'),
    move('d', 'e'),
    move('d', 'd/e'),
    move('a.ts', 'new', { updateImports: 'no' }),
  ].map((input) => [moveFile, input] as const),
];

describe('wrong inputs', () => {
  it('are many', () => expect(cases.length).toBeGreaterThan(200));

  it('each get a clear answer, and nothing is written', async () => {
    for (const [tool, input] of cases) {
      const run = new ProposeRun(nodes);
      const what = `${tool.name} ${JSON.stringify(input).slice(0, 200)}`;
      const error: unknown = await propose(run, tool, input).then(
        () => 'it was proposed',
        (reason: unknown) => reason,
      );
      if (error instanceof ToolError) {
        expect(error.message, what).toMatch(/^\S.*\S$/s);
        expect(error.hint, what).toMatch(/^[A-Z].*\.$/s);
        expect(error.message + error.hint, what).not.toContain('SECRET');
      } else {
        expect(error, what).toBeInstanceOf(InvalidArgumentsError);
        expect(String(error), what).toMatch(/: ./);
      }
      expect([...run.files.nodes], what).toEqual(Object.entries(nodes));
    }
  });
});

/** One union of tools is none that generics accept. */
async function propose(run: ProposeRun, tool: (typeof cases)[number][0], input: unknown): Promise<unknown> {
  if (tool.name === createFile.name) return run.propose(createFile, input);
  return tool.name === deleteFile.name ? run.propose(deleteFile, input) : run.propose(moveFile, input);
}
