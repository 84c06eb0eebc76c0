import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Uri } from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { resolveAddress } from '#call/resolve.ts';
import { locate } from '#files/disk.ts';
import { files } from '#files/editor/files.ts';
import { decodeText, encodeText, guessText, isEncoded, keepsBytes } from '#files/editor/textEncoding.ts';
import { editTo, readEditable } from '#tools/edit/editableText.ts';
import { FakeDocument } from '../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { folderAt } from '../../fakes/workspace.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-encodings-')));
  resetEditor();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const cafe = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
const uri = Uri.file('/w/a.txt');

async function place(bytes: Uint8Array, name = 'a.txt'): Promise<ResolvedPath> {
  writeFileSync(join(root, name), bytes);
  const workspace = { folders: () => [folderAt(root)] };
  const pathRules = { home: '/nowhere', privateFolders: [] };
  return resolveAddress(name, { files: { locate }, workspace, pathRules, purpose: 'change' });
}

describe('F7: a text in an encoding that is not Unicode', () => {
  it('is read and edited in the encoding that the settings of its folder name', async () => {
    editor.settings.set('files.encoding', 'windows1252');
    const path = await place(cafe);
    const base = await readEditable(path, files);
    expect(base).toMatchObject({ text: 'café\n', encoding: 'windows1252' });
    const { result } = await editTo(path, base, `${base.text}naïve €\n`, files);
    expect(await encodeText(result.text, result.encoding)).toEqual(
      Buffer.concat([cafe, Buffer.from([0x6e, 0x61, 0xef, 0x76, 0x65, 0x20, 0x80, 0x0a])]),
    );
    await expect(editTo(path, base, '日本\n', files)).rejects.toMatchObject({ code: 'undecodable' });
  });

  it('is read in the encoding that the editor guesses, and named by a round trip', async () => {
    editor.settings.set('files.autoGuessEncoding', true);
    editor.guessedEncoding = 'shiftjis';
    const bytes = await encodeText('日本語\r\n', 'shiftjis');
    expect(bytes).toBeDefined();
    const base = await readEditable(await place(bytes ?? cafe), files);
    expect(base).toMatchObject({ text: '日本語\r\n', encoding: 'shiftjis' });
    expect(base.encodingDoubt).toBeUndefined();
  });

  it('is read in the encoding that the settings give to its language', async () => {
    editor.languageEncodings = [['.bat', 'windows1252']];
    expect(await readEditable(await place(cafe, 'run.bat'), files)).toMatchObject({ text: 'café\n' });
  });

  it('is shown in a likely encoding when no setting tells it, and an edit is refused with the reason', async () => {
    const path = await place(cafe);
    expect(await files.readText(path, 1000)).toMatchObject({ text: 'café\n', encodingDoubt: 'guessed' });
    const refusal = expect(readEditable(path, files)).rejects;
    await refusal.toMatchObject({ code: 'undecodable', message: expect.stringContaining('not UTF-8') });
  });

  it('is not edited when the editor holds it in an encoding that loses bytes', async () => {
    const path = await place(cafe);
    const document = new FakeDocument(Uri.file(join(root, 'a.txt')), 'caf\uFFFD\n');
    expect(document.encoding).toBe('utf8');
    const refusal = expect(readEditable(path, files)).rejects;
    await refusal.toMatchObject({
      code: 'undecodable',
      message: expect.stringContaining('cannot represent its bytes'),
    });
    expect(readFileSync(join(root, 'a.txt'))).toEqual(cafe);
  });

  it('keeps the encoding of a change that was applied when the settings change later', async () => {
    const path = await place(cafe);
    expect(await files.readText(path, 1000, 'windows1252')).toMatchObject({ encoding: 'windows1252' });
    expect((await files.readText(path, 1000, 'windows1252')).encodingDoubt).toBeUndefined();
    expect(await files.readText(await place(Buffer.from('café')), 1000, 'windows1252')).toMatchObject({
      encoding: 'utf8',
    });
  });
});

describe('the round trip of encodings', () => {
  const encodings = ['utf8', 'utf8bom', 'utf16le', 'utf16be', 'windows1252', 'iso88591', 'shiftjis'];

  it('gives the same bytes again for any bytes that are decoded', async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom(...encodings),
        fc.boolean(),
        async (bytes, encoding, guesses) => {
          resetEditor();
          editor.settings.set('files.encoding', encoding);
          editor.settings.set('files.autoGuessEncoding', guesses);
          for (const state of [
            await decodeText(bytes, uri),
            await decodeText(bytes, uri, 'iso88591'),
            await guessText(bytes),
          ]) {
            if (state !== undefined) expect(await isEncoded(bytes, state)).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives the same text again for any text that an encoding can hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom(...encodings),
        async (text, encoding) => {
          resetEditor();
          editor.settings.set('files.encoding', encoding);
          const bytes = await encodeText(text, encoding);
          if (bytes === undefined) return;
          expect(await keepsBytes(bytes, encoding)).toBe(true);
          const state = await decodeText(bytes, uri, encoding);
          if (state !== undefined) expect(await isEncoded(bytes, state)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
