import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { snapshot } from '../../changes/editor/editsFixture.ts';
import { badPaths, wrongInputs, wrongInputsTree } from '../../tools/edit/wrongInputs.ts';
import { openApprovals } from '../approvalsPage.ts';
import { connectV1, connectV2, type Drawbridge, startDrawbridge, tempWorkspace, until } from '../harness.ts';

const replace = (path: unknown, oldText: unknown, newText: unknown) => ({ path, oldText, newText });
const lines = (path: unknown, firstLine: unknown, lastLine: unknown, version: unknown = '0123456789abcdef') => ({
  path,
  firstLine,
  lastLine,
  newText: 'b',
  version,
});
const update = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const codex = (...body: string[]) => ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');

/** Wherever it stands in the arguments. */
const polluted: object = JSON.parse('{"__proto__":{"polluted":true}}');

const wrongEdits: readonly object[] = [
  ...badPaths.flatMap((path) => [
    { edits: [replace(path, 'a', 'b')] },
    { edits: [lines(path, 1, 1)] },
    { edits: [replace('a.ts', 'a', 'b'), replace(path, 'a', 'b')] },
  ]),
  ...badPaths
    // Names that end a line, and white space around a name, are no part of a patch's names.
    .filter((path) => typeof path === 'string' && !/^\s|[\s\0]$|\n/.test(path))
    .flatMap((path) => [
      { patch: codex(`*** Add File: ${String(path)}`, '+a') },
      { patch: codex('*** Update File: a.ts', `*** Move to: ${String(path)}`, '@@', '-a', '+b') },
      { patch: `${update('a.ts')}--- /dev/null\n+++ b/${String(path)}\n@@ -0,0 +1 @@\n+a\n` },
    ]),
  {},
  polluted,
  ...[[], {}, 'a', [{}], [null], [{ path: 'a.ts' }], [polluted]].map((edits) => ({ edits })),
  ...['', 'x', ['x'], null, 1].map((patch) => ({ patch })),
  { edits: [{ ...replace('a.ts', 'a', 'b'), ...polluted }] },
  { edits: [{ ...replace('a.ts', 'a', 'b'), extra: 1 }] },
  { edits: [replace('a.ts', 'a', 'b')], patch: update('a.ts') },
  { edits: [replace('a.ts', 'a', 'b')], confirm: true },
  { edits: [{ ...replace('a.ts', 'a', 'b'), ...lines('a.ts', 1, 1) }] },
  { edits: [{ ...lines('a.ts', 1, 1), replaceAll: true }] },
  { edits: [replace('a.ts', 'a', 'b'), replace('a.ts', 'a', 'c')] },
  { edits: Array.from({ length: 501 }, () => replace('a.ts', 'a', 'b')) },
  { edits: [replace('a.ts', 'x'.repeat(4_000_001), 'b')] },
  ...['', 'absent', '\0', '\uD800', 1, null].map((oldText) => ({ edits: [replace('a.ts', oldText, 'b')] })),
  ...['a', '\uD800', 1, null, ['b']].map((newText) => ({ edits: [replace('a.ts', 'a', newText)] })),
  ...[
    [0, 1],
    [1, 0.5],
    [2, 0],
    [-1, 1],
    [1, 1e9],
    ['1', '1'],
    [null, 1],
    [1, 1],
    [9, 9],
  ].map(([first, last]) => ({ edits: [lines('a.ts', first, last)] })),
  { edits: [lines('a.ts', 1, 1, '')] },
  { edits: [{ path: 'a.ts', firstLine: 1, lastLine: 1, newText: 'b' }] },
  ...['bin', 'none.ts', 'd'].flatMap((path) => [{ edits: [replace(path, 'a', 'b')] }, { patch: update(path) }]),
  { patch: update('a.ts').replace('-a', '-A') },
  { patch: update('a.ts').replace('+b', '+a') },
  { patch: update('a.ts').replace('+b', '+b\0').replace('a.ts', 'none.ts') },
  { patch: update('a.ts') + update('a.ts') },
  { patch: update('a.ts').replace('@@ -1 +1 @@\n', '') },
  { patch: update('a.ts').replace('+++ b/a.ts\n', '') },
  { patch: '--- a/a.ts\n+++ b/a.ts\n' },
  { patch: '--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n' },
  { patch: '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+b\n' },
  { patch: '--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n' },
  { patch: `old mode 100644\nnew mode 100755\n${update('a.ts')}` },
  { patch: `diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a.ts\n` },
  { patch: 'diff --git a/bin b/bin\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n' },
  { patch: 'diff --git a/a.ts b/c.ts\ncopy from a.ts\ncopy to c.ts\n' },
  { patch: 'diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n' },
  { patch: '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n' },
  { patch: codex('*** Update File: a.ts', '@@', '-A', '+b') },
  { patch: codex('*** Update File: a.ts') },
  { patch: codex('*** Add File: a.ts', '+b') },
  { patch: codex('*** Delete File: none.ts') },
  { patch: codex('*** Delete File: d') },
  { patch: codex('*** Delete File: a.ts', '*** Add File: a.ts', '+b') },
  { patch: codex('*** Rename File: a.ts') },
];

