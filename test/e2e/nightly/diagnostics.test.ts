import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Assistant, connectAssistant, textOfAnswer } from '../assistant.ts';
import { closeAll, openFile, typeInto } from '../editor.ts';
import { type Drawbridge, startDrawbridge, toyLanguage, until } from '../harness.ts';
import { type Looks, looksOf } from '../looks.ts';

/** More than the 500 files that one call examines. */
const many = 510;

const shop = {
  'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2022"},"include":["src"]}',
  'src/good.ts': 'export const good: number = 1;\n',
  'src/wrong.ts': "import { good } from './good.js';\n\nexport const wrong: string = good;\n",
  'src/called.ts': 'function takes(what: string): string {\n  return what;\n}\nexport const called = takes();\n',
  'src/missing.ts': 'export const missing = good + 1;\n',
  'src/unfinished.ts': 'export function unfinished(: string {\n',
  'loose.js': '// @ts-check\n/** @type {number} */\nconst loose = "text";\n',
  'web/data.json': '{ "a": 1, }\n',
  'web/style.css': 'a { colr: red }\n',
  'web/note.txt': 'text\n',
  'toy/late.toy': '#late\nproblem it comes late\n',
  'toy/well.toy': '#late\nfn well\nend\n',
  '.env': 'API_KEY=secret\n',
};

