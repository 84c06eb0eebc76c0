import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { noun, pick, type Random, seededRandom, sourceLines } from '../../bench/sourceText.ts';
import { ripgrep } from '../../search/editor/ripgrepFixture.ts';
import { size } from '../../size.ts';
import { type Assistant, connectAssistant, textOfAnswer } from '../assistant.ts';
import { sharedDrawbridge } from '../shared.ts';

const { fileCount, queryCount } = size({
  quick: { fileCount: 2500, queryCount: 40 },
  full: { fileCount: 25_000, queryCount: 200 },
});
/** A search with many pages is compared as far as these. */
const mostPages = 6;

/** Lines with these words may hold what is redacted, and matches in it are left out. */
const mayBeSecret = /token|secret|key|password|credential|auth|cookie|session/i;

/** A query of `search_code`, and the arguments by which ripgrep searches for the same. */
interface Search {
  readonly input: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

const page = z.looseObject({
  matches: z.array(z.looseObject({ file: z.string(), line: z.int(), column: z.int() })),
  totalCount: z.int(),
  totalIsExact: z.boolean(),
  nextCursor: z.string().optional(),
});

const event = z.looseObject({
  type: z.string(),
  data: z.looseObject({
    path: z.looseObject({ text: z.string() }).optional(),
    lines: z.looseObject({ text: z.string() }).optional(),
    line_number: z.int().nullish(),
    submatches: z.array(z.looseObject({ start: z.int() })).optional(),
  }),
});

let folder: string;
let assistant: Assistant;

beforeAll(async () => {
  const drawbridge = await sharedDrawbridge(files());
  ({ folder } = drawbridge);
  assistant = await connectAssistant(await drawbridge.record());
});

/** UTF-8 files in folders, of which some are ignored and some have letters outside ASCII or lines that end with CRLF. */
function files(): Readonly<Record<string, string>> {
  const random = seededRandom(21);
  const all: Record<string, string> = { '.gitignore': 'ignored/\n*.log\n' };
  for (let at = 0; at < fileCount; at += 1) {
    const top = at % 50 === 0 ? 'ignored' : pick(random, ['src', 'lib', 'test', 'Über']);
    const path = `${top}/${noun(random)}/${noun(random)}${at}.${pick(random, ['ts', 'js', 'md', 'log'])}`;
    const lines = sourceLines(random, 12).filter((line) => !mayBeSecret.test(line));
    if (at % 7 === 0) lines.push(`// ${noun(random)} – Grüße für ${noun(random)}, 日本 ${noun(random)}`);
    all[path] = `${lines.join(at % 11 === 0 ? '\r\n' : '\n')}\n`;
  }
  return all;
}

type Pattern = readonly [query: string, isRegex: boolean];

function randomSearch(random: Random): Search {
  const word = noun(random);
  const patterns: readonly [Pattern, ...Pattern[]] = [
    [word, false],
    [`${word}.`, false],
    [`(${word})`, false],
    ['Grüße', false],
    [`\\b${word}\\w*\\(`, true],
    [`^\\s*const ${word}`, true],
    [`${word}|${noun(random)}`, true],
    [`[${word.slice(0, 3)}]{4,}`, true],
    ['\\d{3}\\b', true],
    [`für \\w+, .{3}${word.slice(0, 1)}`, true],
    [`${word}.*;$`, true],
  ];
  const [query, isRegex] = pick(random, patterns);
  const caseSensitive = random() < 0.5;
  const wholeWord = random() < 0.2;
  const includeIgnored = random() < 0.2;
  const ending = random() < 0.3 ? pick(random, ['ts', 'md']) : undefined;
  const path = random() < 0.2 ? pick(random, ['src', 'lib', 'Über']) : undefined;
  const input = {
    query,
    isRegex,
    caseSensitive,
    wholeWord,
    includeIgnored,
    maxResults: pick(random, [40, 200, 1000]),
    ...(ending !== undefined && { include: [`*.${ending}`] }),
    ...(path !== undefined && { path }),
  };
  const args = [
    isRegex ? '--crlf' : '--fixed-strings',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(wholeWord ? ['--word-regexp'] : []),
    ...(includeIgnored ? ['--no-ignore'] : []),
    ...(ending === undefined ? [] : ['--type-add', `wanted:*.${ending}`, '--type', 'wanted']),
    '--regexp',
    query,
    '--',
    path ?? '.',
  ];
  return { input, args };
}

type Place = readonly [file: string, line: number, column: number];

/** Returns all matches of ripgrep in the order of their paths, columns in UTF-16 units. */
async function ofRipgrep(args: readonly string[]): Promise<readonly Place[]> {
  const usual = ['--no-config', '--no-require-git', '--hidden', '--sort', 'path', '--json'];
  const options = { cwd: folder, maxBuffer: 1024 ** 3 };
  const { stdout } = await promisify(execFile)(await ripgrep, [...usual, ...args], options).catch((error: unknown) => {
    // The code 1 says that nothing was found.
    return z.object({ code: z.literal(1), stdout: z.string() }).parse(error);
  });
  return stdout.split('\n').flatMap((line): readonly Place[] => {
    if (!line.startsWith('{"type":"match"')) return [];
    const { path, lines, line_number: number, submatches } = event.parse(JSON.parse(line)).data;
    const start = Buffer.from(lines?.text ?? '').subarray(0, submatches?.[0]?.start ?? 0);
    return [[path?.text.replace(/^\.\//, '') ?? '', number ?? 0, start.toString('utf8').length + 1]];
  });
}

it('finds the same as ripgrep in the same order on every page, for random queries', async () => {
  const random = seededRandom(4);
  let [found, pages] = [0, 0];
  for (let at = 0; at < queryCount; at += 1) {
    const { input, args } = randomSearch(random);
    const expected = await ofRipgrep(args);
    const places: Place[] = [];
    let more: { readonly cursor?: string } | undefined = {};
    for (let turn = 0; more !== undefined && turn < mostPages; turn += 1) {
      const answer = await assistant.call('search_code', { ...input, ...more });
      expect(answer.isError, `${JSON.stringify(input)}: ${textOfAnswer(answer)}`).not.toBe(true);
      const { matches, totalCount, totalIsExact, nextCursor } = page.parse(answer.structuredContent);
      places.push(...matches.map(({ file, line, column }): Place => [file, line, column]));
      if (totalIsExact) expect(totalCount, JSON.stringify(input)).toBe(expected.length);
      more = nextCursor === undefined ? undefined : { cursor: nextCursor };
      pages += 1;
    }
    expect(places, JSON.stringify(input)).toEqual(expected.slice(0, more === undefined ? undefined : places.length));
    found += places.length;
  }
  // Random words could also find nothing.
  expect(found).toBeGreaterThan(queryCount * 10);
  expect(pages).toBeGreaterThan(queryCount);
}, 1_800_000);

it('compares queries of every kind', () => {
  const random = seededRandom(4);
  const inputs = Array.from({ length: queryCount }, () => randomSearch(random).input);
  for (const name of ['isRegex', 'caseSensitive', 'wholeWord', 'includeIgnored', 'include', 'path']) {
    const values = inputs.map((input) => Boolean(input[name]));
    expect([values.includes(true), values.includes(false)], name).toEqual([true, true]);
  }
});
