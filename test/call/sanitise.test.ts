import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { redactError } from '#call/redactResult.ts';
import { makeErrorResult, makeResult, resourceOf } from '#call/result.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { printable, wellFormedData } from '#call/sanitise.ts';

/** Text with everything that a terminal or a strict parser cannot handle. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b[31m',
      '\u001b]0;x\u0007',
      '\u0000',
      '\u007f',
      '\u009b',
      '\ud800',
      '\udc00',
      '\r',
      '\n',
      '\t',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
  maxLength: 40,
});
const file = { path: 'a', uri: 'file:///w/a' };
// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;

const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, field]: [string, unknown]) => [name, ...stringsOf(field)])
      : [];

describe('printable', () => {
  it('makes every control character except white space visible', () => {
    expect(printable('\u001b[31mred\u0007\u0000\u000b')).toBe('\u241b[31mred\u2407\u2400\u240b');
    expect(printable('\u007f\u0080\u009b2J')).toBe('\u2421\\u0080\\u009b2J');
    expect(printable('a\tb\nc\rd\fe')).toBe('a\tb\nc\rd\fe');
    expect(printable('é😀\ufeff')).toBe('é😀\ufeff');
  });

  it('law: applies to texts, errors, names and descriptions', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const links = [{ uri: file.uri, path: text, description: text }];
        const { content } = makeResult({}, { text, links }, defaultProfile);
        const error = makeErrorResult(new ToolError('internal', text, text)).content;
        for (const each of stringsOf([content, error])) {
          expect(each).not.toMatch(obeyed);
          expect(each.isWellFormed()).toBe(true);
        }
        expect(printable(printable(text))).toBe(printable(text));
      }),
    );
  });
});

describe('wellFormedData', () => {
  it('law: leaves no lone surrogate in any data, and returns the same object when there is none', () => {
    fc.assert(
      fc.property(
        fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile), fc.dictionary(hostile, hostile))),
        (data) => {
          const made = makeResult(data, { text: '' }, defaultProfile).structuredContent;
          for (const each of stringsOf(made)) expect(each.isWellFormed()).toBe(true);
          const isWhole = stringsOf(data).every((each) => each.isWellFormed());
          expect(wellFormedData(data) === data).toBe(isWhole);
          if (isWhole) expect(made).toBe(data);
        },
      ),
    );
  });

  it('writes U+FFFD, also in names of fields', () => {
    expect(wellFormedData({ 'a\ud800': ['b\udc00', 1, null, true, { c: '😀' }] })).toEqual({
      'a\ufffd': ['b\ufffd', 1, null, true, { c: '😀' }],
    });
  });

  it('keeps the control characters of a file that is read', () => {
    expect(resourceOf({ ...file, text: '\u001b[31m\ud800' })).toMatchObject({ text: '\u001b[31m\ufffd' });
    expect(makeResult({ text: '\u001b' }, { text: '' }, defaultProfile).structuredContent).toEqual({ text: '\u001b' });
  });
});

it('an error is printable in every result: its message, its hint and the problems of arguments', () => {
  const plain = new ToolError('denied', 'No.', 'Stop.');
  expect(redactError(plain).error).toBe(plain);
  expect(redactError(new ToolError('denied', 'a\u001b', 'b')).error).toMatchObject({ message: 'a\u241b', hint: 'b' });
  expect(redactError(new ToolError('denied', 'a', 'b\u001b')).error).toMatchObject({ message: 'a', hint: 'b\u241b' });
  expect(redactError(new InvalidArgumentsError('a\ud800')).error).toMatchObject({ message: 'a\ufffd' });
});
