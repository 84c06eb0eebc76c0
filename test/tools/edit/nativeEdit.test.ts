import { describe, expect, it } from 'vitest';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { tools } from '#tools/index.ts';
import type { FakeNode } from '../../fakes/files.ts';
import { ProposeRun } from './proposeRun.ts';

function setUp(nodes: Readonly<Record<string, FakeNode>>) {
  const run = new ProposeRun(nodes);
  const inputOf = (edits: readonly object[]) => ({ tool: 'Edit', edits });
  return {
    files: run.files,
    propose: async (...edits: readonly object[]) => (await run.propose(nativeEdit, inputOf(edits))).files,
    codeOf: (...edits: readonly object[]) => run.codeOf(nativeEdit, inputOf(edits)),
  };
}

const replace = (path: string, oldText: string, newText: string, all = false) => ({
  kind: 'replace',
  path,
  oldText,
  newText,
  all,
});
const write = (path: string, text: string) => ({ kind: 'write', path, text });

describe('native_edit', () => {
  it('is offered to no assistant', () => {
    expect(tools.map(({ name }) => name)).not.toContain(nativeEdit.name);
  });

  it.each([
    ['CRLF around LF text', 'one\r\ntwo\r\n', replace('/w/a', 'one\ntwo', '1\n2'), '1\r\n2\r\n'],
    ['characters that are special in replacements', 'price', replace('/w/a', 'price', '$& $1 $$'), '$& $1 $$'],
    ['no final line end', 'a\nb', replace('/w/a', 'b', 'c'), 'a\nc'],
    ['every occurrence', 'x x', replace('/w/a', 'x', 'y', true), 'y y'],
    [
      'a line and its end, when the assistant deletes both',
      'a\r\nb\r\n',
      { ...replace('/w/a', 'a', ''), takesLineEnd: true },
      'b\r\n',
    ],
    [
      'whole lines and their end, when the assistant deletes both',
      'a\r\nb\r\nc\r\n',
      { ...replace('/w/a', 'a\nb', ''), takesLineEnd: 'wholeLines' },
      'c\r\n',
    ],
    [
      'a part of a line, when the assistant deletes the ends of whole lines only',
      'a;\nb\n',
      { ...replace('/w/a', ';', ''), takesLineEnd: 'wholeLines' },
      'a\nb\n',
    ],
    ['an empty file', '', replace('/w/a', '', 'new\n'), 'new\n'],
    ['a whole file, with exactly its own line ends', 'one\r\n', write('/w/a', 'two\n'), 'two\n'],
    [
      'a whole file, with the CRLF that it has',
      'one\r\nx\n',
      { ...write('/w/a', 'two\n\r\n'), keepsCrlf: true },
      'two\r\n\r\n',
    ],
    ['a whole file without CRLF, as it is given', 'one\n', { ...write('/w/a', 'two\r\n'), keepsCrlf: true }, 'two\r\n'],
  ])('changes %s as the assistant will', async (_what, text, edit, after) => {
    const [change] = await setUp({ '/w/a': text }).propose(edit);
    expect(change).toMatchObject({ kind: 'edit', base: { text }, result: { text: after } });
  });

  it('marks a whole file as an overwrite', async () => {
    expect(await setUp({ '/w/a': 'x' }).propose(write('/w/a', 'y'))).toMatchObject([{ overwrites: true }]);
  });

  it.each([write('/w/new/a', 'x\n'), replace('/w/new/a', '', 'x\n')])(
    'creates a missing file as UTF-8, whatever the editor would choose: %j',
    async (edit) => {
      const t = setUp({ '/w/b': '' });
      t.files.newFiles = { encoding: 'iso88591', lineEnd: '\r\n' };
      expect(await t.propose(edit)).toMatchObject([{ kind: 'create', result: { text: 'x\n', encoding: 'utf8' } }]);
    },
  );

  it('refuses a marker of a redacted secret, which would overwrite the secret', async () => {
    const t = setUp({ '/w/a': 'key = "x"\n' });
    expect(await t.codeOf(replace('/w/a', 'key = "x"', 'key = "[redacted:token:0a1b2c3d]"'))).toBe('redacted_text');
    expect(await t.codeOf(write('/w/new', 'key = "[redacted:token:0a1b2c3d]"'))).toBe('redacted_text');
  });

  it('refuses a marker of a redacted secret when a later edit of a file has it', async () => {
    const edits = [replace('/w/a', 'one', '1'), replace('/w/a', 'two', '[redacted:token:0a1b2c3d]')];
    expect(await setUp({ '/w/a': 'one\ntwo\n' }).codeOf(...edits)).toBe('redacted_text');
  });

  it('makes each edit of a file for the text that the one before leaves', async () => {
    const edits = [replace('/w/a', 'one', 'two'), replace('/w/a', 'two', 'three')];
    expect(await setUp({ '/w/a': 'one\n' }).propose(...edits)).toMatchObject([{ result: { text: 'three\n' } }]);
  });

  it.each([
    ['typographic quotes for straight ones', 'say “x”', replace('/w/a', 'say "x"', 'y'), 'no_match'],
    ['blanks for a tab', '\tx', replace('/w/a', '    x', 'y'), 'no_match'],
    ['two places', 'x\nx', replace('/w/a', 'x', 'y'), 'ambiguous_match'],
    [
      'two places of which one is a whole line',
      'x\nxy\n',
      { ...replace('/w/a', 'x', ''), takesLineEnd: 'wholeLines' },
      'ambiguous_match',
    ],
    ['a file that is not empty', 'x', replace('/w/a', '', 'y'), 'no_match'],
    ['the same text', 'x', replace('/w/a', 'x', 'x'), 'no_match'],
  ])('refuses %s', async (_what, text, edit, code) => {
    expect(await setUp({ '/w/a': text }).codeOf(edit)).toBe(code);
  });
});
