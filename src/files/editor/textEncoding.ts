import * as vscode from 'vscode';
import type { TextState } from '#base/proposal.ts';
import { encodingSettings } from './encodingSettings.ts';

/** Byte-order marks by encoding id of the editor. A UTF-16 file always has a mark, as in the editor. */
const marks: readonly { readonly encoding: string; readonly label: string; readonly mark: readonly number[] }[] = [
  { encoding: 'utf8bom', label: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', label: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf16be', label: 'utf-16be', mark: [0xfe, 0xff] },
];

/** Encodings by which a text that the editor decoded is named, after `files.encoding`. The API decodes without naming the encoding. */
const nameable =
  'windows1252 iso88591 shiftjis eucjp gb18030 gbk big5hkscs euckr windows1251 koi8r koi8u iso88595 windows1250 iso88592 windows1253 iso88597 ' +
  'windows1255 iso88598 windows1254 iso88599 windows1256 iso88596 windows1257 windows1258 windows874 iso885915 cp437 cp850 cp852 cp865 cp866 cp1125 macroman';

/** Encodings in which a text is shown that no setting explains. Every byte is a character in the second one. */
const guesses = ['windows1252', 'iso88591'];

/**
 * Decodes bytes, only if encoding the text again gives the same bytes. Unicode is recognised by its byte-order mark or as strict
 * UTF-8; otherwise the settings of the editor decide, for the language and the folder of the file, and it may guess. Returns undefined
 * when no encoding fits.
 * @param known the encoding that the file had before; it wins over the settings, which may have changed since
 */
export async function decodeText(bytes: Uint8Array, uri: vscode.Uri, known?: string): Promise<TextState | undefined> {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const unicode = decodeStrictly(
    marked === undefined ? bytes : bytes.subarray(marked.mark.length),
    marked?.label ?? 'utf-8',
  );
  if (unicode !== undefined && marked !== undefined) return { text: unicode, encoding: marked.encoding };
  const { encoding } = encodingSettings(uri);
  // Pure ASCII is the same in every encoding. Text added to such a file must use the encoding that the user chose.
  if (unicode !== undefined && (encoding === 'utf8' || unicode.length !== bytes.length)) {
    return { text: unicode, encoding: 'utf8' };
  }
  for (const each of [known, encoding]) {
    const text = each === undefined || each.startsWith('utf') ? undefined : await decodeAs(bytes, each);
    if (text !== undefined && each !== undefined) return { text, encoding: each };
  }
  if (unicode !== undefined) return { text: unicode, encoding: 'utf8' };
  const text = await vscode.workspace.decode(bytes, { uri });
  return text.includes('\uFFFD') ? undefined : nameEncoding(bytes, text);
}

/** Decodes bytes that {@link decodeText} does not, so that a text can be shown. Nothing tells that this is its encoding. */
export async function guessText(bytes: Uint8Array): Promise<TextState | undefined> {
  for (const encoding of guesses) {
    const text = await decodeAs(bytes, encoding);
    if (text !== undefined) return { text, encoding };
  }
  return undefined;
}

/** Returns true when an editor that opens the bytes in an encoding and saves them unchanged writes the same bytes. */
export async function keepsBytes(bytes: Uint8Array, encoding: string): Promise<boolean> {
  const marked = marks.find((each) => each.encoding === encoding);
  const hasMark = marked?.mark.every((byte, index) => bytes[index] === byte) !== false;
  if (marked !== undefined) {
    return hasMark && decodeStrictly(bytes.subarray(marked.mark.length), marked.label) !== undefined;
  }
  if (encoding === 'utf8') return decodeStrictly(bytes, 'utf-8') !== undefined;
  return (await decodeAs(bytes, encoding)) !== undefined;
}

/** Returns the bytes that the editor would save, or undefined when the encoding lacks a character of the text. */
export async function encodeText(text: string, encoding: string): Promise<Uint8Array | undefined> {
  if (!text.isWellFormed()) return undefined;
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf8bom') return Buffer.from(`\uFEFF${text}`);
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (encoding === 'utf16be') return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text ? bytes : undefined;
}

/** Returns true when the bytes are exactly those of a text in its encoding, whatever the settings say now. */
export async function isEncoded(bytes: Uint8Array, { text, encoding }: TextState): Promise<boolean> {
  const expected = await encodeText(text, encoding);
  return expected !== undefined && Buffer.from(bytes).equals(expected);
}

/** Decodes bytes in an encoding that only the editor knows, only if encoding the text again gives the same bytes. */
async function decodeAs(bytes: Uint8Array, encoding: string): Promise<string | undefined> {
  const text = await vscode.workspace.decode(bytes, { encoding });
  return !text.includes('\uFFFD') && (await isEncoded(bytes, { text, encoding })) ? text : undefined;
}

/** Finds an encoding in which a text that the editor decoded has exactly these bytes. */
async function nameEncoding(bytes: Uint8Array, text: string): Promise<TextState | undefined> {
  const first = text.search(/[^\0-\x7f]/);
  const sample = text.slice(Math.max(0, first), Math.max(0, first) + 200).toWellFormed();
  const buffer = Buffer.from(bytes);
  for (const encoding of nameable.split(' ')) {
    // The sample rules out most encodings without decoding the whole text.
    const part = await encodeText(sample, encoding);
    if (part !== undefined && buffer.includes(Buffer.from(part)) && (await isEncoded(bytes, { text, encoding }))) {
      return { text, encoding };
    }
  }
  return undefined;
}

function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
