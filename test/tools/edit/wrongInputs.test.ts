import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { createFile } from '#tools/edit/createFile.ts';
import { deleteFile } from '#tools/edit/deleteFile.ts';
import { moveFile } from '#tools/edit/moveFile.ts';
import { pipe, type FakeNode } from '../../fakes/files.ts';
import { ProposeRun } from './proposeRun.ts';
import { wrongInputs, wrongInputsTree } from './wrongInputs.ts';

const nodes: Readonly<Record<string, FakeNode>> = {
  ...Object.fromEntries(Object.entries(wrongInputsTree).map(([path, content]) => [`/w/${path}`, content])),
  '/w/pipe': pipe,
  '/w/out': { link: '/outside' },
  '/w/dead': { link: 'nowhere' },
  '/w/private/key': 'k\n',
  '/outside/x': 'x\n',
};

const cases = [
  ...wrongInputs,
  ['create_file', { path: 'private/key', content: 'x' }],
  ['delete_file', { path: 'private/key' }],
  ['move_file', { path: 'private/key', to: 'new' }],
  ['move_file', { path: 'a.ts', to: 'private/key' }],
] as const;

describe('create_file, move_file and delete_file with wrong inputs', () => {
  it('are tested with more than 200 wrong inputs', () => expect(cases.length).toBeGreaterThan(200));

  it('refuse each input with a clear error, and propose nothing', async () => {
    for (const [tool, input] of cases) {
      const run = new ProposeRun(nodes);
      const what = `${tool} ${JSON.stringify(input).slice(0, 200)}`;
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

/** The generics of `propose` do not accept a union of tools. */
async function propose(run: ProposeRun, tool: string, input: unknown): Promise<unknown> {
  if (tool === createFile.name) return run.propose(createFile, input);
  return tool === deleteFile.name ? run.propose(deleteFile, input) : run.propose(moveFile, input);
}
