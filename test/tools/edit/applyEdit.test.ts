import { describe, expect, it } from 'vitest';
import { resolveAddress } from '../../../src/core/resolve.ts';
import { textVersion } from '../../../src/core/textVersion.ts';
import { InvalidArgumentsError, ToolError } from '../../../src/core/tool.ts';
import { applyEdit } from '../../../src/tools/edit/applyEdit.ts';
import { FakeFiles, type FakeNode } from '../../fakes/files.ts';
import { FakeWorkspace } from '../../fakes/workspace.ts';

function setUp(nodes: Readonly<Record<string, FakeNode>>) {
  const files = new FakeFiles(nodes);
  const workspace = new FakeWorkspace();
  const resolve = (address: string) =>
    resolveAddress(address, {
      workspace,
      files,
      pathRules: { home: '/home/u', privateFolders: [] },
      purpose: 'change',
    });
  const propose = async (input: unknown) => {
    const parsed = applyEdit.input.parse(input);
    const targets = await Promise.all(applyEdit.targets(parsed).map(resolve));
    const context = {
      files,
      targets,
      resolve,
      limits: { listBytes: undefined, readBytes: 1, maxResults: 1 },
      report: () => undefined,
    };
    return applyEdit.propose(parsed, context, new AbortController().signal);
  };
  const codeOf = async (input: unknown): Promise<string> => {
    try {
      await propose(input);
    } catch (error) {
      if (error instanceof ToolError) return error.code;
      throw error;
    }
    return 'proposed';
  };
  return { files, propose, codeOf };
}

const replace = (path: string, oldText: string, newText: string) => ({ path, oldText, newText });

describe('apply_edit', () => {
  it('proposes the exact text of every file it names, from unsaved text where there is one', async () => {
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

  it('refuses what is not at the version that was read, naming the one it is at', async () => {
    const t = setUp({ '/w/a': 'now\n' });
    const edit = { path: 'a', firstLine: 1, lastLine: 1, newText: 'x' };
    await expect(t.propose({ edits: [{ ...edit, version: '0000000000000000' }] })).rejects.toThrow(
      textVersion('now\n'),
    );
    expect(await t.codeOf({ edits: [{ ...edit, version: '0000000000000000' }] })).toBe('stale_version');
    await expect(t.propose({ edits: [{ ...edit, version: '0000000000000000' }] })).rejects.toThrow('1\tnow');
    expect(await t.codeOf({ edits: [{ ...edit, version: textVersion('now\r\n') }] })).toBe('proposed');
  });

  it('refuses files that must not be touched now', async () => {
    const t = setUp({ '/w/a': 'x\n', '/w/bin': new Uint8Array([0, 1, 2]) });
    const edit = { edits: [replace('a', 'x', 'y')] };
    expect(await t.codeOf({ edits: [replace('bin', 'x', 'y')] })).toBe('binary_file');
    t.files.facts.set('/w/a', { readonly: true });
    expect(await t.codeOf(edit)).toBe('unavailable');
    t.files.facts.set('/w/a', { unsavedElsewhere: true });
    expect(await t.codeOf(edit)).toBe('unavailable');
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
