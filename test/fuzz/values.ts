import fc, { type Arbitrary } from 'fast-check';

/** Text that is hard to show, to compare, to encode or to bear. */
export const text: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\0',
      '\n',
      '\r\n',
      '\uD800',
      'a\uDFFFb',
      '\u{202E}evil',
      'a\u{200B}b',
      '\u{FEFF}',
      '\u{1b}]8;;http://x\u{7}',
      'e\u{301}'.repeat(50),
      '\u{E0041}',
      '__proto__',
      'constructor',
      '$(touch x)',
      '`touch x`',
      '--pre=touch x',
      '%00',
      '%2e%2e',
      '[redacted:token:00000000]',
      '<img src=x onerror=window.pwned=1>',
      '${7*7}',
      '{{x}}',
      'null',
      'NaN',
      '-0',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(5000, 9000, 70_000, 200_000).map((length) => 'x'.repeat(length)) },
);

/** `__proto__` and its like among the keys; own members, as JSON makes them. */
const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'then', 'toJSON', 'length', 'path'),
  fc.string({ maxLength: 5 }),
);

export const json: Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Around the limits of depth (32) and of members (10,000). */
export const nested: Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(25, 29, 33, 60), fc.boolean())
  .map(([depth, isList]) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
    return value;
  });
export const large: Arbitrary<unknown> = fc
  .constantFrom(600, 9900, 10_500)
  .map((length) => Array.from({ length }, () => 1));
