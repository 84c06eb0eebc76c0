import { describe, expect, it } from 'vitest';
import { findFiles } from '#tools/workspace/findFiles.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import { png } from './png.ts';
import { ToolRun } from './toolRun.ts';

const megabytes = (count: number, line: string): string => line.repeat(Math.ceil((count * 1024 * 1024) / line.length));
const token = `ghp_${'a1B2'.repeat(10)}`;

describe('F7: a file that is too large to be read as a whole', () => {
  const lines = megabytes(6, `${'x'.repeat(99)}\n`);

  it('is read by lines, with the number of all its lines', async () => {
    const run = new ToolRun({ '/w/big.log': `${lines}last` });
    const total = lines.split('\n').length;
    const read = await run.textOf({ path: 'big.log', firstLine: total - 1, lastLine: total });
    expect(read).toMatchObject({ text: `${'x'.repeat(99)}\nlast`, totalLines: total, lastLine: total });
    expect(read.version).toBeUndefined();
  });

  it('is refused as a whole with the way to read a range', async () => {
    const run = new ToolRun({ '/w/big.log': lines });
    const refusal = expect(run.data(readFile, { path: 'big.log' })).rejects;
    await refusal.toMatchObject({ code: 'too_large', hint: expect.stringContaining('"firstLine"') });
  });

  it('A8 hides a secret that begins before the range or ends after it', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${'Ab1'.repeat(20)}\n`.repeat(40)}-----END PRIVATE KEY-----\n`;
    const run = new ToolRun({ '/w/big.log': `${key}${token}\n${lines}${key}` });
    expect((await run.textOf({ path: 'big.log', firstLine: 20, lastLine: 21 })).text).not.toContain('Ab1');
    expect((await run.textOf({ path: 'big.log', firstLine: 43, lastLine: 43 })).text).not.toContain('a1B2');
    const last = lines.split('\n').length + 43;
    expect((await run.textOf({ path: 'big.log', firstLine: last, lastLine: last + 9 })).text).not.toContain('Ab1');
  });
});