const calls: readonly (readonly [tool: string, input: object])[] = [
  ...wrongInputs,
  ...wrongEdits.map((input) => ['apply_edit', input] as const),
  ['create_file', { path: 'new', content: 'x', ...polluted }],
  ['delete_file', { path: 'a.ts', ...polluted }],
  ['move_file', { path: 'a.ts', to: 'new', constructor: {} }],
  ['move_file', { path: 'd', to: '.git/d' }],
];

const pathInList = z.looseObject({ path: z.array(z.unknown()) });

/** The inputs that the product understands before the tool sees them, so that a card is the right answer. */
const understood = z.union([
  pathInList,
  z.looseObject({ Path: z.string() }),
  z.looseObject({ replaces: z.null() }),
  // With a second edit of the same text it is refused.
  z.looseObject({ edits: z.tuple([pathInList]) }),
]);

const answer = z.looseObject({
  isError: z.boolean().optional(),
  content: z.tuple([z.looseObject({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.looseObject({ status: z.string() }).optional(),
});

let drawbridge: Drawbridge;
let page: Frame;
let folder: string;
let outside: string;

beforeAll(async () => {
  outside = tempWorkspace({ x: 'x\n' }, 'outside');
  folder = tempWorkspace(wrongInputsTree);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync(outside, join(folder, 'out'));
  symlinkSync('nowhere', join(folder, 'dead'));
  // A call that waits for an approval returns a ticket after one second.
  const settings = { 'drawbridge.clients': { wrong: { approvalSeconds: 1 } } };
  drawbridge = await startDrawbridge({ folder, settings });
  page = await openApprovals(drawbridge.window);
});
afterAll(() => drawbridge?.stop());

describe.each([
  ['2025', async () => connectV1(await drawbridge.record(), { name: 'wrong' })],
  ['2026', async () => connectV2(await drawbridge.record(), { name: 'wrong' })],
])('wrong inputs of a client of the %s era', (_era, connect) => {
  it.each(['create_file', 'delete_file', 'move_file', 'apply_edit'])(
    'are refused by %s with a helpful error, without an approval and without a change',
    async (tool) => {
      const before = [snapshot(folder), snapshot(outside)];
      const connected = await connect();
      const inputs = calls.flatMap(([name, input]) =>
        name === tool && !understood.safeParse(input).success ? [input] : [],
      );
      const unclear: string[] = [];
      for (const input of inputs) {
        const call = () => connected.client.callTool({ name: tool, arguments: { ...input } });
        // Only so many changes are judged in a second.
        const text = await until(async () => {
          const said = await errorTextOf(call());
          return said.endsWith('[rate_limited]') ? undefined : said;
        }, 'the limit of changes to pass');
        if (!isClear(text) || text.includes('SECRET')) unclear.push(`${JSON.stringify(input).slice(0, 200)}: ${text}`);
      }
      expect(unclear).toEqual([]);
      expect(await page.locator('article').count()).toBe(0);
      expect([snapshot(folder), snapshot(outside)]).toEqual(before);
      await connected.close();
    },
  );
});

it('the wrong inputs cover many cases', () => {
  expect(calls.length).toBeGreaterThan(500);
  expect(wrongEdits.length).toBeGreaterThan(200);
});

it('a request that is too large is refused before it is parsed', async () => {
  const connected = await connectV1(await drawbridge.record(), { name: 'wrong' });
  const huge = { path: 'new', content: 'x'.repeat(5_000_000) };
  await expect(connected.client.callTool({ name: 'create_file', arguments: huge })).rejects.toThrow(
    'The body is larger than 4194304 bytes.',
  );
  expect(Object.keys(snapshot(folder))).not.toContain('new');
  await connected.close();
});

/** Returns the text that the model reads when a call fails, as a result or as a protocol error. */
async function errorTextOf(called: Promise<unknown>): Promise<string> {
  try {
    const { isError, content, structuredContent } = answer.parse(await called);
    return isError === true ? content[0].text : `no error: ${structuredContent?.status ?? ''} ${content[0].text}`;
  } catch (error) {
    return error instanceof Error ? error.message : 'no error at all';
  }
}

/** Returns whether the text names the wrong argument, or says what happened, what to do next and an error code. */
function isClear(said: string): boolean {
  if (/^Invalid arguments for \w+: \S/.test(said) || /^arguments: \S/.test(said)) return true;
  return /^\S.*[.\n] [A-Z"].*\. \[(?!internal)[a-z_]+\]$/s.test(said);
}
