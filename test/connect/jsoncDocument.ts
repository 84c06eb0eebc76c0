import * as fc from 'fast-check';

/** Whatever may stand between two tokens: white space and comments, some of which look like JSON. */
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n    ') },
  { weight: 1, arbitrary: fc.constantFrom(' // "a": {},\n', '/* } , */', ' /* "drawbridge": 1\n */ ', '// ]\r\n') },
);
const key = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('url', 'command', 'a.b', '__proto__', 'toString'));

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)).map((plain) => JSON.stringify(plain)),
    tie('array'),
    tie('object'),
  ),
  array: listText('[', ']', tie('value')),
  object: objectText(fc.constant([]), tie('value')),
}));

/** JSON with comments and trailing commas, whose root may have servers already; never one of ours. */
export const jsoncDocument: fc.Arbitrary<string> = fc
  .tuple(
    gap,
    objectText(
      fc.option(serversText(), { nil: undefined }).map((own) => (own === undefined ? [] : [own])),
      value,
    ),
    gap,
  )
  .map((parts) => parts.join(''));

function serversText(): fc.Arbitrary<readonly [string, string]> {
  return objectText(fc.constant([]), objectText(fc.constant([]), value)).map((text) => ['mcpServers', text] as const);
}

/** An object of distinct keys, some of which have to be there. */
function objectText(
  fixed: fc.Arbitrary<readonly (readonly [string, string])[]>,
  inner: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const others = fc.uniqueArray(fc.tuple(key, inner), { maxLength: 4, selector: ([name]) => name });
  const pairs = fc.tuple(fixed, others, fc.integer({ min: 0, max: 4 })).map(([own, rest, at]) => {
    const free = rest.filter(([name]) => name !== 'mcpServers' && name !== 'drawbridge');
    return [...free.slice(0, at), ...own, ...free.slice(at)];
  });
  return pairs
    .chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.array(gap, { minLength: all.length * 4 + 1, maxLength: all.length * 4 + 1 }),
        fc.boolean(),
      ),
    )
    .map(([all, gaps, hasTrailingComma]) => {
      const texts = all.map(([name, text], index) => {
        const [before, beforeColon, afterColon, after] = gaps.slice(index * 4);
        const comma = index < all.length - 1 || hasTrailingComma ? ',' : '';
        return `${before}${JSON.stringify(name)}${beforeColon}:${afterColon}${text}${after}${comma}`;
      });
      return `{${texts.join('')}${gaps.at(-1) ?? ''}}`;
    });
}

function listText(open: string, close: string, inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const items = fc.array(fc.tuple(gap, inner, gap), { maxLength: 3 });
  return items.map((all) => `${open}${all.map((parts) => parts.join('')).join(',')}${close}`);
}
