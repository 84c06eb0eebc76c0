import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEditTool } from '#base/nativeEdit.ts';
import type { ChangeKind } from '#base/proposal.ts';
import { matchesRule } from '#policy/matching.ts';
import { parseRule } from '#policy/ruleSchema.ts';
import type { NewRule } from '#policy/rules.ts';
import { allEditsRule, suggestRules, type SuggestedFor } from '#policy/suggest.ts';
import { folderAt } from '../fakes/workspace.ts';

function changeOf(
  paths: readonly string[],
  change: ChangeKind = 'edit',
  facts: Partial<SuggestedFor> = {},
): SuggestedFor {
  return {
    tool: 'apply_edit',
    files: paths.map((path) => ({ path, change })),
    judgement: { onceOnly: false, risk: change === 'delete' || change === 'move' ? 'delete' : 'edit' },
    ...facts,
  };
}

function rulesFor(...[paths, change, facts]: Parameters<typeof changeOf>): readonly NewRule[] {
  return suggestRules(changeOf(paths, change, facts)).map(({ rule }) => rule);
}

function pathsFor(...given: Parameters<typeof changeOf>): readonly (readonly string[] | undefined)[] {
  return rulesFor(...given).map(({ paths }) => paths);
}

/** Returns true when a rule would allow the same tool to edit these files. */
function allows(rule: NewRule, paths: readonly string[], name = 'w'): boolean {
  const folder = folderAt('/w', { name });
  return matchesRule(
    { scope: 'user', rule: { ...rule, id: 'r-1' } },
    {
      tool: 'apply_edit',
      principal: { credential: 'window' },
      class: 'edit',
      targets: paths.map((path) => ({
        place: { folder, fsPath: `/w/${path}`, realPath: `/w/${path}` },
        class: 'edit',
      })),
      files: paths.length,
      changedLines: 1,
      now: 0,
      home: '/home/u',
    },
  );
}

