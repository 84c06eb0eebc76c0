import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScopedRule } from '#policy/rules.ts';
import { exampleOf } from '#call/argumentWords.ts';
import { inSchemaForm, type Understanding, withExistingPaths } from '#call/understood.ts';
import type { Tool } from '#call/tool.ts';
import { tools } from '#tools/index.ts';
import { FakeFiles } from '../fakes/files.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

const files = {
  '/w/src/a.ts': 'a',
  '/w/src/b c.ts': 'b',
  '/w/w/a.ts': 'a in a folder of the same name',
  '/w/@odd/a.ts': 'a in a folder with an @',
  '/w/.env': 'KEY=1',
  '/w/private.ts': 'closed by a rule',
  '/out/a.ts': 'outside',
};

interface Setting {
  readonly understanding: Understanding;
  /** Absolute paths that were looked up on the disk, in order. */
  readonly looked: string[];
}

function setting({
  rules = [],
  nodes = files,
}: { rules?: readonly ScopedRule[]; nodes?: Readonly<Record<string, string>> } = {}): Setting {
  const disk = new FakeFiles(nodes);
  const looked: string[] = [];
  const located = disk.locate.bind(disk);
  disk.locate = (fsPath, purpose) => {
    looked.push(fsPath);
    return located(fsPath, purpose);
  };
  const policy = new FakePolicy();
  policy.setRules(...rules);
  return {
    looked,
    understanding: {
      ports: { files: disk, workspace: new FakeWorkspace([folderAt('/w')]) },
      pathRules: { home: '/home/u', privateFolders: [] },
      policy,
      principal: { credential: 'window' },
    },
  };
}

function toolNamed(name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}

async function understood(name: string, given: unknown, { understanding } = setting()): Promise<unknown> {
  const tool = toolNamed(name);
  return withExistingPaths(tool, inSchemaForm(tool, given), understanding);
}

describe('a search in the words of other tools', () => {
  it.each([
    [
      { '-A': 2, '-B': '1' },
      { linesAfter: 2, linesBefore: 1 },
    ],
    [{ '-C': 3 }, { linesBefore: 3, linesAfter: 3 }],
    [{ contextLines: '4' }, { linesBefore: 4, linesAfter: 4 }],
    [{ contextLines: null }, {}],
    [{ output_mode: 'files_with_matches' }, { output: 'files' }],
    [{ output_mode: 'count' }, { output: 'counts' }],
    [{ output_mode: 'content' }, { output: 'lines' }],
    // Two meanings stay as they are, and are refused.
    [
      { '-C': 3, linesBefore: 1 },
      { '-C': 3, linesBefore: 1 },
    ],
    [{ output_mode: 'toString' }, { output_mode: 'toString' }],
  ])('%j is %j', async (given, meant) => {
    expect(await understood('search_code', { query: 'x', ...given })).toEqual({ query: 'x', ...meant });
  });

  it('finds symbols with their body as Serena does', async () => {
    expect(await understood('find_symbols', { name_path_pattern: 'Cart', include_body: true })).toEqual({
      query: 'Cart',
      withCode: true,
    });
  });
});

