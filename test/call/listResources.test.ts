import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedResource } from '#call/outcomes.ts';
import { listChanges } from '#tools/edit/listChanges.ts';
import { getEditorState } from '#tools/editor/getEditorState.ts';
import { RequestRun } from '../fakes/requestRun.ts';
import { ruleOf } from '../fakes/rules.ts';

const fixed = ['workspace', 'selection', 'diagnostics', 'changes'].map((name) => `drawbridge://${name}`);

async function pageOf(run: RequestRun, cursor?: string) {
  const outcome = await run.list(cursor);
  if (outcome.kind !== 'resources') throw new Error(`The list was refused: ${outcome.message}`);
  return outcome;
}

const urisOf = (resources: readonly ListedResource[]) => resources.map(({ uri }) => uri);

describe('resources/list', () => {
  it('lists the fixed resources, then the open editors', async () => {
    const run = new RequestRun({ '/w/src/b.ts': 'two', '/w/a.md': 'one' });
    run.open('/w/src/b.ts', '/w/a.md');
    const { resources, nextCursor } = await pageOf(run);
    expect(nextCursor).toBeUndefined();
    expect(urisOf(resources)).toEqual([...fixed, 'file:///w/a.md', 'file:///w/src/b.ts']);
    expect(resources[0]).toMatchObject({ name: 'workspace', title: 'Workspace', mimeType: 'text/plain' });
    expect(resources.slice(-2)).toMatchObject([
      { name: 'a.md', title: 'a.md', mimeType: 'text/markdown', size: 3, annotations: { priority: 0.5 } },
      {
        name: 'src/b.ts',
        title: 'b.ts',
        size: 3,
        annotations: { audience: ['user', 'assistant'], priority: 1, lastModified: '2026-11-21T00:00:00.000Z' },
      },
    ]);
  });

  it('omits the size of a file with unsaved text', async () => {
    const run = new RequestRun({ '/w/a': 'one' });
    run.editors.setOpen({ ...run.found('/w/a'), isActive: true, isDirty: true });
    expect((await pageOf(run)).resources.at(-1)).not.toHaveProperty('size');
  });

  it('A8: omits an open secret, also under the name of a link', async () => {
    const run = new RequestRun({ '/w/.env': 'KEY=1', '/w/notes': { link: '/w/.env' }, '/w/out': { link: '/etc' } });
    run.open('/w/.env', '/w/notes', '/w/out');
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed);
  });

  it('omits files that a rule asks for, without asking the user', async () => {
    const run = new RequestRun({ '/w/a': 'one', '/w/b': 'two' });
    run.open('/w/a', '/w/b');
    run.policy.setRules(ruleOf({ effect: 'ask', paths: ['a'] }));
    expect(urisOf((await pageOf(run)).resources)).toEqual([...fixed, 'file:///w/b']);
    run.policy.setRules(ruleOf({ effect: 'ask' }));
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed);
    expect(run.asked).toEqual([]);
  });

  it('omits only the open editors when the caller may not see them', async () => {
    const run = new RequestRun({ '/w/a': 'one' });
    run.open('/w/a');
    run.policy.setRules(ruleOf({ effect: 'deny', tools: ['get_editor_state'] }));
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed);
    run.policy.setRules();
    run.origin = { roots: ['file:///elsewhere'] };
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed);
    run.origin = {};
    expect(urisOf((await pageOf(run)).resources)).toContain('file:///w/a');
    run.catalog.turnOff(getEditorState);
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed.filter((uri) => uri !== 'drawbridge://selection'));
    run.auditLog.failure = new Error('disk full');
    expect(await run.list()).toMatchObject({ kind: 'error', code: 'unavailable' });
  });

  it('lists only editors below the roots of the client', async () => {
    const run = new RequestRun({ '/w/src/a': 'one', '/w/b': 'two' });
    run.open('/w/src/a', '/w/b');
    run.origin = { roots: ['file:///w/src'] };
    expect(urisOf((await pageOf(run)).resources)).toEqual([...fixed, 'file:///w/src/a']);
    expect(await run.complete({ uriTemplate: 'drawbridge://files/{+path}' }, 'path', '')).toMatchObject({
      values: ['src/a'],
    });
  });

  it('omits resources that are turned off', async () => {
    const run = new RequestRun();
    run.catalog.turnOff(listChanges);
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed.slice(0, 3));
    expect(await run.read('drawbridge://changes')).toMatchObject({ kind: 'error', code: 'unavailable' });
    expect(await run.watch('drawbridge://changes', () => undefined)).toMatchObject({
      kind: 'error',
      code: 'unavailable',
    });
  });

  it('returns a result without a folder and without trust, because clients list resources when they connect', async () => {
    const run = new RequestRun();
    run.workspace.trusted = false;
    run.workspace.setFolders([]);
    expect(urisOf((await pageOf(run)).resources)).toEqual(fixed);
  });

  it.each(['', 'x', Buffer.from('["x","drawbridge://workspace"]').toString('base64url')])(
    'refuses a cursor that it did not make as invalid: %j',
    async (cursor) => {
      expect(await new RequestRun().list(cursor)).toMatchObject({
        kind: 'invalid_params',
        message: expect.stringContaining('cursor'),
      });
    },
  );

  it('lists every resource once in pages of at most 50', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 170 }), async (count) => {
        const paths = Array.from({ length: count }, (_, at) => `/w/${(at * 7919) % 1000}.ts`);
        const run = new RequestRun(Object.fromEntries(paths.map((path) => [path, 'x'])));
        run.open(...paths);
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await pageOf(run, cursor);
          expect(page.resources.length).toBeLessThanOrEqual(50);
          seen.push(...urisOf(page.resources));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(seen.slice(0, fixed.length)).toEqual(fixed);
        expect(seen.slice(fixed.length).toSorted()).toEqual(paths.map((path) => `file://${path}`).toSorted());
      }),
      { numRuns: 20, examples: [[46], [47], [96], [97]] },
    );
  });

  it('continues at the same place when the tab that ended a page is closed', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `/w/f${String(at).padStart(2, '0')}`);
    const run = new RequestRun(Object.fromEntries(names.map((name) => [name, 'x'])));
    run.open(...names);
    const first = await pageOf(run);
    const last = first.resources.at(-1)?.uri ?? '';
    run.open(...names.filter((name) => !last.endsWith(name)));
    const second = await pageOf(run, first.nextCursor);
    expect(second.resources.map(({ name }) => name)).toEqual(names.slice(46).map((name) => name.slice(3)));
  });
});
