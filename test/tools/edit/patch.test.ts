import { createTwoFilesPatch, structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { lineText } from '#tools/edit/lineText.ts';
import { parsePatch } from '#tools/edit/patch/parsePatch.ts';
import { applyHunks } from '#tools/edit/patch/applyHunks.ts';

/** Returns the text of the only file of a patch after the patch is applied. */
function apply(base: string, patch: string): string {
  const [file] = parsePatch(patch);
  if (file === undefined || file.kind === 'create') throw new Error('Expected hunks');
  return applyHunks('f', base, lineText(base), file.hunks).text;
}

function failure(base: string, patch: string): ToolError {
  try {
    apply(base, patch);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('Expected a ToolError');
}

const header = '--- a/f\n+++ b/f\n';
const codex = (body: string): string => `*** Begin Patch\n*** Update File: f\n${body}\n*** End Patch`;
const toLf = (text: string): string => text.replaceAll(/\r\n|\r/g, '\n');

describe('the place of a hunk', () => {
  const twice = 'a\nsame\nb\na\nsame\nb\n';

  it('is where its lines are found, whatever the line number says', () => {
    expect(apply('1\n2\n3\n4\n', `${header}@@ -77,2 +77,2 @@\n 3\n-4\n+four\n`)).toBe('1\n2\n3\nfour\n');
    expect(apply('1\n2\n3\n', `${header}@@ ... @@\n-2\n+two\n`)).toBe('1\ntwo\n3\n');
  });

  it('is the one of several candidates that the line number names', () => {
    expect(apply(twice, `${header}@@ -4,3 +4,3 @@\n a\n-same\n+other\n b\n`)).toBe('a\nsame\nb\na\nother\nb\n');
  });

  it('follows the hunk above it when all line numbers are off by the same', () => {
    const patch = `${header}@@ -11 +11 @@\n-top\n+TOP\n@@ -15,3 +15,3 @@\n a\n-same\n+other\n b\n`;
    expect(apply(`top\n${twice}`, patch)).toBe('TOP\na\nsame\nb\na\nother\nb\n');
  });

  it('is refused, with the candidate lines, when neither the text nor the line number decides', () => {
    const error = failure(twice, `${header}@@ -3,3 +3,3 @@\n a\n-same\n+other\n b\n`);
    expect(error.code).toBe('ambiguous_match');
    expect(error.message).toContain('1\ta\n4\ta');
    expect(error.message).toContain('line 3 of the patch');
    expect(failure(twice, codex('@@\n-same\n+other')).code).toBe('ambiguous_match');
  });

  it('comes after the hunk above, whose last context lines it may share', () => {
    expect(apply(twice, codex('@@\n b\n-a\n+A\n same\n@@\n same\n-b\n+B'))).toBe('a\nsame\nb\nA\nsame\nB\n');
    const error = failure('1\n2\n3\n', codex('@@\n-3\n+x\n@@\n-1\n+y'));
    expect(error.code).toBe('no_match');
    expect(error.message).toContain('hunks come in the order of the file');
  });

  it('is not found when only white space differs; the nearest lines are shown', () => {
    const error = failure('if (x) {\n    y();\n}\n', `${header}@@ -2 +2 @@\n-  y();\n+  z();\n`);
    expect(error.code).toBe('no_match');
    expect(error.message).toContain('2\t    y();');
  });

  it('is not guessed when the hunk has nothing but added lines', () => {
    expect(failure('1\n2\n', `${header}@@ -1,0 +2 @@\n+x\n`).code).toBe('ambiguous_match');
    expect(failure('1\n2\n', codex('@@\n+x')).code).toBe('ambiguous_match');
    expect(apply('', `${header}@@ -0,0 +1 @@\n+x\n`)).toBe('x\n');
    expect(apply('1\n', codex('@@\n+2\n*** End of File'))).toBe('1\n2\n');
  });
});

describe('the anchor line after @@', () => {
  const classes = 'class A {\n  x = 1;\n}\nclass B {\n  x = 1;\n}\nclass C {\n  x = 1;\n}\n';

  it('selects the place in the block below it', () => {
    expect(apply(classes, codex('@@ class B {\n-  x = 1;\n+  x = 2;'))).toBe(
      'class A {\n  x = 1;\n}\nclass B {\n  x = 2;\n}\nclass C {\n  x = 1;\n}\n',
    );
    expect(apply(classes, codex('@@ class C\n-  x = 1;\n+  x = 2;'))).toContain('class C {\n  x = 2;');
  });

  it('may be given several times, outermost first', () => {
    const python = 'class A:\n  def f():\n    p\n  def g():\n    p\nclass B:\n  def f():\n    p\n  def g():\n    p\n';
    expect(apply(python, codex('@@ class B:\n@@   def f():\n-    p\n+    q'))).toBe(
      'class A:\n  def f():\n    p\n  def g():\n    p\nclass B:\n  def f():\n    q\n  def g():\n    p\n',
    );
  });

  it('is refused when it is missing from the file, stands below the hunk, or leaves several candidates', () => {
    expect(failure(classes, codex('@@ class D {\n-  x = 1;\n+  x = 2;')).message).toContain('@@ class D {');
    expect(failure('x\nclass A\n', codex('@@ class A\n-x\n+y')).message).toContain('above the line that "@@" names');
    expect(failure('class A\n  x\n  x\n', codex('@@ class A\n-  x\n+  y')).code).toBe('ambiguous_match');
    expect(failure('f()\n  x\nf()\n  x\n', codex('@@ f()\n-  x\n+  y')).code).toBe('ambiguous_match');
  });
});

describe('the end of the file', () => {
  it('has a line end or not as the markers of the patch say', () => {
    const none = '\\ No newline at end of file\n';
    expect(apply('a\nb\n', `${header}@@ -1,2 +1,2 @@\n a\n-b\n+b\n${none}`)).toBe('a\nb');
    expect(apply('a\nb', `${header}@@ -1,2 +1,2 @@\n a\n-b\n${none}+b\n`)).toBe('a\nb\n');
    expect(apply('a\r\nb', `${header}@@ -1,2 +1,3 @@\n a\n-b\n${none}+b\n+c\n${none}`)).toBe('a\r\nb\r\nc');
    expect(failure('a\nb\n', `${header}@@ -1,2 +1 @@\n a\n-b\n${none}`).message).toContain('ends with a line end');
    expect(failure('a\nb', `${header}@@ -1 +1 @@\n-a\n${none}+x\n${none}`).message).toContain(
      'not the end of the file',
    );
  });

  it('stays without a line end when the patch does not mention it', () => {
    expect(apply('a\nb', codex('@@\n a\n-b\n+c'))).toBe('a\nc');
    expect(apply('a\r\nb', codex('@@\n b\n+c'))).toBe('a\r\nb\r\nc');
    expect(apply('a\r\nb', codex('@@\n-b'))).toBe('a');
    expect(apply('b', codex('@@\n-b'))).toBe('');
  });

  it('is where the marker *** End of File says', () => {
    expect(apply('x\ny\nx\n', codex('@@\n-x\n+z\n*** End of File'))).toBe('x\ny\nz\n');
    expect(failure('x\ny\n', codex('@@\n-x\n+z\n*** End of File')).message).toContain('not the end of the file');
  });

  it('may be shown as the empty line that read_file shows', () => {
    expect(apply('a\nb\n', codex('@@\n-b\n+c\n \n*** End of File'))).toBe('a\nc\n');
    expect(apply('a\nb\n', `${header}@@ -2,2 +2,2 @@\n-b\n+c\n \n`)).toBe('a\nc\n');
  });
});

it('keeps the line ends of unchanged lines, and gives a new line that of its neighbour', () => {
  expect(apply('x\r\ny\nx\rz', codex('@@\n-x\n-y\n x\n+n'))).toBe('x\rn\rz');
  expect(apply('a\r\nb\nc\r\n', `${header}@@ -1,3 +1,4 @@\r\n a\r\n-b\r\n+B\r\n+N\r\n c\r\n`)).toBe('a\r\nB\nN\nc\r\n');
});

it('applies a diff of a file whose lines end in CR alone', () => {
  const [a, b] = ['a\rb\rc\n', 'a\rB\rc\n'];
  expect(apply(a, createTwoFilesPatch('f', 'f', a, b))).toBe(b);
});

/** Lines that look like parts of a patch, and so few others that most occur often. */
const hardLine = fc.constantFrom(
  'a',
  'b',
  '',
  '  b',
  '-- a',
  '++ b',
  '@@ -1 +1 @@',
  '*** End Patch',
  '\\ x',
  '- ',
  '-- ',
);
const plainLine = fc.constantFrom('a', 'b', 'c', 'd', '', '  b', '}');
const anyEnd = fc.constantFrom('\n', '\r\n', '\r');

function textOf(line: fc.Arbitrary<string>, end: fc.Arbitrary<string> = anyEnd): fc.Arbitrary<string> {
  return fc.tuple(fc.array(fc.tuple(line, end), { maxLength: 25 }), fc.boolean()).map(([lines, cut]) => {
    const last = lines.length - 1;
    return lines.map(([text, lineEnd], at) => (cut && at === last ? text : text + lineEnd)).join('');
  });
}

/** Two texts, mostly such that the second is the first after some changes. */
function pairOf(
  line: fc.Arbitrary<string>,
  end: fc.Arbitrary<string> = anyEnd,
): fc.Arbitrary<readonly [string, string]> {
  const changes = fc.array(fc.tuple(fc.nat(30), fc.constantFrom(0, 1), fc.array(line, { maxLength: 2 })), {
    maxLength: 4,
  });
  const changed = fc.tuple(textOf(line, end), changes, end).map(([text, all, lineEnd]) => {
    const lines = linesOf(text);
    for (const [at, removed, added] of all) lines.splice(at, removed, ...added.map((one) => one + lineEnd));
    return [text, lines.join('')] as const;
  });
  return fc.oneof(
    { weight: 3, arbitrary: changed },
    { weight: 1, arbitrary: fc.tuple(textOf(line, end), textOf(line, end)) },
  );
}

/** Lines with their ends. */
const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];

/** Returns the pairs of indices of the lines that a diff keeps, in the old and the new text. */
function keptLines(a: string, b: string, context: number): [number, number][] {
  const kept: [number, number][] = [];
  let [at, newAt] = [0, 0];
  const skipTo = (end: number): void => {
    for (; at < end; at += 1, newAt += 1) kept.push([at, newAt]);
  };
  for (const { oldStart, lines } of structuredPatch('', '', a, b, '', '', { context }).hunks) {
    skipTo(oldStart - 1);
    for (const [sign] of lines) {
      if (sign === ' ') skipTo(at + 1);
      if (sign === '-') at += 1;
      if (sign === '+') newAt += 1;
    }
  }
  skipTo(linesOf(a).length);
  return kept;
}

describe('a patch between two texts', () => {
  const context = fc.integer({ min: 1, max: 4 });

  it('turns one text into the other, and keeps the line ends of unchanged lines', () => {
    const law = fc.property(pairOf(hardLine), context, ([a, b], lines) => {
      fc.pre(toLf(a) !== toLf(b));
      const result = apply(a, createTwoFilesPatch('a/f', 'b/f', toLf(a), toLf(b), '', '', { context: lines }));
      expect(toLf(result)).toBe(toLf(b));
      const [old, now] = [linesOf(a), linesOf(result)];
      for (const [before, after] of keptLines(toLf(a), toLf(b), lines)) {
        const isLast = before === old.length - 1 || after === now.length - 1;
        // LF alone would make one line end of this one and the CR above it.
        const isPartOfCrLf = old[before] === '\n' && now[after] === '\r\n' && now[after - 1]?.endsWith('\r') === true;
        if (!isLast && !isPartOfCrLf) expect(now[after]).toBe(old[before]);
      }
    });
    fc.assert(law, { numRuns: 300 });
  });

  it('does the same when the diff was made of the bytes, with CRLF', () => {
    const pair = pairOf(hardLine, fc.constantFrom('\n', '\r\n'));
    const law = fc.property(pair, context, ([a, b], lines) => {
      fc.pre(a !== b);
      expect(toLf(apply(a, createTwoFilesPatch('f', 'f', a, b, '', '', { context: lines })))).toBe(toLf(b));
    });
    fc.assert(law, { numRuns: 150 });
  });

  it('does the same when the counts in its headers are wrong', () => {
    const law = fc.property(pairOf(plainLine), fc.nat(9), fc.nat(9), ([a, b], old, now) => {
      fc.pre(toLf(a) !== toLf(b));
      const patch = createTwoFilesPatch('a/f', 'b/f', toLf(a), toLf(b));
      const wrong = patch.replaceAll(/^@@ -(\d+),?\d* \+(\d+),?\d* @@/gm, `@@ -$1,${old} +$2,${now} @@`);
      expect(toLf(apply(a, wrong))).toBe(toLf(b));
    });
    fc.assert(law, { numRuns: 150 });
  });

  it('still applies a hunk of unique lines after other lines were inserted above', () => {
    const numbered = fc
      .uniqueArray(fc.nat(40), { maxLength: 20 })
      .map((all) => all.map((one) => `line ${one}\n`).join(''));
    const law = fc.property(numbered, numbered, fc.nat(30), (a, b, count) => {
      fc.pre(a !== b && a !== '');
      const above = 'above\r\n'.repeat(count);
      expect(apply(above + a, createTwoFilesPatch('a/f', 'b/f', a, b))).toBe(above + b);
    });
    fc.assert(law);
  });

  it('turns one text into the other in the form of Codex, or is refused as ambiguous', () => {
    const seen = new Set<string>();
    const law = fc.property(pairOf(hardLine), context, ([a, other], lines) => {
      // The form cannot say that a line end at the end of the file goes or comes.
      const b = withEndOf(toLf(a), toLf(other));
      fc.pre(toLf(a) !== b && a !== '');
      try {
        expect(toLf(apply(a, codexPatch(toLf(a), b, lines)))).toBe(b);
        seen.add('applied');
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        expect(error.code).toBe('ambiguous_match');
        seen.add('ambiguous');
      }
    });
    fc.assert(law, { numRuns: 300 });
    expect(seen.size).toBe(2);
  });

  it('applies or says what was expected when it is cut off anywhere', () => {
    const whole = createTwoFilesPatch('a/f', 'b/f', 'a\nb\nc\n', 'a\nB\nc\nd\n') + codex('@@ a\n-b\n+B');
    const law = fc.property(fc.array(fc.nat(whole.length), { minLength: 1, maxLength: 6 }), (cuts) => {
      const patch = cuts.map((cut, at) => whole.slice(cut, cut + 40 * (at + 1))).join('\n');
      expect(isAnswered('a\nb\nc\n', patch)).toBe(true);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

/** Expects that a patch applies or is refused with a ToolError. */
function isAnswered(base: string, patch: string): boolean {
  try {
    for (const file of parsePatch(patch)) if (file.kind !== 'create') applyHunks('f', base, lineText(base), file.hunks);
    return true;
  } catch (error) {
    return error instanceof ToolError || error instanceof InvalidArgumentsError;
  }
}

/** `text` with a line end at its end exactly when `like` has one. */
function withEndOf(like: string, text: string): string {
  if (like.endsWith('\n')) return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return text.replace(/\n+$/, '');
}

function codexPatch(a: string, b: string, context: number): string {
  const { hunks } = structuredPatch('', '', a, b, '', '', { context });
  return codex(
    hunks.map(({ lines }) => ['@@', ...lines.filter((line) => !line.startsWith('\\'))].join('\n')).join('\n'),
  );
}

describe('H16 the search for the place of a hunk', () => {
  const megabyte = 1_000_000;
  const manyLines = 300_000;
  const spaces = ' '.repeat(megabyte);
  it.each([
    ['many places', 'a\n'.repeat(manyLines), codex('@@\n-a\n+b\n'.repeat(megabyte / 9))],
    ['one long hunk of equal lines', 'a\n'.repeat(manyLines), codex(`@@\n${'-a\n'.repeat(megabyte / 3)}-b\n+c`)],
    ['many hunks of frequent lines', pairs(500), codex(pairHunks(500, megabyte))],
    ['many anchors', 'f()\n'.repeat(manyLines), codex(`${'@@ f()\n'.repeat(megabyte / 7)}-x\n+y`)],
    ['nothing near', 'ab cd ef\n'.repeat(manyLines), codex('@@\n-something else altogether\n+x')],
    ['equal lines that are nearly there', 'a\n'.repeat(manyLines), codex(`@@\n${'-A\n'.repeat(100)}+x`)],
    ['blank lines', 'a\n', '\n'.repeat(megabyte)],
    ['headers without hunks', 'a\n', header.repeat(megabyte / header.length)],
    ['hunks without lines', 'a\n', header + '@@ -1 +1 @@\n'.repeat(megabyte / 12)],
    ['a wide @@', 'a\n', `${header}@@${spaces}x\n-a\n+b\n`],
    ['a wide name', 'a\n', `--- a/f${spaces}x\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n`],
    ['a quoted name', 'a\n', `--- "${'\\a'.repeat(megabyte / 2)}"\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n`],
    ['a wide git header', 'a\n', `diff --git ${'"a '.repeat(megabyte / 3)}\n${header}@@ -1 +1 @@\n-a\n+b\n`],
    ['wide marks', 'a\n', `*** Begin Patch\n${spaces}*** Update File: f\n@@\n-a\n+b\n*** End Patch`],
  ])('ends soon with a result or a refusal for %s', (_, base, patch) => {
    const before = process.cpuUsage();
    expect(isAnswered(base, patch)).toBe(true);
    // Processor time: a busy machine is not a slow search.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });

  it('gives up when it takes too long', () => {
    const patch = codex(`${'@@ f()\n'.repeat(1000)}-x\n+y`);
    expect(failure('f()\n'.repeat(manyLines), patch).code).toBe('too_large');
  });
});

/** Every pair of neighbours occurs once, and every line as often as there are lines. */
function pairs(count: number): string {
  const lines: string[] = [];
  for (let a = 0; a < count; a += 1) for (let b = a; b < count; b += 1) lines.push(String(a), String(b));
  return lines.join('\n');
}

function pairHunks(count: number, bytes: number): string {
  let hunks = '';
  for (let a = 0; hunks.length < bytes; a = (a + 1) % count) {
    for (let b = a + 1; b < count && hunks.length < bytes; b += 7) hunks += `@@\n ${a}\n ${b}\n+x\n`;
  }
  return hunks;
}
