import { describe, expect, test } from 'vitest';
import { readParts, readRegisteredResult } from '#editor/otherTools/resultParts.ts';

const bytes = new Uint8Array([1, 2, 3]);

describe('the result of a tool of the editor', () => {
  test('joins texts with line ends', () => {
    expect(readParts([{ value: 'one' }, { value: 'two' }])).toEqual({ text: 'one\ntwo', media: [] });
  });

  test('reads trees of prompt-tsx as text, and other values as JSON', () => {
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'one' },
          { type: 1, children: [{ type: 2, text: 'two', lineBreakBefore: true }] },
        ],
      },
    };
    expect(readParts([{ value: tree }, { value: { count: 2 } }]).text).toBe('one\ntwo\n{"count":2}');
  });

  test('reads images and sounds as media and texts as text, and names other bytes', () => {
    const { text, media } = readParts([
      { data: bytes, mimeType: 'image/png' },
      { data: bytes, mimeType: 'audio/wav' },
      { data: new TextEncoder().encode('{"a":1}'), mimeType: 'application/json' },
      { data: bytes, mimeType: 'application/zip' },
      { kind: 'new' },
      undefined,
    ]);
    expect(media).toEqual([
      { kind: 'image', mimeType: 'image/png', data: 'AQID' },
      { kind: 'audio', mimeType: 'audio/wav', data: 'AQID' },
    ]);
    expect(text).toBe(
      [
        '{"a":1}',
        '(3 bytes of application/zip are left out)',
        '(a part of a kind that is not known is left out)',
        '(a part of a kind that is not known is left out)',
      ].join('\n'),
    );
  });
});

describe('the result of a tool of an extension', () => {
  test('has text and parts', () => {
    const content = [
      { type: 'text', text: 'two' },
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
    ];
    expect(readRegisteredResult({ text: 'one', content, isError: true })).toEqual({
      text: 'one\ntwo',
      isError: true,
      media: [{ kind: 'image', mimeType: 'image/png', data: 'AQID' }],
    });
    expect(readRegisteredResult({})).toEqual({ text: '', media: [] });
  });

  test.each([['text'], [undefined], [{ content: [{ type: 'image', data: '!', mimeType: 'image/png' }] }]])(
    'is refused when it is %j',
    (result) => {
      expect(() => readRegisteredResult(result)).toThrow('no result');
    },
  );
});
