import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import type { TextEdit } from '#language/refactorings.ts';
import { formatFiles } from '#tools/language/formatFiles.ts';
import { languageEdits, replacing } from '../../fakes/refactorings.ts';
import { ProposeRun } from '../edit/proposeRun.ts';

const text = 'import b;\nimport a;\nlet  x = 1;\nvar y = 2;\n';
const edit = (from: string, newText: string, path = '/w/a.ts'): TextEdit => replacing(path, text, from, newText);
const sorted = edit('import b;\nimport a;', 'import  a;\nimport b;');

function scene() {
  const run = new ProposeRun({ '/w/a.ts': text, '/w/b.ts': text, '/w/link.ts': { link: 'a.ts' }, '/w/d/x': '' });
  const { refactorings } = run;
  refactorings.formats.set('a.ts', [edit('import b', 'import  b'), edit('let  x', 'let x')]);
  const offer = (kind: string, ...texts: readonly TextEdit[]): void => {
    refactorings.actions.push({
      title: kind,
      kind,
      isPreferred: false,
      fixes: [],
      expand: async () => ({ edits: languageEdits(texts) }),
    });
  };
  const format = (...steps: readonly string[]) =>
    run.propose(formatFiles, { paths: ['a.ts'], ...(steps.length > 0 && { steps }) });
  return { run, refactorings, offer, format };
}

describe('format_files', () => {
  it('passes the reason of the assistant on to the card', () => {
    expect(formatFiles.reason(formatFiles.input.parse({ paths: ['a.ts'], reason: 'as the rest' }))).toBe('as the rest');
  });

  it('only formats when the call names no steps', async () => {
    const { refactorings, offer, format } = scene();
    offer('source.organizeImports', sorted);
    expect((await format()).files).toMatchObject([
      { result: { text: 'import  b;\nimport a;\nlet x = 1;\nvar y = 2;\n' } },
    ]);
    expect(refactorings.asked).toEqual(['format a.ts']);
  });

  it('runs several steps in one change, and skips the formatting of lines that another step changed', async () => {
    const { refactorings, offer, format } = scene();
    offer('source.organizeImports', sorted);
    offer('source.fixAll.eslint', edit('var', 'const'));
    expect((await format('format', 'fixAll', 'organizeImports')).files).toMatchObject([
      { result: { text: 'import  a;\nimport b;\nlet x = 1;\nconst y = 2;\n' } },
    ]);
    expect(refactorings.asked).toEqual([
      'actions a.ts:1-5 source.organizeImports',
      'actions a.ts:1-5 source.fixAll',
      'format a.ts',
    ]);
  });

  it('finding 26: formats the line after an import that another step removes', async () => {
    const { offer, format } = scene();
    offer('source.organizeImports', edit('import b;', 'import a, b;'), edit('import a;\n', ''));
    const proposal = await format('organizeImports', 'format');
    expect(proposal.files).toMatchObject([{ result: { text: 'import a, b;\nlet x = 1;\nvar y = 2;\n' } }]);
    // The edit of the line that organizeImports rewrites is left out, and the assistant is told.
    expect(proposal.leftOut).toBe(
      '1 formatting edit left out, because another step changes the same lines: call format_files again with steps ["format"].',
    );
  });

  it('finding 26: leaves out nothing and says nothing when the steps touch different lines', async () => {
    const { refactorings, offer, format } = scene();
    refactorings.formats.set('a.ts', [edit('let  x', 'let x')]);
    offer('source.organizeImports', sorted);
    expect(await format('organizeImports', 'format')).not.toHaveProperty('leftOut');
  });

  it('keeps the layout when it only organises imports, by the first action that does so', async () => {
    const { offer, format } = scene();
    offer('source.organizeImports', sorted);
    offer('source.organizeImports.other', edit('import b;\nimport a;', ''));
    expect((await format('organizeImports')).files).toMatchObject([
      { result: { text: text.replace('import b;\nimport a;', 'import  a;\nimport b;') } },
    ]);
  });

  it('refuses fixes that change the same place, and fixes of other files', async () => {
    const one = scene();
    one.offer('source.fixAll.one', edit('var', 'let'));
    one.offer('source.fixAll.two', edit('2', '3'));
    expect((await one.format('fixAll')).files).toHaveLength(1);
    one.offer('source.fixAll.three', edit('var', 'const'));
    await expect(one.format('fixAll')).rejects.toMatchObject({ code: 'unavailable' });
    const other = scene();
    other.offer('source.organizeImports', sorted, edit('var', 'let', '/w/b.ts'));
    await expect(other.format('organizeImports')).rejects.toMatchObject({ code: 'unavailable' });
    const both = scene();
    both.offer('source.organizeImports', sorted);
    both.offer('source.fixAll', edit('import a;', ''));
    await expect(both.format('organizeImports', 'fixAll')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('formats several files, each once, and leaves out files that are formatted already', async () => {
    const { run } = scene();
    const { files, ...rest } = await run.propose(formatFiles, { paths: ['b.ts', 'a.ts', 'link.ts', 'a.ts'] });
    expect(files).toMatchObject([{ path: { path: 'a.ts' } }]);
    expect(rest).not.toHaveProperty('indivisible');
  });

  it('reports no match when nothing would change, and refuses folders and missing files', async () => {
    const { run } = scene();
    const nothing = await run.propose(formatFiles, { paths: ['b.ts'] }).catch((error: unknown) => error);
    expect(nothing).toMatchObject({ code: 'no_match', message: expect.stringContaining('Nothing would change. ') });
    // Finding 28: the answer says whether an extension here serves the language.
    expect(nothing).toMatchObject({ message: expect.stringContaining('No language service answers for b.ts.') });
    expect(await run.codeOf(formatFiles, { paths: ['gone.ts'] })).toBe('not_found');
    expect(await run.codeOf(formatFiles, { paths: ['d'] })).not.toBe('proposed');
  });

  it.each([[{ paths: [] }], [{ paths: ['a'], steps: ['all'] }]])('refuses wrong arguments %#', (input) => {
    expect(() => formatFiles.input.parse(input)).toThrow(InvalidArgumentsError);
  });
});