describe('suggested rules', () => {
  const limits = { maxFiles: 5, maxChangedLines: 200 };

  it('A20: begin with this file exactly, then its folder, then this tool and kind of file', () => {
    expect(suggestRules(changeOf(['src/cart/cart.ts']))).toEqual([
      { rule: { effect: 'allow', class: 'edit', paths: ['src/cart/cart.ts'] }, covers: 'edits of src/cart/cart.ts' },
      {
        rule: { effect: 'allow', class: 'edit', paths: ['src/cart/*'], limits },
        covers: 'edits of files in src/cart, at most 5 files and 200 lines at once',
      },
      {
        rule: { effect: 'allow', class: 'edit', tools: ['apply_edit'], paths: ['src/**/*.ts'], limits },
        covers: 'edits of all *.ts files below src by apply_edit, at most 5 files and 200 lines at once',
      },
    ]);
  });

  it("G2: name the tool for an assistant's own edit, so that they allow it and nothing else", () => {
    const rules = rulesFor(['src/a.ts'], 'edit', { tool: 'native_edit' });
    expect(rules.map(({ tools }) => tools)).toEqual([['native_edit'], ['native_edit'], ['native_edit']]);
  });

  it('A20: "always" on src/a.ts asks again for src/b.ts', () => {
    const [first] = rulesFor(['src/a.ts']);
    expect(first?.paths).toEqual(['src/a.ts']);
    expect(first && allows(first, ['src/a.ts'])).toBe(true);
    for (const other of ['src/b.ts', 'lib/src/a.ts', 'src/A.ts', 'src/a.ts/b', 'a.ts']) {
      expect(first && allows(first, [other]), other).toBe(false);
    }
  });

  it('A20: are anchored for a file at the top of the workspace too', () => {
    expect(pathsFor(['README.md'])).toEqual([['./README.md'], ['./*'], ['./**/*.md']]);
    const [first, second] = rulesFor(['README.md']);
    expect(first && allows(first, ['docs/README.md'])).toBe(false);
    expect(second && allows(second, ['docs/README.md'])).toBe(false);
  });

  it.each(['app/[id].ts', 'a*b', 'a?b/{c,d}.ts', '!a.ts', 'app/(group)/@slot/+page.ts'])(
    'A20: match only %s',
    (path) => {
      const [first] = rulesFor([path]);
      expect(first && allows(first, [path])).toBe(true);
      for (const other of ['app/i.ts', 'axb', 'axb/c.ts', 'a.ts', 'app/group/slot/page.ts']) {
        expect(first && allows(first, [other]), other).toBe(false);
      }
    },
  );

  it('list several files, and name the folder that holds them all', () => {
    expect(pathsFor(['src/a.ts', 'src/b.ts'])).toEqual([['src/a.ts', 'src/b.ts'], ['src/*'], ['src/**/*.ts']]);
    expect(pathsFor(['src/a/a.ts', 'src/b/b.ts'])).toEqual([['src/a/a.ts', 'src/b/b.ts'], ['src/**'], ['src/**/*.ts']]);
    expect(pathsFor(['src/ab/a.ts', 'src/a/b.md'])).toEqual([['src/ab/a.ts', 'src/a/b.md'], ['src/**']]);
    expect(pathsFor(['src/a.ts', 'test/a.ts'])).toEqual([['src/a.ts', 'test/a.ts'], ['./**/*.ts']]);
    expect(pathsFor(['src/a', 'src/a'])).toEqual([['src/a'], ['src/*']]);
  });

  it('cover the next new file in the folder when a file is created', () => {
    const [, folder] = rulesFor(['src/new.ts'], 'create');
    expect(folder && allows(folder, ['src/next.ts'])).toBe(true);
    expect(folder && allows(folder, ['src/deep/next.ts'])).toBe(false);
  });

  it('A20: name only the deleted files for a delete', () => {
    expect(rulesFor(['src/a.ts'], 'delete')).toEqual([{ effect: 'allow', class: 'delete', paths: ['src/a.ts'] }]);
    expect(suggestRules(changeOf(['a/b'], 'delete'))[0]?.covers).toBe('deletes of a/b');
  });

  it('A20: are none when no rule could answer now or the next time', () => {
    expect(rulesFor(['a.ts'], 'edit', { judgement: { onceOnly: true, risk: 'edit' } })).toEqual([]);
    expect(rulesFor(['a.ts'], 'delete', { judgement: { onceOnly: true, risk: 'delete' } })).toEqual([]);
    expect(rulesFor(['a.ts'], 'edit', { judgement: { onceOnly: false, risk: 'delete' } })).toEqual([]);
    expect(rulesFor(['a.ts', 'b.ts'], 'move')).toEqual([]);
    expect(rulesFor([])).toEqual([]);
    expect(rulesFor([''])).toEqual([]);
    expect(rulesFor(['1', '2', '3', '4', '5', '6'].map((name) => `src/${name}.ts`))).toEqual([]);
  });

  it('leave out a rule that could not be written to the rules file', () => {
    expect(rulesFor(['a\\b.ts', 'c.ts'])).toEqual([
      expect.objectContaining({ paths: ['./*'] }),
      expect.objectContaining({ paths: ['./**/*.ts'] }),
    ]);
    expect(pathsFor([`src/${'a'.repeat(260)}.ts`])).toEqual([['src/*'], ['src/**/*.ts']]);
  });

  it('name the folder when the window has several', () => {
    expect(pathsFor(['a.ts'], 'edit', { folder: 'web' })).toEqual([
      ['folder:web:./a.ts'],
      ['folder:web:./*'],
      ['folder:web:./**/*.ts'],
    ]);
    const [first] = rulesFor(['a.ts'], 'edit', { folder: 'web' });
    expect(first && allows(first, ['a.ts'], 'web')).toBe(true);
    expect(first && allows(first, ['a.ts'], 'api')).toBe(false);
  });

  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '*', '?', '[', ']', '{', '}', ',', '!', '(', ')', '-'),
    minLength: 1,
    maxLength: 5,
  });
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

  it('A20: begin with a rule that matches exactly these files, whatever they are called', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 4 }), path, (paths, other) => {
        const [first] = rulesFor(paths);
        expect(first && allows(first, paths)).toBe(true);
        expect(first && allows(first, [other])).toBe(paths.includes(other));
      }),
      { numRuns: 500 },
    );
  });

  it('are valid, match the change itself, and each is as wide as the one before', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 4 }), path, (paths, other) => {
        let narrower = false;
        const widths = rulesFor(paths).map((rule) => {
          expect(parseRule({ id: 'r-1', ...rule }, { tools: ['apply_edit'] }).invalid).toBeUndefined();
          expect(allows(rule, paths)).toBe(true);
          return allows(rule, [other]);
        });
        // The last rule is for one extension, which other files of the folder may not have.
        for (const isMatch of widths.slice(0, 2)) {
          expect(narrower && !isMatch).toBe(false);
          narrower = isMatch;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('B14: the rule for all edits of a session', () => {
  const one = { path: 'src/a.ts', change: 'edit' } as const;

  it('covers every file of the folder, however many files a change has', () => {
    const rule = allEditsRule(changeOf(Array.from({ length: 9 }, (_, index) => `src/${index}.ts`)));
    expect(rule).toEqual({ effect: 'allow', class: 'edit', paths: ['./**'] });
    expect(rule && allows(rule, ['a.md', 'src/deep/b.ts'])).toBe(true);
    expect(allEditsRule(changeOf(['a.md'], 'create', { folder: 'w' }))?.paths).toEqual(['folder:w:./**']);
  });

  it('names the own edits of assistants when the change is one of them', () => {
    expect(allEditsRule(changeOf(['a.md'], 'edit', { tool: nativeEditTool }))?.tools).toEqual([nativeEditTool]);
  });

  it.each([
    ['deletes', changeOf(['a.md'], 'delete')],
    ['moves', changeOf(['a.md'], 'move')],
    ['changes a protected file', { ...changeOf(['a.md']), files: [{ ...one, protectedBy: '**/.vscode' }] }],
    ['counts once only', changeOf(['a.md'], 'edit', { judgement: { onceOnly: true, risk: 'edit' } })],
    ['changes nothing', changeOf([])],
  ])('is not offered for a change that %s', (_, change) => {
    expect(allEditsRule(change)).toBeUndefined();
  });
});
