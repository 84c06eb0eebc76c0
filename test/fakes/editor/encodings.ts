import type * as vscode from 'vscode';
import { editor } from './editor.ts';

type Options = { readonly encoding?: string; readonly uri?: vscode.Uri } | undefined;

/** The characters of Windows-1252 from 0x80 to 0x9f, as the editor has them; U+FFFD where there is none. */
const upper = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ';

/** Decodes as the editor does: what does not fit becomes U+FFFD. Encodings without a row here are Latin-1. */
export async function decode(bytes: Uint8Array, options?: Options): Promise<string> {
  const encoding = chosen(options);
  const buffer = Buffer.from(bytes);
  if (encoding === 'utf8') return new TextDecoder('utf-8').decode(buffer);
  if (encoding === 'shiftjis') return new TextDecoder('shift_jis').decode(buffer);
  const latin = buffer.toString('latin1');
  return encoding === 'windows1252'
    ? latin.replaceAll(/[\x80-\x9f]/g, (each) => upper[each.charCodeAt(0) - 0x80] ?? '')
    : latin;
}

/** Encodes as the editor does: a character that the encoding lacks becomes a question mark. */
export async function encode(text: string, options?: Options): Promise<Uint8Array> {
  const encoding = chosen(options);
  if (encoding === 'utf8') return Buffer.from(text);
  return Buffer.concat(Array.from(text, (character) => encodeOne(character, encoding)));
}

function encodeOne(character: string, encoding: string): Buffer {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return Buffer.from([code]);
  if (encoding === 'shiftjis') return shiftJis().get(character) ?? Buffer.from('?');
  const at = encoding === 'windows1252' && character !== '\uFFFD' ? upper.indexOf(character) : -1;
  if (at >= 0) return Buffer.from([0x80 + at]);
  const isC1 = encoding === 'windows1252' && code < 0xa0;
  return code < 0x100 && !isC1 ? Buffer.from([code]) : Buffer.from('?');
}

let shiftJisBytes: Map<string, Buffer> | undefined;

function shiftJis(): Map<string, Buffer> {
  if (shiftJisBytes !== undefined) return shiftJisBytes;
  const found = new Map<string, Buffer>();
  const decoder = new TextDecoder('shift_jis');
  for (let first = 0x81; first < 0xf0; first += 1) {
    for (let second = 0x40; second < 0xfd; second += 1) {
      const character = decoder.decode(Buffer.from([first, second]));
      if (character.length === 1 && !found.has(character)) found.set(character, Buffer.from([first, second]));
    }
  }
  return (shiftJisBytes = found);
}

function chosen(options: Options): string {
  if (options?.encoding !== undefined) return options.encoding;
  if (editor.settings.get('files.autoGuessEncoding') === true) return editor.guessedEncoding;
  const languages = editor.languageEncodings.find(([ending]) => options?.uri?.path.endsWith(ending) === true);
  const setting = editor.settings.get('files.encoding');
  return languages?.[1] ?? (typeof setting === 'string' ? setting : 'utf8');
}
