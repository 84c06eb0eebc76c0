import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageLines } from '#bridge/messageLines.ts';

function read(chunks: readonly Buffer[], maximumBytes?: number): string[] {
  const seen: string[] = [];
  const lines = new MessageLines({
    onLine: (line) => seen.push(line),
    onUnreadable: (problem) => seen.push(`<${problem}>`),
    ...(maximumBytes !== undefined && { maximumBytes }),
  });
  for (const chunk of chunks) lines.push(chunk);
  lines.end();
  return seen;
}

/** The bytes cut into pieces at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const inside = places.map((place) => place % (bytes.length + 1)).toSorted((one, other) => one - other);
  return [0, ...inside].map((start, index) => bytes.subarray(start, inside[index] ?? bytes.length));
}

describe('messages on lines', () => {
  it('law: the same lines however the bytes are cut', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .filter((text) => !text.includes('\n') && text.trim() !== '');
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, places) => {
        const expected = texts.map((text) => text.replace(/^\ufeff/, ''));
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        expect(read(cut(bytes, places))).toEqual(expected);
      }),
    );
  });

  it('law: lines that are too long are refused alone, however the bytes are cut', () => {
    const line = fc.nat(12).map((length) => 'x'.repeat(length + 1));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, places) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        expect(read(cut(bytes, places), 8)).toEqual(texts.map((text) => (text.length > 8 ? '<tooLong>' : text)));
      }),
    );
  });

  it('passes over empty lines, takes CR LF, a byte order mark and a last line without an end', () => {
    expect(read([Buffer.from('\ufeff{}\r\n\n \r\n[]\n"last"')])).toEqual(['{}\r', '[]', '"last"']);
  });

  it('refuses what is not UTF-8, and goes on', () => {
    expect(read([Buffer.from([0xc3]), Buffer.from([0x28, 0x0a, 0x31, 0x0a])])).toEqual(['<notUtf8>', '1']);
  });
});
