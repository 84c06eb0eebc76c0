import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SyntaxNode } from '#base/syntaxTree.ts';
import { createTestParser, testPlaces } from './testParser.ts';

const parser = createTestParser();
let folder: string;
const others: { dispose(): void }[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-syntax-'));
});
afterEach(() => others.splice(0).forEach((other) => other.dispose()));
afterAll(() => {
  parser.dispose();
  rmSync(folder, { recursive: true });
});

const create = (options: Parameters<typeof createTestParser>[0]): ReturnType<typeof createTestParser> => {
  const created = createTestParser(options);
  others.push(created);
  return created;
};

/** Writes a program that stands in for the worker. */
const program = (name: string, answer: string): string => {
  const file = join(folder, name);
  writeFileSync(file, `const { parentPort } = require('node:worker_threads');\n${answer}`);
  return file;
};

const leaves = (node: SyntaxNode): readonly SyntaxNode[] =>
  node.children.length === 0 ? [node] : node.children.flatMap(leaves);

describe('the syntax parser', () => {
  it('returns kinds, fields and offsets in UTF-16 units when it parses a bash command', async () => {
    const text = 'echo "😀" > ö.txt';
    const tree = await parser.parse('bash', text);
    const [statement] = tree?.root.children ?? [];
    expect(tree?.language).toBe('bash');
    expect(statement?.kind).toBe('redirected_statement');
    expect(statement?.children.map(({ field }) => field)).toEqual(['body', 'redirect']);
    expect(leaves(tree?.root ?? failure()).map(({ isNamed }) => isNamed)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(leaves(tree?.root ?? failure()).map(({ start, end }) => text.slice(start, end))).toEqual([
      'echo',
      '"',
      '😀',
      '"',
      '>',
      'ö.txt',
    ]);
  });

  it('parses PowerShell and bash in turns when both are asked for at once', async () => {
    const trees = await Promise.all([
      parser.parse('powershell', 'Get-Content a.txt'),
      parser.parse('bash', 'cat a.txt'),
      parser.parse('powershell', 'Remove-Item a.txt'),
    ]);
    expect(trees.map((tree) => tree?.root.kind)).toEqual(['program', 'program', 'program']);
    expect(trees.map((tree) => tree?.root.end)).toEqual([17, 9, 17]);
  });

  it('marks the tree when the text has an error or lacks a token', async () => {
    const broken = await parser.parse('bash', 'ls )(');
    expect(broken?.root.hasError).toBe(true);
    const open = await parser.parse('bash', 'echo $(ls');
    expect(open?.root.hasError).toBe(true);
    expect(leaves(open?.root ?? failure()).some(({ isMissing }) => isMissing)).toBe(true);
  });

  it('returns nothing when the text is longer than the limit', async () => {
    expect(await parser.parse('bash', `ls ${'x'.repeat(64 * 1024)}`)).toBeUndefined();
    expect(await create({ longestText: 4 }).parse('bash', 'ls -l')).toBeUndefined();
  });

  it('returns nothing when the tree exceeds its bounds, and goes on with the next text', async () => {
    const small = create({ bounds: { nodes: 20, depth: 6 } });
    expect(await small.parse('bash', 'ls;'.repeat(20))).toBeUndefined();
    expect(await small.parse('bash', '( ( ( ( ( ( ls ) ) ) ) ) )')).toBeUndefined();
    expect(await small.parse('bash', 'ls')).toBeDefined();
    expect(await parser.parse('bash', `${'( '.repeat(600)}ls${' )'.repeat(600)}`)).toBeUndefined();
    expect(await parser.parse('bash', 'ls')).toBeDefined();
  });

  it('returns nothing at once when the signal aborts', async () => {
    expect(await parser.parse('bash', 'ls', AbortSignal.abort())).toBeUndefined();
    const silent = create({ program: program('silent.cjs', 'parentPort.on("message", () => {});') });
    const controller = new AbortController();
    const parsed = silent.parse('bash', 'ls', controller.signal);
    controller.abort();
    expect(await parsed).toBeUndefined();
  });

  it('ends the worker when a text takes too long, and starts another for the next text', async () => {
    const busy = `
      parentPort.on('message', ({ text }) => {
        if (text === 'loop') for (;;) {}
        parentPort.postMessage({ kind: 'tree', tree: { language: 'bash', root: text } });
      });
      parentPort.postMessage({ kind: 'ready' });`;
    const slow = create({ program: program('slow.cjs', busy), timeLimit: 100 });
    expect(await slow.parse('bash', 'loop')).toBeUndefined();
    expect(await slow.parse('bash', 'ls')).toEqual({ language: 'bash', root: 'ls' });
  });

  it('returns nothing when the worker fails, and starts another for the next text', async () => {
    const failing = `
      parentPort.on('message', ({ text }) => {
        if (text === 'fail') throw new Error('planned');
        parentPort.postMessage({ kind: 'tree', tree: { language: 'bash', root: text } });
      });
      parentPort.postMessage({ kind: 'ready' });`;
    const broken = create({ program: program('failing.cjs', failing) });
    expect(await broken.parse('bash', 'fail')).toBeUndefined();
    expect(await broken.parse('bash', 'ls')).toEqual({ language: 'bash', root: 'ls' });
  });

  it('returns nothing when the grammars are not there', async () => {
    expect(await create({ folder }).parse('bash', 'ls')).toBeUndefined();
  });

  it('lets the process end when the worker waits for a text', async () => {
    const file = join(folder, 'ends.ts');
    const source = `
      import { createSyntaxParser } from ${JSON.stringify(pathToFileURL(resolve('src/syntax/syntaxParser.ts')).href)};
      const hold = setTimeout(() => {}, 10_000);
      const parser = createSyntaxParser(${JSON.stringify(testPlaces)});
      const tree = await parser.parse('bash', 'ls');
      clearTimeout(hold);
      console.log(tree.root.kind);`;
    writeFileSync(file, source);
    // The call ends only when the program ends.
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 10_000 });
    expect(stdout).toBe('program\n');
  });

  it.each([
    ['typescript', 'const a: number = ;\nconst b = 1;\n', [1]],
    ['typescript', 'export function f<T>(a: T): T {\n  return a;\n}\n', []],
    ['tsx', 'export const A = () => <p>{1}</p>;\n', []],
    ['tsx', 'export const A = () => <p>{1;\n', [1]],
    ['javascript', 'function f( {\n}\n', [1]],
    ['python', 'def f():\n    return (1\n\nx = 2\n', [2]],
    ['go', 'package main\n\nfunc main() {\n', [3]],
    ['rust', 'fn main() { let a = ; }\n', [1]],
    ['java', 'class A { int a = 1 }\n', [1]],
    ['css', 'a { color: red; }\n', []],
    ['php', '<?php echo 1\necho 2;\n', [1]],
    ['ruby', 'def f\n  1\n', [1]],
  ] as const)('finds the lines of syntax errors in %s: %s', async (language, text, lines) => {
    expect(await parser.errors(language, text)).toEqual(lines);
  });

  it('finds errors in texts of up to 1 MiB, of which it makes no tree, and tells at most 20 lines', async () => {
    const text = `${'const a = 1;\n'.repeat(20_000)}const = ;\n`;
    const patient = create({ timeLimit: 10_000 });
    expect(await patient.parse('bash', text)).toBeUndefined();
    expect(await patient.errors('typescript', text)).toEqual([20_001]);
    expect(await patient.errors('typescript', 'x'.repeat(1024 * 1024 + 1))).toBeUndefined();
    expect((await patient.errors('typescript', 'const = ;\n'.repeat(50)))?.length).toBeLessThanOrEqual(20);
  });

  it('starts again when it is used after it was disposed', async () => {
    const other = create({});
    expect(await other.parse('bash', 'ls')).toBeDefined();
    other.dispose();
    expect(await other.parse('bash', 'ls')).toBeDefined();
  });
});

function failure(): never {
  throw new Error('the text was not parsed');
}
