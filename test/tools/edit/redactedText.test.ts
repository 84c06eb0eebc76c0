import { describe, expect, it } from 'vitest';
import { textVersion } from '#base/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { createFile } from '#tools/edit/createFile.ts';
import { githubToken, keyLines, keyPieces, privateKey } from '../../fakes/secrets.ts';
import { ToolRun } from '../workspace/toolRun.ts';
import { ProposeRun } from './proposeRun.ts';

const base = `const a = 1;\nconst token = '${githubToken}';\nconst b = 2;\n`;
const key = `first\n${privateKey}\nlast\n`;

/** Returns what a model reads of the file, and a run in which the model edits that file. */
async function read(text: string) {
  const shown = await new ToolRun({ '/w/a.ts': text }).textOf({ path: 'a.ts' });
  return { run: new ProposeRun({ '/w/a.ts': text, '/w/b.ts': 'b\n' }), lines: shown.text.split('\n'), shown };
}

describe('redacted_text: an edit that holds the marker of a secret', () => {
  it.each(['oldText', 'newText'] as const)(
    'is refused when the marker is in %s, and the error names the edit and what to do next',
    async (field) => {
      const { run, lines } = await read(base);
      const texts = { oldText: 'const a = 1;', newText: 'x', [field]: lines[1] };
      const edits = [
        { path: 'b.ts', oldText: 'b', newText: 'c' },
        { path: 'a.ts', ...texts },
      ];
      await expect(run.propose(applyEdit, { edits })).rejects.toMatchObject({
        code: 'redacted_text',
        message: expect.stringContaining('Edit 2 of this call, in a.ts,'),
        hint: expect.stringMatching(/firstLine, lastLine and version.*ask the user/),
      });
    },
  );

  it('is refused for a line range that holds the marker, and allowed for the lines around it', async () => {
    const { run, lines, shown } = await read(base);
    const { version } = shown;
    const whole = { path: 'a.ts', firstLine: 1, lastLine: 3, newText: lines.slice(0, 3).join('\n'), version };
    expect(await run.codeOf(applyEdit, { edits: [whole] })).toBe('redacted_text');
    const around = [
      { path: 'a.ts', firstLine: 1, lastLine: 1, newText: 'let a;', version },
      { path: 'a.ts', firstLine: 3, lastLine: 3, newText: 'let b;', version },
    ];
    const { files } = await run.propose(applyEdit, { edits: around });
    expect(files).toMatchObject([{ result: { text: `let a;\nconst token = '${githubToken}';\nlet b;\n` } }]);
  });

  it('is refused for every line of a redacted key', async () => {
    const { run, lines, shown } = await read(key);
    for (const [at, line] of lines.slice(2, 2 + keyLines.length).entries()) {
      const edit = { path: 'a.ts', firstLine: at + 3, lastLine: at + 3, newText: line, version: shown.version };
      expect(await run.codeOf(applyEdit, { edits: [edit] })).toBe('redacted_text');
    }
  });

  it.each([
    [
      'unified',
      (line: string) =>
        `--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n-const a = 1;\n+let a = 1;\n ${line}\n const b = 2;\n`,
    ],
    ['removed', (line: string) => `--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,2 @@\n const a = 1;\n-${line}\n const b = 2;\n`],
    [
      'codex',
      (line: string) =>
        `*** Begin Patch\n*** Update File: a.ts\n@@\n const a = 1;\n+${line}\n const b = 2;\n*** End Patch`,
    ],
    ['new file', (line: string) => `*** Begin Patch\n*** Add File: c.ts\n+${line}\n*** End Patch`],
  ])('is refused in a patch: %s', async (_, patch) => {
    const { run, lines } = await read(base);
    expect(await run.codeOf(applyEdit, { patch: patch(lines[1] ?? '') })).toBe('redacted_text');
  });

  it('is refused when the marker is in the content of a new or overwritten file', async () => {
    const { run, shown } = await read(base);
    expect(await run.codeOf(createFile, { path: 'c.ts', content: shown.text })).toBe('redacted_text');
    expect(await run.codeOf(createFile, { path: 'a.ts', content: shown.text, overwrite: true })).toBe('redacted_text');
  });

  it('is proposed when the file itself holds the text of the marker', async () => {
    const text = 'before [redacted:jwt:0123abcd] after\nlast\n';
    const { run, shown } = await read(text);
    expect(shown.text).toBe(text);
    const edit = { path: 'a.ts', oldText: '[redacted:jwt:0123abcd] after', newText: 'x [redacted:jwt:0123abcd]' };
    const { files } = await run.propose(applyEdit, { edits: [edit] });
    expect(files).toMatchObject([{ result: { text: 'before x [redacted:jwt:0123abcd]\nlast\n' } }]);
    const other = { ...edit, newText: '[redacted:jwt:00000000]' };
    expect(await run.codeOf(applyEdit, { edits: [other] })).toBe('redacted_text');
    const whole = { path: 'a.ts', content: `${text}more\n`, overwrite: true };
    expect(await run.codeOf(createFile, whole)).toBe('proposed');
    const patch = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n before [redacted:jwt:0123abcd] after\n-last\n+end\n';
    expect(await run.codeOf(applyEdit, { patch })).toBe('proposed');
  });

  it('is proposed when the text only describes the form of a marker', async () => {
    const { run } = await read(base);
    const edit = { path: 'a.ts', oldText: 'const a', newText: '// [redacted:<type>:<hash>]\nconst a' };
    expect(await run.codeOf(applyEdit, { edits: [edit] })).toBe('proposed');
  });
});

describe('A8: the error of a refused edit', () => {
  const header = '--- a/a.ts\n+++ b/a.ts\n';
  const long = { path: 'a.ts', version: '0000000000000000', newText: 'x' };
  it.each([
    ['the nearest text', { edits: [{ path: 'a.ts', oldText: 'first\n-----BEGIN PRIVATE KEY-----\nx', newText: '' }] }],
    ['lines of a stale version', { edits: [{ ...long, firstLine: 5, lastLine: 9 }] }],
    ['places of an ambiguous text', { edits: [{ path: 'a.ts', oldText: keyLines[3]?.slice(1, 9), newText: '' }] }],
    ['the nearest text of a hunk', { patch: `${header}@@ -1,3 +1,2 @@\n first\n-----BEGIN PRIVATE KEY-----\n-x\n` }],
    ['places of an ambiguous hunk', { patch: `${header}@@ -500,2 +500,1 @@\n-${keyLines[3]}\n+x\n` }],
  ])('redacts the secret in %s', async (_, input) => {
    const run = new ProposeRun({ '/w/a.ts': `first\n${privateKey}\nlast\n${privateKey}\n` });
    const error: unknown = await run.propose(applyEdit, input).catch((thrown: unknown) => thrown);
    if (!(error instanceof ToolError)) throw new Error('It was not refused', { cause: error });
    expect(error.message).toContain('[redacted:private_key:');
    expect(keyPieces.filter((piece) => error.message.includes(piece))).toEqual([]);
  });

  it('still shows the version of the unredacted text', async () => {
    const run = new ProposeRun({ '/w/a.ts': key });
    const edit = { path: 'a.ts', firstLine: 1, lastLine: 1, newText: 'x', version: '0000000000000000' };
    await expect(run.propose(applyEdit, { edits: [edit] })).rejects.toThrow(textVersion(key));
  });
});