describe('a path with slips', () => {
  it.each([
    ['`@src\\a.ts` ', 'src/a.ts'],
    ['/src/a.ts', 'src/a.ts'],
    ['src/b%20c.ts', 'src/b c.ts'],
    ['drawbridge://files/src/b%20c.ts', 'src/b c.ts'],
    ['w/src/a.ts', 'src/a.ts'],
  ])('%s stands for the one file %s', async (written, path) => {
    expect(await understood('read_file', { path: written })).toEqual({ path });
  });

  it('stays as it is when a file has exactly this name, although another reading exists', async () => {
    expect(await understood('read_file', { path: 'w/a.ts' })).toEqual({ path: 'w/a.ts' });
    expect(await understood('read_file', { path: '@odd/a.ts' })).toEqual({ path: '@odd/a.ts' });
  });

  it('stays as it is when two files may be meant', async () => {
    const two = setting({ nodes: { '/w/x/a.ts': '1', '/w/@x/a.ts': '2' } });
    expect(await understood('read_file', { path: ' @x/a.ts' }, two)).toEqual({ path: ' @x/a.ts' });
  });

  it('is taken as it is written where a file is created or moved to', async () => {
    expect(await understood('create_file', { path: '@src/a.ts', content: '' })).toEqual({
      path: '@src/a.ts',
      content: '',
    });
    expect(await understood('move_file', { path: '@src/a.ts', to: '/src/a.ts' })).toEqual({
      path: 'src/a.ts',
      to: '/src/a.ts',
    });
  });

  it('leaves texts as they are', async () => {
    const edit = { path: '/src/a.ts', oldText: ' "a" ', newText: '["b"]' };
    expect(await understood('apply_edit', { edits: [edit] })).toEqual({ edits: [{ ...edit, path: 'src/a.ts' }] });
    expect(await understood('search_code', { query: '["a"]', path: '/src' })).toEqual({ query: '["a"]', path: 'src' });
  });

  it('looks at nothing outside the folders', async () => {
    const run = setting();
    for (const path of [
      '/out/a.ts',
      '@/out/a.ts',
      '../out/a.ts',
      ' /etc/passwd',
      'file:///out/a.ts',
      '..\\out\\a.ts',
      '%2e%2e/out/a.ts',
    ]) {
      await understood('read_file', { path }, run);
    }
    expect(run.looked.filter((path) => path !== '/w' && !path.startsWith('/w/'))).toEqual([]);
  });

  it.each([
    ['by its name', '/w/.env', '@.env', []],
    ['by a rule', '/w/private.ts', '/private.ts', [ruleOf({ effect: 'deny', paths: ['private.ts'] })]],
    ['until the user is asked', '/w/private.ts', '/private.ts', [ruleOf({ effect: 'ask', paths: ['private.ts'] })]],
  ])('never leads to a file that is closed %s, whether it exists or not', async (_, fsPath, path, rules) => {
    const { [fsPath]: _closed, ...without } = files as Readonly<Record<string, string>>;
    expect(await understood('read_file', { path }, setting({ rules }))).toEqual({ path });
    expect(await understood('read_file', { path }, setting({ rules, nodes: without }))).toEqual({ path });
  });
});

