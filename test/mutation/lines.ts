/** The list of hand-written mutations, and the checks of the list that run no test. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { roomNames, roomOfTest } from '../rooms.ts';
import { tooLong } from './groups.ts';

const lineSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  room: z.enum(roomNames),
  /** Relative to the repository. */
  file: z.string(),
  /** Text that occurs exactly once in the file; may be several lines. */
  find: z.string().min(1),
  replace: z.string(),
  /** Test files that fail with this mutation, relative to the repository; empty when no test does. */
  killedBy: z.array(z.string()),
  /** The reason why no test can notice the mutation, or another remark. */
  why: z.string().exactOptional(),
});
export type Line = z.infer<typeof lineSchema>;

const listFile = 'test/mutation/lines.json';

/** @throws when the list is not of its form */
export function readLines(): readonly Line[] {
  return z.array(lineSchema).parse(JSON.parse(readFileSync(listFile, 'utf8')));
}

/** Returns the errors of the list: texts that do not occur exactly once, killers that do not exist, ids that occur twice. */
export function problemsOf(lines: readonly Line[]): readonly string[] {
  const texts = new Map<string, string | undefined>();
  const textOf = (file: string): string | undefined => {
    if (!texts.has(file)) texts.set(file, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    return texts.get(file);
  };
  const seen = new Set<string>();
  return lines.flatMap(({ id, file, find, replace, killedBy }) => {
    const text = textOf(file);
    const count = text === undefined ? 0 : text.split(find).length - 1;
    const problems = [
      ...(seen.has(id) ? ['this id occurs twice'] : []),
      ...(text === undefined ? [`${file} does not exist`] : []),
      ...(text !== undefined && count !== 1 ? [`its text occurs ${count} times in ${file}`] : []),
      ...(find === replace ? ['it changes nothing'] : []),
      ...killedBy.filter((test) => !existsSync(test)).map((test) => `its killer ${test} does not exist`),
    ];
    seen.add(id);
    return problems.map((problem) => `${id}: ${problem}`);
  });
}

/** Returns whether a test needs a browser or an editor. */
export function needsHost(test: string): boolean {
  return /^test\/(e2e|pages)\//.test(test);
}

/** Returns the unit tests of a room, those named after the mutated file first. */
export function testsOfRoom({ room, file }: Pick<Line, 'room' | 'file'>): readonly string[] {
  const tests = globSync('test/**/*.test.ts', {
    exclude: ['test/e2e/**', 'test/pages/**', 'test/bench/**', ...tooLong],
  }).map(slashed);
  const name = path.basename(file, '.ts').toLowerCase();
  const isNamed = (test: string): boolean => path.basename(test).toLowerCase().startsWith(name);
  return tests
    .filter((test) => roomOfTest(test) === room)
    .toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)) || (one < other ? -1 : 1));
}

function slashed(file: string): string {
  return file.replaceAll('\\', '/');
}
