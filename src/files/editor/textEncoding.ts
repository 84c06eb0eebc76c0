import * as vscode from 'vscode';
import type { TextState } from '#base/proposal.ts';
import { encodingSettings } from './encodingSettings.ts';

/** Byte-order marks by encoding id of the editor. A UTF-16 file always has a mark, as in the editor. */
const marks: readonly { readonly encoding: string; readonly label: string; readonly mark: readonly number[] }[] = [
  { encoding: 'utf8bom', label: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', label: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf16be', label: 'utf-16be', mark: [0xfe, 0xff] },
];

/**
 * Decodes bytes, only if encoding the text again gives the same bytes. Unicode is recognised by its byte-order mark or as strict
 * UTF-8; otherwise `files.encoding` and `files.autoGuessEncoding` decide. Returns undefined when no encoding fits.
 */
export async function decodeText(bytes: Uint8Array, uri: vscode.Uri): Promise<TextState | undefined> {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const unicode = decodeStrictly(
    marked === undefined ? bytes : bytes.subarray(marked.mark.length),
    marked?.label ?? 'utf-8',
  );
  if (unicode !== undefined && marked !== undefined) return { text: unicode, encoding: marked.encoding };
  const { encoding, guesses } = encodingSettings(uri);
  // Pure ASCII is the same in every encoding. Text added to such a file must use the encoding that the user chose.
  if (unicode !== undefined && (encoding === 'utf8' || unicode.length !== bytes.length)) {
    return { text: unicode, encoding: 'utf8' };
  }
  if (encoding === 'utf8' && !guesses) return undefined;
  const text = await (guesses ? vscode.workspace.decode(bytes, { uri }) : vscode.workspace.decode(bytes, { encoding }));
  const again = await encodeText(text, encoding);
  if (again !== undefined && Buffer.from(bytes).equals(again)) return { text, encoding };
  return unicode === undefined ? undefined : { text: unicode, encoding: 'utf8' };
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

function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