describe('understood arguments', () => {
  it('a null in place of a version is kept, so that it is refused', async () => {
    const edits = [{ path: 'src/a.ts', oldText: 'a', newText: 'b', version: null }];
    expect(await understood('apply_edit', { edits })).toEqual({ edits });
  });

  it('two values for one parameter are kept, so that they are refused', async () => {
    const given = { path: 'src/a.ts', file_path: 'src/b c.ts' };
    expect(await understood('read_file', given)).toEqual(given);
  });

  it('leave out a null when another name of the same parameter has a value', () => {
    const tool = toolNamed('read_file');
    expect(inSchemaForm(tool, { path: null, file_path: 'src/a.ts' })).toEqual({ path: 'src/a.ts' });
    expect(inSchemaForm(tool, { path: 'src/a.ts', firstLine: null, offset: 3 })).toEqual({
      path: 'src/a.ts',
      firstLine: 3,
    });
    expect(inSchemaForm(tool, { path: 'src/a.ts', lastLine: null, limit: 3 })).toEqual({
      path: 'src/a.ts',
      lastLine: 3,
    });
  });

  it('join a line to the file under each of its names, and join nothing when two files are named', () => {
    const tool = toolNamed('get_symbol');
    expect(inSchemaForm(tool, { line: 3, paths: ['src/a.ts'] })).toEqual({ path: 'src/a.ts:3' });
    const given = { line: 3, path: 'src/a.ts', file: 'src/b c.ts' };
    expect(inSchemaForm(tool, given)).toEqual(given);
  });

  it('have one path when a path and a list of this one path are given', () => {
    expect(inSchemaForm(toolNamed('read_file'), { path: ['src/a.ts'], file: 'src/a.ts' })).toEqual({
      path: 'src/a.ts',
    });
    expect(inSchemaForm(toolNamed('get_outline'), { paths: 'src/a.ts', path: ['src/a.ts'] })).toEqual({
      paths: ['src/a.ts'],
    });
  });

  it('keep a path with slips when the tool refuses the arguments', async () => {
    const given = { path: 'src ', file_path: 'src' };
    expect(await understood('read_file', given)).toEqual(given);
  });

  it('JSON in a text with a forbidden key is kept as a text', async () => {
    const given = { files: '[{"path":"src/a.ts","__proto__":{"x":1}}]' };
    expect(await understood('read_files', given)).not.toEqual({ files: [{ path: 'src/a.ts' }] });
  });

  it('the kind by which a call is judged is that of the arguments which run', () => {
    const tool = toolNamed('get_language_details');
    expect(inSchemaForm(tool, '{"kind":"folding_ranges","path":"src/a.ts"}')).toEqual({
      kind: 'folding_ranges',
      path: 'src/a.ts',
    });
    expect(inSchemaForm(tool, { kind: ['folding_ranges'], path: 'src/a.ts' })).toEqual({
      kind: ['folding_ranges'],
      path: 'src/a.ts',
    });
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s has an example that is valid and stays as it is',
    async (_, tool) => {
      const example = exampleOf(tool);
      expect(example).toBeDefined();
      expect(() => tool.input.parse(example)).not.toThrow();
      expect(inSchemaForm(tool, example)).toBe(example);
      expect(await withExistingPaths(tool, example, setting().understanding)).toBe(example);
    },
  );

  const path = fc
    .tuple(
      fc.constantFrom('', ' ', '@', '/', '`', 'w/', './', 'drawbridge://files/', 'file:///w/', '../', '%2e%2e/'),
      fc.constantFrom(
        'src/a.ts',
        'src\\a.ts',
        'src/b%20c.ts',
        'src/b c.ts',
        'gone.ts',
        '.env',
        'private.ts',
        'w/a.ts',
        'src',
      ),
      fc.constantFrom('', ' ', ':12', ':12:5', '#L3-L9', '`', ':0', '\n'),
    )
    .map((parts) => parts.join(''));
  const pathName = fc.constantFrom('path', 'file_path', 'paths', 'file', 'Path');
  const scalar = fc.oneof(
    fc.constantFrom('1', 'true', 'x', '["a"]', '{}', '', null),
    fc.integer({ min: -1, max: 9 }),
    fc.boolean(),
  );
  const name = fc.constantFrom(
    ...new Set(tools.flatMap(({ input }) => Object.keys(Object(input.jsonSchema['properties'])))),
    'old_string',
    'new_string',
    'offset',
    'limit',
    'pattern',
    'line',
  );
  const call = fc.tuple(
    fc.constantFrom(...tools),
    fc.dictionary(name, fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxKeys: 4 }),
    fc.dictionary(pathName, fc.oneof(path, fc.array(path, { maxLength: 2 })), { maxKeys: 2 }),
  );
  const rules = [ruleOf({ effect: 'deny', paths: ['private.ts'] })];

  it('are the same when they are understood twice, and valid arguments are never changed but for paths that name nothing', async () => {
    await fc.assert(
      fc.asyncProperty(call, async ([tool, fields, paths]) => {
        const { understanding } = setting({ rules });
        const given = { ...fields, ...paths };
        const once = await withExistingPaths(tool, inSchemaForm(tool, given), understanding);
        expect(await withExistingPaths(tool, inSchemaForm(tool, once), understanding)).toEqual(once);
        const shaped = inSchemaForm(tool, given);
        if (isValid(tool, given)) expect(shaped).toBe(given);
        if (isValid(tool, shaped)) expect(isValid(tool, once)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('judge no path but the written one, or a file that exists, is open and is the only candidate', async () => {
    await fc.assert(
      fc.asyncProperty(call, async ([tool, fields, paths]) => {
        const { understanding } = setting({ rules });
        const shaped = inSchemaForm(tool, { ...fields, ...paths });
        const found = await withExistingPaths(tool, shaped, understanding);
        if (!isValid(tool, found)) return;
        const exact = isValid(tool, shaped) ? targetsOf(tool, shaped) : undefined;
        for (const [at, target] of targetsOf(tool, found).entries()) {
          if (exact === undefined || exact[at] === target) continue;
          const { files: disk } = understanding.ports;
          const isUri = target.startsWith('file:');
          const place = await disk.locate(isUri ? fileURLToPath(target) : `/w/${target}`, 'read');
          expect(place.kind, `${exact[at]} became ${target}`).not.toBe('missing');
          expect(place.realPath).toMatch(/^\/w/);
          expect(place.realPath).not.toMatch(/\.env|private/);
        }
        // The tool, and with it the least risk of the call, is never another one.
        expect(exact === undefined || targetsOf(tool, found).length <= exact.length).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function isValid(tool: Tool, given: unknown): boolean {
  try {
    tool.input.parse(given);
    return true;
  } catch {
    return false;
  }
}

/** The addresses that the policy judges; none when the tool refuses the arguments by what they say. */
function targetsOf(tool: Tool, given: unknown): readonly string[] {
  try {
    return tool.targets(tool.input.parse(given));
  } catch {
    return [];
  }
}