const page = z.looseObject({
  files: z.array(
    z.looseObject({
      path: z.string(),
      freshness: z.string(),
      diagnostics: z.array(
        z.looseObject({
          firstLine: z.int(),
          code: z.string().optional(),
          quickFixes: z.array(z.string()).optional(),
          related: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
  totalCount: z.int(),
  notChecked: z.array(z.string()).optional(),
  nextCursor: z.string().optional(),
  notExaminedCount: z.int().optional(),
});

let drawbridge: Drawbridge;
let assistant: Assistant;
let before: Looks;

async function ask(input: Readonly<Record<string, unknown>>): Promise<z.infer<typeof page>> {
  const answer = await assistant.call('get_diagnostics', input);
  expect(answer.isError, textOfAnswer(answer)).not.toBe(true);
  return page.parse(answer.structuredContent);
}

/** Asks until the language service has answered for each file: it may start for longer than a call waits for it. */
const askUntilAnswered = (input: Readonly<Record<string, unknown>>): Promise<z.infer<typeof page>> =>
  until(async () => {
    const answer = await ask(input);
    return answer.files.every(({ freshness }) => freshness !== 'unanswered') && answer;
  }, 'an answer of the language service');

const summaryOf = ({ files }: z.infer<typeof page>): string[] =>
  files.flatMap(({ path, freshness, diagnostics }) =>
    diagnostics.length === 0
      ? [`${path} ${freshness}`]
      : diagnostics.map(({ firstLine, code = '' }) => `${path}:${firstLine} ${code} ${freshness}`),
  );

/** Expects that everything the user sees is unchanged. */
const unchanged = (): void => {
  beforeEach(async () => {
    before = await looksOf(drawbridge.window);
  });
  afterEach(async () => {
    expect(await looksOf(drawbridge.window)).toEqual(before);
  });
};

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: shop, extensions: [toyLanguage] });
  assistant = await connectAssistant(await drawbridge.record());
});
afterAll(() => drawbridge?.stop());

describe('problems of files that no tab shows', () => {
  unchanged();

  it('are requested from the TypeScript and JavaScript service, and are fresh once it has answered', async () => {
    expect(summaryOf(await askUntilAnswered({ paths: ['src/wrong.ts', 'src/good.ts', 'loose.js'] }))).toEqual([
      'loose.js:3 2322 fresh',
      'src/wrong.ts:3 2322 fresh',
      'src/good.ts fresh',
    ]);
  });

  it('are complete for a folder, even with broken code', async () => {
    const data = await ask({ paths: ['src'], severity: 'error' });
    const paths = new Set(data.files.map(({ path }) => path));
    expect([...paths]).toEqual(['src/called.ts', 'src/missing.ts', 'src/unfinished.ts', 'src/wrong.ts']);
    expect(data.files.every(({ freshness }) => freshness === 'fresh')).toBe(true);
  });

  it('contain the position and the available fixes', async () => {
    const { files } = await ask({ paths: ['src/called.ts', 'src/missing.ts'], quickFixes: true });
    const [called, missing] = files;
    expect(missing?.diagnostics[0]?.quickFixes).toContainEqual(expect.stringMatching(/import from/i));
    expect(called?.diagnostics[0]?.related).toMatchObject([expect.stringMatching(/^src\/called\.ts:1 /)]);
  });

  it('match the current text of the file', async () => {
    const path = join(drawbridge.folder ?? '', 'src/wrong.ts');
    writeFileSync(path, "import { good } from './good.js';\n\nexport const wrong: number = good;\n");
    expect(summaryOf(await ask({ paths: ['src/wrong.ts'] }))).toEqual(['src/wrong.ts fresh']);
    writeFileSync(path, shop['src/wrong.ts']);
    expect(summaryOf(await ask({ paths: ['src/wrong.ts'] }))).toEqual(['src/wrong.ts:3 2322 fresh']);
  });

  it('are awaited in other languages', async () => {
    const data = await ask({ paths: ['toy/late.toy', 'toy/well.toy', 'web/note.txt'] });
    expect(summaryOf(data)).toEqual(['toy/late.toy:2 toy1 published', 'toy/well.toy published']);
    expect(data.notChecked).toEqual([expect.stringContaining('web/note.txt')]);
  });

  it('are reported as unanswered when the language service checks only open tabs', async () => {
    const data = await ask({ paths: ['web/data.json', 'web/style.css'] });
    expect(summaryOf(data)).toEqual(['web/data.json unanswered', 'web/style.css unanswered']);
  });

  it('leave out secret files', async () => {
    const answer = await assistant.call('get_diagnostics', { paths: ['.env'] });
    expect(answer.isError).toBe(true);
  });
});

describe('problems of files in tabs', () => {
  afterEach(() => closeAll(drawbridge.window));

  it('are returned as their language services published them', async () => {
    for (const path of ['web/data.json', 'web/style.css']) {
      await openFile(drawbridge.window, join(drawbridge.folder ?? '', path));
    }
    await until(async () => (await ask({ paths: ['web'] })).totalCount === 2, 'both problems');
    expect(summaryOf(await ask({ paths: ['web/data.json', 'web/style.css'] }))).toEqual([
      'web/data.json:1 519 published',
      'web/style.css:1 unknownProperties published',
    ]);
  });

  it('match the text in the editor, not the text on disk', async () => {
    const path = join(drawbridge.folder ?? '', 'src/good.ts');
    await openFile(drawbridge.window, path);
    await typeInto(drawbridge.window, path, 'const typed: string = 1;\n');
    expect(summaryOf(await ask({ paths: ['src/good.ts'] }))).toEqual(['src/good.ts:1 2322 fresh']);
    await closeAll(drawbridge.window);
    expect(summaryOf(await ask({ paths: ['src/good.ts'] }))).toEqual(['src/good.ts fresh']);
  });
});

it('problems of a large folder are returned up to a limit, which is reported, and in pages', async () => {
  const folder = join(drawbridge.folder ?? '', 'src/many');
  mkdirSync(folder);
  for (let at = 0; at < many; at += 1) {
    writeFileSync(join(folder, `f${at}.ts`), `export const f${at}: string = ${at};\n`);
  }
  const query = { paths: ['src/many'] };
  const first = await until(async () => {
    const answer = await ask(query);
    return answer.nextCursor !== undefined && answer;
  }, 'problems on more than one page');
  expect(first.notExaminedCount).toBeGreaterThan(0);
  const second = await ask({ ...query, cursor: first.nextCursor });
  expect(second.files.length).toBeGreaterThan(0);
  expect(summaryOf(second)[0]).not.toBe(summaryOf(first)[0]);
});
