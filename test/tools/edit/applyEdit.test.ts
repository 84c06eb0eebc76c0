import { describe, expect, it } from 'vitest';
import { textVersion } from '#audit/textVersion.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { type FakeNode, pipe } from '../../fakes/files.ts';
import { ProposeRun } from './proposeRun.ts';

function setUp(nodes: Readonly<Record<string, FakeNode>>) {
  const run = new ProposeRun(nodes);
  return {
    files: run.files,
    propose: (input: unknown) => run.propose(applyEdit, input),
    codeOf: (input: unknown) => run.codeOf(applyEdit, input),
  };
}

const replace = (path: string, oldText: string, newText: string) => ({ path, oldText, newText });

describe('apply_edit', () => {
  it('proposes the exact text of every file, based on unsaved text when there is some', async () => {
    const t = setUp({ '/w/a': 'disk\n', '/w/b': 'two\n' });
    t.files.buffers.set('/w/a', 'unsaved\n');
    const { files } = await t.propose({ edits: [replace('a', 'unsaved', 'A'), replace('b', 'two', 'B')] });
    expect(files).toMatchObject([
      { path: { path: 'a' }, base: { text: 'unsaved\n', source: 'buffer', unsaved: true }, result: { text: 'A\n' } },
      { path: { path: 'b' }, base: { text: 'two\n', source: 'disk', unsaved: false }, result: { text: 'B\n' } },
    ]);
  });

  it('P4 edits the file a link leads to, under its real name, once', async () => {
    const t = setUp({ '/w/real': 'a b\n', '/w/link': { link: '/w/real' } });
    const { files } = await t.propose({ edits: [replace('link', 'a', '1'), replace('real', 'b', '2')] });
    expect(files).toMatchObject([{ path: { path: 'real', realPath: '/w/real' }, result: { text: '1 2\n' } }]);
  });

  it('refuses an edit of another version and names the current one', async () => {
    const t = setUp({ '/w/a': 'now\n' });
    const edit = { path: 'a', firstLine: 1, lastLine: 1, newText: 'x' };
    await expect(t.propose({ edits: [{ ...edit, version: '0000000000000000' }] })).rejects.toThrow(
      textVersion('now\n'),
    );
    expect(await t.codeOf({ edits: [{ ...edit, version: '0000000000000000' }] })).toBe('stale_version');
    await expect(t.propose({ edits: [{ ...edit, version: '0000000000000000' }] })).rejects.toThrow('1\tnow');
    expect(await t.codeOf({ edits: [{ ...edit, version: textVersion('now\r\n') }] })).toBe('proposed');
  });

  it('refuses files that cannot be changed now', async () => {
    const t = setUp({ '/w/a': 'x\n', '/w/bin': new Uint8Array([0, 1, 2]) });
    const edit = { edits: [replace('a', 'x', 'y')] };
    expect(await t.codeOf({ edits: [replace('bin', 'x', 'y')] })).toBe('binary_file');
    t.files.facts.set('/w/a', { readonly: true });
    expect(await t.codeOf(edit)).toBe('unavailable');
    t.files.facts.set('/w/a', { unsavedElsewhere: true });
    expect(await t.codeOf(edit)).toBe('unavailable');
  });

  it('A24 edits a notebook as text, of which the proposal has all, the outputs too', async () => {
    const notebook = (output: string) =>
      JSON.stringify({ cells: [{ cell_type: 'code', source: '1', outputs: [{ data: { 'text/html': output } }] }] });
    const t = setUp({ '/w/n.ipynb': notebook('<b>1</b>') });
    const { files } = await t.propose({ edits: [replace('n.ipynb', '<b>1</b>', '<script>run()</script>')] });
    expect(files).toMatchObject([
      { kind: 'edit', base: { text: notebook('<b>1</b>') }, result: { text: notebook('<script>run()</script>') } },
    ]);
  });

  it('refuses edits that change nothing, and characters the file cannot hold', async () => {
    const t = setUp({ '/w/a': 'x\n' });
    expect(await t.codeOf({ edits: [replace('a', 'x', 'x')] })).toBe('no_match');
    expect(await t.codeOf({ edits: [replace('a', 'x', '\uD800')] })).toBe('undecodable');
  });

  it.each([
    [{ edits: [] }],
    [{ edits: [{ path: 'a', newText: 'x' }] }],
    [{ edits: [{ path: 'a', oldText: '', newText: 'x' }] }],
    [{ edits: [{ path: 'a', oldText: 'x', firstLine: 1, lastLine: 1, newText: 'y' }] }],
    [{ edits: [{ path: 'a', firstLine: 1, newText: 'y', version: 'v' }] }],
    [{ edits: [{ path: 'a', firstLine: 1, lastLine: 1, newText: 'y' }] }],
    [{ edits: [{ path: 'a', firstLine: 5, lastLine: 3, newText: 'y', version: 'v' }] }],
    [{ edits: [{ path: 'a', firstLine: 1, lastLine: 1, newText: 'y', version: 'v', replaceAll: true }] }],
    [{ edits: [{ ...replace('a', 'x', 'y'), extra: 1 }] }],
  ])('refuses %j as invalid arguments', (input) => {
    expect(() => applyEdit.input.parse(input)).toThrow(InvalidArgumentsError);
  });
});

