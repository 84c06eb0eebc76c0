import { parsePatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeAsText } from '#changes/changeAsText.ts';
import { hunksBetween } from '#changes/hunks.ts';
import { reviewOf } from '#changes/review.ts';

const textOf = (base: string, result: string) => ({ base, review: reviewOf(base, hunksBetween(base, result), result) });

describe('a change as a text', () => {
  it('is a unified diff of each file', () => {
    const files = [
      { path: 'src/a.ts', change: 'edit', text: textOf('one\ntwo\nthree\nfour\n', 'one\n2\nthree\nfour\n') },
      { path: 'new.ts', change: 'create', text: textOf('', 'first\nsecond') },
      { path: 'old.ts', change: 'delete', text: textOf('gone\n', '') },
      { path: 'x.png', change: 'delete' },
      { path: 'y.png', to: 'img/y.png', change: 'move' },
    ] as const;
    expect(changeAsText(files)).toBe(`--- src/a.ts
+++ src/a.ts
@@ -1,3 +1,3 @@
 one
-two
+2
 three

--- /dev/null
+++ new.ts
@@ -0,0 +1,2 @@
+first
+second
\\ No newline at end of file

--- old.ts
+++ /dev/null
@@ -1,1 +0,0 @@
-gone

--- x.png
+++ /dev/null
The text of this file is not shown.

rename from y.png
rename to img/y.png
`);
  });

  it('marks what the user left out, and escapes hidden characters and unusual line ends', () => {
    const base = 'one\ntwo\nthree\nfour\nfive\nsix\n';
    const proposed = hunksBetween(base, '1\ntwo\nthree\nfour\nfive\nsix\u{202E}\r\n');
    const text = { base, review: reviewOf(base, proposed, base.replace('one', '1')) };
    expect(changeAsText([{ path: 'a\u{200B}.ts', change: 'edit', text }])).toBe(`--- a<U+200B>.ts
+++ a<U+200B>.ts
@@ -1,2 +1,2 @@
-one
+1
 two
@@ -5,2 +5,2 @@ left out
 five
-six
+six<U+202E><CR><LF>
`);
  });

  it('has headers that fit its lines, whatever the texts', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd'), { maxLength: 30 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (base, result) => {
        const shown = changeAsText([{ path: 'a', change: 'edit', text: textOf(base, result) }]);
        // The parser throws when a header does not fit.
        const [patch] = parsePatch(shown);
        expect(patch?.hunks.length).toBe(hunksBetween(base, result).hunks.length);
      }),
    );
  });
});
