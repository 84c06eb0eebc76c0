import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from '#audit/redactText.ts';
import { textVersion } from '#audit/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { createFile } from '#tools/edit/createFile.ts';
import { characters, githubToken, keyLines, keyPieces, privateKey } from '../../fakes/secrets.ts';
import { ToolRun } from '../workspace/toolRun.ts';
import { ProposeRun } from './proposeRun.ts';

const base = `const a = 1;\nconst token = '${githubToken}';\nconst b = 2;\n`;
const key = `first\n${privateKey}\nlast\n`;

/** Returns what a model reads of the file, and a run in which the model edits that file. */
async function read(text: string) {
  const shown = await new ToolRun({ '/w/a.ts': text }).textOf({ path: 'a.ts' });
  return { run: new ProposeRun({ '/w/a.ts': text, '/w/b.ts': 'b\n' }), lines: shown.text.split('\n'), shown };
}

const line = "const token = '[redacted:github_token#1]';";
const other = `ghp_${characters(52)}`;

/** Returns the text that edits of a.ts propose for it. */
async function resultOf(text: string, ...edits: readonly object[]): Promise<string | undefined> {
  const { run } = await read(text);
  const { files } = await run.propose(applyEdit, { edits: edits.map((edit) => ({ path: 'a.ts', ...edit })) });
  const [file] = files;
  return file?.kind === 'edit' ? file.result.text : undefined;
}