const hunk = '@@ -1 +1 @@\n-a\n+b\n';
const update = (path: string): string => `--- a/${path}\n+++ b/${path}\n${hunk}`;
const codex = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

describe('apply_edit with a patch', () => {
  it('edits, creates, deletes and renames files as one proposal', async () => {
    const t = setUp({ '/w/edited': 'a\r\n', '/w/deleted': 'a\n', '/w/old': 'a\n', '/w/as-is': 'x' });
    const created = '--- /dev/null\n+++ b/new/created\n@@ -0,0 +1 @@\n+hi\n';
    const deleted = '--- a/deleted\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n';
    const renamed = `rename from old\nrename to renamed\n--- a/old\n+++ b/renamed\n${hunk}`;
    const moved = 'diff --git a/as-is b/there/as-is\nrename from as-is\nrename to there/as-is\n';
    const { files } = await t.propose({ patch: update('edited') + created + deleted + renamed + moved });
    expect(files).toMatchObject([
      { kind: 'edit', path: { path: 'edited' }, base: { text: 'a\r\n' }, result: { text: 'b\r\n' } },
      { kind: 'create', path: { path: 'new/created' }, result: { text: 'hi\n', encoding: 'utf8' } },
      { kind: 'delete', path: { path: 'deleted' }, isFolder: false, base: { text: 'a\n' } },
      { kind: 'edit', path: { path: 'old' }, result: { text: 'b\n' } },
      { kind: 'move', path: { path: 'old' }, to: { path: 'renamed' }, files: [{ relative: '' }] },
      { kind: 'move', path: { path: 'as-is' }, to: { path: 'there/as-is' } },
    ]);
  });

  it('edits, creates, deletes and renames files by a Codex patch', async () => {
    const t = setUp({ '/w/edited': 'a\n', '/w/deleted': 'a\n' });
    const patch = codex(
      '*** Update File: edited',
      '*** Move to: moved',
      '@@',
      '-a',
      '+b',
      '*** Delete File: deleted',
      '*** Add File: created',
      '+hi',
    );
    expect((await t.propose({ patch })).files).toMatchObject([
      { kind: 'edit', path: { path: 'edited' }, result: { text: 'b\n' } },
      { kind: 'move', path: { path: 'edited' }, to: { path: 'moved' } },
      { kind: 'delete', path: { path: 'deleted' } },
      { kind: 'create', path: { path: 'created' }, result: { text: 'hi\n' } },
    ]);
  });

  it('starts from unsaved text and keeps encoding and byte-order mark', async () => {
    const t = setUp({ '/w/f': 'disk\n' });
    t.files.buffers.set('/w/f', 'a\n');
    t.files.facts.set('/w/f', { encoding: 'utf16le' });
    expect((await t.propose({ patch: update('f') })).files).toMatchObject([
      { base: { text: 'a\n', source: 'buffer' }, result: { text: 'b\n', encoding: 'utf16le' } },
    ]);
  });

  it('P4 edits the file a link leads to, but deletes and renames the link', async () => {
    const t = setUp({ '/w/real': 'a\n', '/w/link': { link: '/w/real' } });
    expect((await t.propose({ patch: update('link') })).files).toMatchObject([
      { kind: 'edit', path: { path: 'real' } },
    ]);
    expect((await t.propose({ patch: codex('*** Delete File: link') })).files).toMatchObject([
      { kind: 'delete', path: { path: 'link' }, files: [{ isLink: true }] },
    ]);
    const move = codex('*** Update File: link', '*** Move to: other');
    expect((await t.propose({ patch: move })).files).toMatchObject([{ kind: 'move', path: { path: 'link' } }]);
  });

  it('P15 names every address of the patch, so that the policy judges all of them before a file is read', async () => {
    const patch = codex('*** Update File: a', '*** Move to: b', '*** Add File: c', '*** Delete File: d');
    expect(applyEdit.targets({ patch })).toEqual(['a', 'b', 'c', 'd']);
    const t = setUp({ '/w/a': 'a\n', '/w/.env': 'SECRET=1\n' });
    expect(await t.codeOf({ patch: codex('*** Update File: a', '*** Move to: .git/hooks/pre-push') })).toBe('denied');
    expect(await t.codeOf({ patch: codex('*** Update File: .env', '*** Move to: notes.txt') })).toBe('denied');
    expect(t.files.reads).toEqual([]);
  });

  it('is judged by what it does to each file', async () => {
    const run = new ProposeRun({ '/w/a': 'a\n' });
    const patch = codex('*** Update File: a', '*** Move to: .vscode/tasks.json');
    const { decision } = await run.judged(applyEdit, { patch });
    expect(decision.risk).toBe('delete');
    expect(decision.protectedBy).toEqual([expect.stringContaining('.vscode')]);
  });

  it('refuses a patch that names one file twice, by any name', async () => {
    const t = setUp({ '/w/a': 'a\n', '/w/c': 'c\n', '/w/link': { link: '/w/a' } });
    const twice = [
      update('a') + update('a'),
      update('a') + update('link'),
      update('a') + update('./a'),
      codex('*** Delete File: a', '*** Add File: a', '+x'),
      codex('*** Update File: a', '*** Move to: b', '*** Add File: b', '+x'),
      codex('*** Update File: a', '*** Move to: b', '*** Update File: c', '*** Move to: b'),
      codex('*** Update File: a', '*** Move to: a'),
    ];
    for (const patch of twice) {
      expect(await t.codeOf({ patch }), patch).toBe('ambiguous_match');
      await expect(t.propose({ patch })).rejects.toThrow('in two places');
    }
  });

  it('refuses to create over an existing file, and deletes and renames only the files that the patch names', async () => {
    const t = setUp({ '/w/a': 'a\nb\n', '/w/c': 'c\n', '/w/bin': new Uint8Array([0, 1]), '/w/dir/f': 'f\n' });
    expect(await t.codeOf({ patch: codex('*** Add File: a', '+x') })).toBe('unavailable');
    expect(await t.codeOf({ patch: codex('*** Update File: a', '*** Move to: c') })).toBe('unavailable');
    expect(await t.codeOf({ patch: codex('*** Delete File: missing') })).toBe('not_found');
    await expect(t.propose({ patch: update('missing') })).rejects.toThrow('missing does not exist');
    expect(await t.codeOf({ patch: codex('*** Delete File: dir') })).toBe('unavailable');
    expect(await t.codeOf({ patch: codex('*** Update File: dir', '*** Move to: other') })).toBe('unavailable');
    const partly = '--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n';
    await expect(t.propose({ patch: partly })).rejects.toThrow('has more lines than the patch removes');
    expect(await t.codeOf({ patch: partly.replace('a/a', 'a/c') })).toBe('no_match');
    expect(await t.codeOf({ patch: partly.replace('a/a', 'a/bin') })).toBe('no_match');
  });

  it('refuses a patch that changes nothing, and characters the file cannot hold', async () => {
    const t = setUp({ '/w/a': 'a\n' });
    expect(await t.codeOf({ patch: update('a').replace('+b', '+a') })).toBe('no_match');
    expect(await t.codeOf({ patch: update('a').replace('+b', '+\uD800') })).toBe('undecodable');
  });
});

