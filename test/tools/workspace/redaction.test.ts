import { describe, expect, it } from 'vitest';
import { textVersion } from '#audit/textVersion.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import { githubToken, keyPieces, privateKey } from '../../fakes/secrets.ts';
import { ToolRun } from './toolRun.ts';

const source = `const a = 1;\nconst key = \`${privateKey}\`;\nconst b = 2;\n`;
const marker = /^\[redacted:private_key#1\.\d{1,2}\]$/;
const piecesIn = (value: unknown): readonly string[] =>
  keyPieces.filter((piece) => JSON.stringify(value).includes(piece));

describe('A8: the text that a read returns of a file with a secret', () => {
  it('has its lines, its version and its length', async () => {
    const run = new ToolRun({ '/w/a.ts': source.replaceAll('\n', '\r\n') });
    const read = await run.textOf({ path: 'a.ts' });
    expect(read).toMatchObject({ version: textVersion(source), totalLines: 25, lastLine: 25, eol: 'crlf' });
    const lines = read.text.split('\n');
    expect(lines).toHaveLength(25);
    expect(lines[0]).toBe('const a = 1;');
    expect(lines[1]).toBe('const key = `-----BEGIN PRIVATE KEY-----');
    for (const line of lines.slice(2, 22)) expect(line).toMatch(marker);
    expect(lines[23]).toBe('const b = 2;');
  });

  it('hides a key on every page that begins or ends within it', async () => {
    const run = new ToolRun({ '/w/a.ts': source });
    for (let firstLine = 1; firstLine <= 25; firstLine += 1) {
      const page = await run.textOf({ path: 'a.ts', firstLine, lastLine: firstLine + 2 });
      expect(piecesIn(page), `from line ${firstLine}`).toEqual([]);
      expect(page.firstLine).toBe(firstLine);
      expect(page.text.split('\n')).toHaveLength(Math.min(3, 26 - firstLine));
    }
    run.limits = { ...run.limits, readBytes: 40 };
    expect(piecesIn(await run.data(readFile, { path: 'a.ts', firstLine: 5 }))).toEqual([]);
  });

  it('hides the secret in unsaved text and in each of several files', async () => {
    const run = new ToolRun({ '/w/a.ts': 'x', '/w/b.ts': `token: ${githubToken}` });
    run.files.buffers.set('/w/a.ts', source);
    const read = await run.data(readFiles, { files: [{ path: 'a.ts', firstLine: 9, lastLine: 10 }, { path: 'b.ts' }] });
    expect(piecesIn(read)).toEqual([]);
    expect(JSON.stringify(read)).not.toContain(githubToken);
  });
});