describe('F8: a line that is too long', () => {
  it('is cut with a mark, and read on by columns', async () => {
    const run = new ToolRun({ '/w/a.js': `short\n${'abcdefghij'.repeat(500)}\nend` });
    const { text } = await run.textOf({ path: 'a.js' });
    const [first, long = '', end] = text.split('\n');
    expect([first, end]).toEqual(['short', 'end']);
    expect(long).toMatch(/^(abcdefghij){200}… \[cut: line 2 has 5000 characters; .*firstLine 2, firstColumn 2001\]$/);
    const rest = await run.textOf({ path: 'a.js', firstLine: 2, firstColumn: 2001, lastColumn: 2015 });
    expect(rest).toMatchObject({ text: 'abcdefghijabcde', note: 'columns 2001-2015 of 5000 of line 2', lastLine: 2 });
  });

  it('is read to its end by columns, whatever the size of a page', async () => {
    const line = 'äb😀'.repeat(3000);
    const run = new ToolRun({ '/w/a.js': line });
    run.limits = { ...run.limits, readBytes: 5000 };
    let text = '';
    for (let firstColumn = 1; firstColumn <= line.length; firstColumn = text.length + 1) {
      text += (await run.textOf({ path: 'a.js', firstColumn })).text;
    }
    expect(text).toBe(line);
  });

  it('A8 counts columns in the text that is shown, so that no column tells a secret', async () => {
    const run = new ToolRun({ '/w/a.js': `${token}${' '.repeat(10)}${'x'.repeat(3000)}` });
    expect((await run.textOf({ path: 'a.js', firstColumn: 1, lastColumn: 30 })).text).toBe(
      '[redacted:github_token#1]     ',
    );
  });

  it('refuses columns of several lines and columns after the end', async () => {
    const run = new ToolRun({ '/w/a.js': 'abc\nd' });
    await expect(run.data(readFile, { path: 'a.js', lastLine: 2, firstColumn: 1 })).rejects.toThrow('one line');
    await expect(run.data(readFile, { path: 'a.js', firstColumn: 9 })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('F7: an image over the limit', () => {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000027100000138800', 'hex');

  it('is refused by its header, with its pixels, its bytes and what to do', async () => {
    const run = new ToolRun({ '/w/a.png': Buffer.concat([header, Buffer.alloc(2 * 1024 * 1024)]) });
    await expect(run.data(readFile, { path: 'a.png' })).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('10000 x 5000 pixels and 2097177 bytes'),
      hint: expect.stringContaining('smaller copy'),
    });
  });

  it.each([
    ['bytes', [2000, 1000], 2 * 1024 * 1024],
    ['pixels', [9000, 1000], 100],
  ])(
    'is scaled down when it has too many %s, and the text tells from what',
    async (_, [width = 0, height = 0], bytes) => {
      const run = new ToolRun({ '/w/a.png': png(width, height, bytes) });
      run.images.image = { mimeType: 'image/jpeg', width: 1568, height: 784, bytes: new Uint8Array([1, 2, 3]) };
      const data = await run.data(readFile, { path: 'a.png' });
      expect(data).toMatchObject({ mimeType: 'image/jpeg', width: 1568, height: 784, size: bytes });
      expect(readFile.render(data).text).toBe(
        `a.png: image/jpeg, 1568 x 784 pixels, scaled down from ${width} x ${height} pixels, ${bytes} bytes. ` +
          'The image comes with this text.',
      );
      expect(run.media).toMatchObject([{ kind: 'image', mimeType: 'image/jpeg', data: 'AQID' }]);
      expect(run.images.asked).toMatchObject([{ format: 'image/png', longestSide: 1568, maximumBytes: 1024 * 1024 }]);
    },
  );

  it('is shown by its first picture when it is a GIF, and the text says so', async () => {
    const gif = Buffer.concat([Buffer.from('GIF89a\u0020\u0003\u0058\u0002', 'latin1'), Buffer.alloc(2 * 1024 * 1024)]);
    const run = new ToolRun({ '/w/a.gif': gif });
    run.images.image = { mimeType: 'image/png', width: 800, height: 600, bytes: new Uint8Array([1, 2, 3]) };
    const { text } = readFile.render(await run.data(readFile, { path: 'a.gif' }));
    expect(text).toContain('image/png, 800 x 600 pixels, scaled down from the first picture, 800 x 600 pixels');
    expect(run.images.asked).toMatchObject([{ format: 'image/gif' }]);
  });

  it('P26: is never decoded when it has more than 12.5 million pixels or 20 MiB', async () => {
    const run = new ToolRun({
      '/w/wide.png': png(9000, 1400),
      '/w/long.png': png(3500, 3600, 2 * 1024 * 1024),
      '/w/heavy.png': png(100, 100, 20 * 1024 * 1024 + 1),
    });
    for (const path of ['wide.png', 'long.png', 'heavy.png']) {
      await expect(run.data(readFile, { path })).rejects.toMatchObject({ code: 'too_large' });
    }
    expect(run.images.asked).toEqual([]);
  });

  it('is refused when few bytes hold too many pixels', async () => {
    const run = new ToolRun({ '/w/a.png': Buffer.concat([header, Buffer.from('IEND')]) });
    await expect(run.data(readFile, { path: 'a.png' })).rejects.toMatchObject({ code: 'too_large' });
    expect(run.media).toEqual([]);
  });
});

describe('F7: a notebook', () => {
  const notebook = JSON.stringify({
    cells: [
      { cell_type: 'markdown', source: ['# Title\n', 'text'] },
      {
        cell_type: 'code',
        id: 'c1',
        execution_count: 3,
        source: `print("${token}")`,
        outputs: [
          { output_type: 'stream', text: ['\u001b[31mred\u001b[0m\n'] },
          { output_type: 'stream', text: Array.from({ length: 100 }, (_, at) => `line ${at}\n`) },
          { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo='.repeat(1000), 'text/plain': '<Figure>' } },
          { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['\u001b[0;31mat 1'] },
        ],
      },
    ],
    metadata: { language_info: { name: 'python' } },
  });

  it('is read as cells with short outputs, without escape sequences, images and secrets', async () => {
    const read = await new ToolRun({ '/w/a.ipynb': notebook }).textOf({ path: 'a.ipynb' });
    expect(read.text).toContain(
      '[cell 1: markdown]\n# Title\ntext\n\n[cell 2: code, python, id c1, run 3]\nprint("[redacted:',
    );
    expect(read.text).toContain('[output]\nred\n');
    expect(read.text).toContain('line 19\n[cut: the output has 100 lines');
    expect(read.text).toContain('[output]\n<Figure>\n[image/png, 12002 characters, left out]');
    expect(read.text).toContain('[error: ValueError: bad]\nat 1');
    expect(read.note).toContain('read_files');
    expect(read.version).toBeUndefined();
  });

  it('is read as the JSON text that edits match by read_files, and by read_file when it is no notebook', async () => {
    const run = new ToolRun({ '/w/a.ipynb': '{"cells":[]}', '/w/b.ipynb': 'no json' });
    const { files } = await run.data(readFiles, { files: [{ path: 'a.ipynb' }] });
    expect(files).toMatchObject([{ text: '{"cells":[]}', version: expect.any(String) }]);
    expect((await run.textOf({ path: 'b.ipynb' })).text).toBe('no json');
  });
});

describe('F5: a search that finds nothing', () => {
  it('searches a query with a line break as multiline, and says so', async () => {
    const run = new ToolRun({ '/w/a.ts': 'a\nb\n' });
    const { note } = await run.data(searchCode, { query: 'a\nb' });
    expect(note).toContain('searched as multiline');
    expect(run.search.queries).toContainEqual(expect.objectContaining({ multiline: true }));
  });

  it('F21 counts the files that ignore rules leave out, and finds them with includeIgnored', async () => {
    const run = new ToolRun({ '/w/a.ts': 'a', '/w/next.config.js': 'nextConfig', '/w/.env': 'nextConfig' });
    run.search.ignored.add('next.config.js').add('.env');
    const found = await run.data(searchCode, { query: 'nextConfig' });
    expect(found.note).toContain('1 file is left out by ignore rules or files.exclude; includeIgnored');
    expect(await run.data(searchCode, { query: 'nextConfig', includeIgnored: true })).toMatchObject({ totalCount: 1 });
    expect((await run.data(findFiles, { query: 'next.conf*' })).note).toContain('1 file is left out');
  });

  it('says which globs match no file', async () => {
    const run = new ToolRun({ '/w/a.ts': 'a' });
    expect((await run.data(searchCode, { query: 'a', include: ['*.py'] })).note).toBe('no file matches ["*.py"]');
    expect((await run.data(findFiles, { query: '*.py' })).note).toBe('no file matches ["*.py"]');
  });

  it('takes brackets literally when a folder has that name', async () => {
    const run = new ToolRun({ '/w/src/[id]/page.tsx': 'here', '/w/src/i/page.tsx': 'here' });
    const found = await run.data(searchCode, { query: 'here', include: ['src/[id]/**'] });
    expect(found.matches).toEqual([expect.objectContaining({ file: 'src/[id]/page.tsx' })]);
    expect(found.note).toContain('taken literally');
    expect((await run.data(findFiles, { query: 'src/[ij]/*' })).files).toMatchObject([{ path: 'src/i/page.tsx' }]);
  });

  it('A28 says the same whatever a closed or redacted file holds', async () => {
    const notes = ['hidden', 'other'].map(async (content) => {
      const run = new ToolRun({ '/w/a.ts': 'a', '/w/.env': content, '/w/b.ts': `t = "${token}" ${content.length}` });
      return (await run.data(searchCode, { query: 'hidden' })).note;
    });
    expect(new Set(await Promise.all(notes)).size).toBe(1);
  });

  it('says in which encodings a query with other letters was searched', async () => {
    const run = new ToolRun({ '/w/a.ts': 'a' });
    expect((await run.data(searchCode, { query: 'Café' })).note).toContain('Windows-1252');
  });
});