describe('A30: an edit of a file with a secret', () => {
  it('keeps the bytes of the secret for its marker, and deletes the secret where the marker is left out', async () => {
    const renamed = { oldText: line, newText: line.replace('token =', 'key =') };
    expect(await resultOf(base, renamed)).toBe(base.replace('token =', 'key ='));
    expect(await resultOf(base, { oldText: `${line}\nconst b = 2;\n`, newText: '' })).toBe('const a = 1;\n');
    expect(await resultOf(base, { oldText: '[redacted:github_token#1]', newText: 'env' })).toBe(
      base.replace(githubToken, 'env'),
    );
    const crlf = base.replaceAll('\n', '\r\n');
    expect(await resultOf(crlf, renamed)).toBe(crlf.replace('token =', 'key ='));
  });

  it('moves a secret between two edits of one call, in any order, and by line numbers', async () => {
    const away = { oldText: `${line}\n`, newText: '' };
    const back = { oldText: 'const b = 2;', newText: `const b = 2;\n${line}` };
    const moved = `const a = 1;\nconst b = 2;\nconst token = '${githubToken}';\n`;
    expect(await resultOf(base, away, back)).toBe(moved);
    const { shown } = await read(base);
    const whole = `const a = 1;\nconst b = 2;\n${line}`;
    expect(await resultOf(base, { firstLine: 1, lastLine: 3, newText: whole, version: shown.version })).toBe(moved);
  });

  it('keeps a key of many lines, and deletes all of its lines or none', async () => {
    const { shown } = await read(key);
    const { version } = shown;
    const lines = shown.text.split('\n');
    const indented = lines.map((one) => `  ${one}`);
    const whole = { firstLine: 1, lastLine: 23, newText: ['new', ...lines.slice(1, 23)].join('\n'), version };
    expect(await resultOf(key, whole)).toBe(key.replace('first', 'new'));
    expect(await resultOf(key, { firstLine: 3, lastLine: 22, newText: 'gone', version })).toBe(
      key.replace(keyLines.join('\n'), 'gone'),
    );
    const { run } = await read(key);
    for (const edit of [
      { firstLine: 5, lastLine: 5, newText: 'gone' },
      { firstLine: 2, lastLine: 2, newText: '-----BEGIN NOTHING-----' },
      { firstLine: 23, lastLine: 23, newText: '' },
      { firstLine: 3, lastLine: 4, newText: indented.slice(2, 4).join('\n') },
    ]) {
      expect(await run.codeOf(applyEdit, { edits: [{ path: 'a.ts', version, ...edit }] })).toBe('redacted_text');
    }
  });

  it.each([
    ['of the name before it', `secret_access_key = "${characters(40)}"`, 'secret_access_key', 'x'],
    ['of its scheme', `headers = { Authorization: "Bearer ${characters(30)}" }`, 'Bearer', 'Basic'],
    ['right before it', `x = ghp_${characters(40)}`, '= ', '= z'],
    ['of the address before it', 'url = postgres://ann:hunter2x@host/x', '://', ':/'],
  ])('is refused when it would show the secret: an edit %s', async (_, text, oldText, newText) => {
    const { run } = await read(`${text}\n`);
    expect(await run.codeOf(applyEdit, { edits: [{ path: 'a.ts', oldText, newText }] })).toBe('redacted_text');
  });

  it.each([
    ['in oldText, of another file', { oldText: '[redacted:jwt#1]', newText: 'x' }],
    ['in oldText, beyond the last one', { oldText: '[redacted:github_token#2]', newText: 'x' }],
    ['in newText, of another file', { oldText: 'const a = 1;', newText: 'const a = "[redacted:jwt#1]";' }],
    ['in newText, which is not in what is replaced', { oldText: 'const a = 1;', newText: line }],
  ])('is refused for a marker %s, and the error names the edit and what to do next', async (_, texts) => {
    const { run } = await read(base);
    const edits = [
      { path: 'b.ts', oldText: 'b', newText: 'c' },
      { path: 'a.ts', ...texts },
    ];
    await expect(run.propose(applyEdit, { edits })).rejects.toMatchObject({
      code: 'redacted_text',
      message: expect.stringMatching(/a\.ts.*nothing was changed/),
      hint: expect.stringContaining('marker'),
    });
  });

  it('finds no text inside the secret, and no part of a marker', async () => {
    const { run } = await read(base);
    const pieces = [
      githubToken,
      githubToken.slice(0, 4),
      githubToken.slice(9, 14),
      `'${githubToken[0]}`,
      'redacted',
      '#1]',
    ];
    for (const oldText of pieces) {
      for (const newText of ['x', oldText]) {
        expect(await run.codeOf(applyEdit, { edits: [{ path: 'a.ts', oldText, newText }] }), oldText).toBe('no_match');
      }
    }
    const same = { path: 'a.ts', oldText: line, newText: line };
    await expect(run.propose(applyEdit, { edits: [same] })).rejects.toThrow('exactly as it is');
  });

  it('is proposed for a guess of the secret, whether the guess is right or not', async () => {
    for (const guess of [githubToken, other]) {
      const { run, shown } = await read(base);
      const edit = { path: 'a.ts', oldText: line, newText: line.replace(/\[.*\]/, guess) };
      expect(await run.codeOf(applyEdit, { edits: [edit] })).toBe('proposed');
      const content = shown.text.replace(/\[redacted.*?\]/, guess);
      expect(await run.codeOf(createFile, { path: 'a.ts', content, overwrite: true })).toBe('proposed');
      const patch = `--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n const a = 1;\n-${line}\n+${edit.newText}\n const b = 2;\n`;
      expect(await run.codeOf(applyEdit, { patch })).toBe('proposed');
    }
  });

  it.each([
    [
      'context',
      `@@ -1,3 +1,3 @@\n-const a = 1;\n+let a = 1;\n ${line}\n const b = 2;\n`,
      base.replace('const a', 'let a'),
    ],
    ['a removed line', `@@ -1,3 +1,2 @@\n const a = 1;\n-${line}\n const b = 2;\n`, 'const a = 1;\nconst b = 2;\n'],
    [
      'a changed line',
      `@@ -1,3 +1,3 @@\n const a = 1;\n-${line}\n+${line.replace('const', 'let')}\n const b = 2;\n`,
      base.replace('const token', 'let token'),
    ],
  ])('takes a patch whose %s has the marker', async (_, hunk, expected) => {
    const { run } = await read(base);
    const { files } = await run.propose(applyEdit, { patch: `--- a/a.ts\n+++ b/a.ts\n${hunk}` });
    expect(files).toMatchObject([{ result: { text: expected } }]);
  });

  it.each([
    [
      'removes the secret itself',
      `--- a/a.ts\n+++ b/a.ts\n@@ -2,1 +2,0 @@\n-const token = '${githubToken}';\n`,
      'no_match',
    ],
    [
      'adds the marker once more',
      `*** Begin Patch\n*** Update File: a.ts\n@@\n const a = 1;\n+${line}\n*** End Patch`,
      'redacted_text',
    ],
    ['adds a file with the marker', `*** Begin Patch\n*** Add File: c.ts\n+${line}\n*** End Patch`, 'redacted_text'],
  ])('refuses a patch that %s', async (_, patch, code) => {
    const { run } = await read(base);
    expect(await run.codeOf(applyEdit, { patch })).toBe(code);
  });

  it('takes the content of the whole file with its markers, and refuses them in a new file', async () => {
    const { run, shown } = await read(base);
    expect(await run.codeOf(createFile, { path: 'c.ts', content: shown.text })).toBe('redacted_text');
    const again = { path: 'a.ts', content: shown.text, overwrite: true };
    await expect(run.propose(createFile, again)).rejects.toThrow('already has exactly this content');
    const { files } = await run.propose(createFile, { ...again, content: `// new\n${shown.text}` });
    expect(files).toMatchObject([{ result: { text: `// new\n${base}` } }]);
    const shownThen = { ...again, content: 'x = [redacted:github_token#1]z' };
    expect(await run.codeOf(createFile, shownThen)).toBe('redacted_text');
  });

  it('answers the same for files that differ only in the secret, whatever is edited', async () => {
    const template = (secret: string, password: string): string =>
      `const a = '${secret}'; const b = "${secret.slice(0, 3)}";\nurl = "postgres://ann:${password}@host/x";\nlast\n`;
    const texts = [
      template(githubToken, 'hunter2x'),
      template(`ghp_${characters(37).slice(1)}`, 'hunter3y'),
      template(other, 'a-longer-password'),
    ];
    const shown = (await read(texts[0] ?? '')).shown;
    const markers = ['[redacted:github_token#1]', '[redacted:password#2]', '[redacted:github_token#2]'];
    const words = ["'", '"', 'ghp_', 'a', '://', 'ann:', '@host', 'const a', 'last', '\n', ' ', 'hunter2x', 'hunter'];
    const parts = fc.constantFrom(...markers, ...words, githubToken, githubToken.slice(4, 9));
    const text = fc.array(parts, { maxLength: 4 }).map((all) => all.join(''));
    const slice = fc
      .tuple(fc.nat(shown.text.length), fc.nat(60))
      .map(([at, length]) => shown.text.slice(at, at + length));
    const edit = fc.oneof(
      fc.record({ oldText: fc.oneof(text, slice), newText: fc.oneof(text, slice), replaceAll: fc.boolean() }),
      fc
        .record({ firstLine: fc.integer({ min: 1, max: 4 }), newText: fc.oneof(text, slice) })
        .map((one) => ({ ...one, lastLine: one.firstLine, version: shown.version })),
    );
    const answer = async (base_: string, edits: readonly object[]): Promise<string> => {
      const { run } = await read(base_);
      try {
        const { files } = await run.propose(applyEdit, { edits: edits.map((one) => ({ path: 'a.ts', ...one })) });
        const [file] = files;
        return redactText(file?.kind === 'edit' ? file.result.text : '').text;
      } catch (error) {
        return error instanceof Error ? error.message : 'no error';
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const [first, ...others] = await Promise.all(texts.map((one) => answer(one, edits)));
        for (const each of others) expect(each).toBe(first);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('redacted_text: the text of a marker', () => {
  it('is proposed when the file itself holds the text of the marker', async () => {
    const text = 'before [redacted:jwt:0123abcd] after\nlast\n';
    const { run, shown } = await read(text);
    expect(shown.text).toBe(text);
    const edit = { path: 'a.ts', oldText: '[redacted:jwt:0123abcd] after', newText: 'x [redacted:jwt:0123abcd]' };
    const { files } = await run.propose(applyEdit, { edits: [edit] });
    expect(files).toMatchObject([{ result: { text: 'before x [redacted:jwt:0123abcd]\nlast\n' } }]);
    const another = { ...edit, newText: '[redacted:jwt:00000000]' };
    expect(await run.codeOf(applyEdit, { edits: [another] })).toBe('redacted_text');
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
    ['the nearest text of a hunk', { patch: `${header}@@ -1,3 +1,2 @@\n first\n-----BEGIN PRIVATE KEY-----\n-x\n` }],
  ])('redacts the secret in %s', async (_, input) => {
    const run = new ProposeRun({ '/w/a.ts': `first\n${privateKey}\nlast\n${privateKey}\n` });
    const error: unknown = await run.propose(applyEdit, input).catch((thrown: unknown) => thrown);
    if (!(error instanceof ToolError)) throw new Error('It was not refused', { cause: error });
    expect(error.message).toContain('[redacted:private_key#');
    expect(keyPieces.filter((piece) => error.message.includes(piece))).toEqual([]);
  });

  it('shows the version that a read gives', async () => {
    const run = new ProposeRun({ '/w/a.ts': key });
    const edit = { path: 'a.ts', firstLine: 1, lastLine: 1, newText: 'x', version: '0000000000000000' };
    await expect(run.propose(applyEdit, { edits: [edit] })).rejects.toThrow(textVersion(key));
  });
});