describe('apply_edit with wrong inputs', () => {
  const nodes: Readonly<Record<string, FakeNode>> = {
    '/w/a': 'a\n',
    '/w/many': 'a\nx\na\n',
    '/w/dir/f': 'f\n',
    '/w/bin': new Uint8Array([0, 1, 2]),
    '/w/pipe': pipe,
    '/w/.env': 'a\n',
    '/w/private/f': 'a\n',
    '/w/out': { link: '/etc/passwd' },
    '/w/nowhere': { link: '/w/gone' },
    '/etc/passwd': 'a\n',
  };
  /** Paths that no edit may use. */
  const paths = [
    ['../a', '/etc/passwd', '/etc/../etc/passwd', 'dir/../../x', 'out', 'nowhere', 'pipe'],
    ['https://x.test/a', 'vscode-userdata:/x', 'command:x', 'file://host/a', '//host/share', 'C:\\a', 'c:a'],
    ['.git/config', '.env', 'private/f', 'a\0b', 'a/below', 'x'.repeat(5000), 'dir', '.', '', '\u202Ea'],
  ].flat();
  /** Every kind of edit of a path. */
  const wishes: readonly ((path: string) => unknown)[] = [
    (path) => ({ edits: [replace(path, 'a', 'b')] }),
    (path) => ({ edits: [{ path, firstLine: 1, lastLine: 1, newText: 'b', version: textVersion('a\n') }] }),
    (path) => ({ edits: [replace('a', 'a', 'b'), replace(path, 'a', 'b')] }),
    (path) => ({ patch: update(path) }),
    (path) => ({ patch: `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+a\n` }),
    (path) => ({ patch: `rename from a\nrename to ${path}\n` }),
    (path) => ({ patch: codex(`*** Add File: ${path}`, '+a') }),
    (path) => ({ patch: codex('*** Update File: a', `*** Move to: ${path}`) }),
  ];
  const values = [null, 1, true, '', {}, [], [1], [[]], 'x'.repeat(4_000_001)];
  const shapes: readonly unknown[] = [
    undefined,
    ...values,
    { reason: 'x' },
    { path: 'a' },
    { edits: [], patch: 'x' },
    { edits: [replace('a', 'a', 'b')], patch: update('a') },
    { edits: [replace('a', 'a', 'b')], extra: 1 },
    { patch: update('a'), overwrite: true },
    ...values.flatMap((value) => [
      { patch: value },
      { edits: value },
      { patch: update('a'), reason: value === '' ? 'x'.repeat(1001) : value, extra: 1 },
      { patch: update('a'), replaces: value },
      { edits: [{ ...replace('a', 'a', 'b'), path: value }] },
      { edits: [{ ...replace('a', 'a', 'b'), oldText: value }] },
      { edits: [{ path: 'a', oldText: 'gone', newText: value }] },
      { edits: [{ path: 'a', firstLine: value, lastLine: value, newText: 'b', version: 'v' }] },
    ]),
  ];
  const misses: readonly unknown[] = [
    { edits: [replace('many', 'a', 'b')] },
    { edits: [replace('many', 'nothing', 'b')] },
    { edits: [replace('many', 'a\nx', 'b'), replace('many', 'x\na', 'b')] },
    { edits: [replace('bin', 'a', 'b')] },
    { edits: [replace('a', 'a', '\uD800')] },
    { edits: [{ path: 'a', firstLine: 9, lastLine: 9, newText: 'b', version: textVersion('a\n') }] },
    { edits: [{ path: 'a', firstLine: 1, lastLine: 1, newText: 'b', version: 'another' }] },
    { edits: Array.from({ length: 501 }, () => replace('a', 'a', 'b')) },
    { patch: update('many').replace('-1 +1', '-2 +2') },
    { patch: update('bin') },
    { patch: update('many').replace('-a', '-A') },
    { patch: update('a').replace('-a\n', '') },
    { patch: update('a').replace('-a', '-a\n-') },
  ];
  const inputs = [...paths.flatMap((path) => wishes.map((wish) => wish(path))), ...shapes, ...misses];

  it('is tested with at least 200 wrong inputs', () => expect(inputs.length).toBeGreaterThanOrEqual(200));

  it('refuses each input with a hint, and throws no other error', async () => {
    for (const input of inputs) {
      const refusal = await new ProposeRun(nodes).propose(applyEdit, input).then(
        () => undefined,
        (error: unknown) => error,
      );
      const shown = JSON.stringify(input)?.slice(0, 300) ?? 'undefined';
      if (refusal instanceof ToolError) expect(refusal.hint, shown).toMatch(/\w{3}/);
      else if (refusal instanceof InvalidArgumentsError) expect(refusal.message, shown).toMatch(/\w{3}/);
      else expect.fail(`${shown}: ${String(refusal)}`);
    }
  });
});
