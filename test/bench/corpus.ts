import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { progress } from '../host/progress.ts';
import { integer, noun, pick, type Random, seededRandom, sourceLines } from './sourceText.ts';

/** A text whose number of hits in the corpus is known. */
export interface Needle {
  readonly text: string;
  /** Lines that hold it, over the whole corpus. */
  readonly hits: number;
}

export interface Corpus {
  readonly folder: string;
  readonly rare: readonly Needle[];
  readonly frequent: readonly Needle[];
}

export interface CorpusFile {
  /** Relative to the corpus. */
  readonly path: string;
  readonly text: string;
}

const seed = 20_261_121;
const fileCount = 20_000;
const rareNeedles = { count: 60, prefix: 'zephyr', files: 3, hitsPerFile: 1 };
const frequentNeedles = { count: 40, prefix: 'quorum', files: 250, hitsPerFile: 2 };

/** Writes the corpus into `folder` once; later runs take it as it is when the generator is still the same. */
export async function writeCorpus(folder: string): Promise<Corpus> {
  await writeOnce(folder, { seed, fileCount, generator: hashOf(['corpus.ts', 'sourceText.ts']) }, () =>
    writeAll(folder, corpusFiles()),
  );
  return { folder, rare: needlesOf(rareNeedles), frequent: needlesOf(frequentNeedles) };
}

/** A corpus is written again when one of these differs. */
export interface CorpusOrigin {
  readonly seed: number;
  readonly fileCount: number;
  /** A hash of the generator, so that a change of the generator writes the corpus again. */
  readonly generator: string;
}

/** Makes a folder of generated files, unless an earlier run made it with the same generator. */
export async function writeOnce(folder: string, made: CorpusOrigin, write: () => Promise<void>): Promise<void> {
  const marker = `${folder}.json`;
  const wanted = JSON.stringify(made);
  if (existsSync(folder) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  progress(`Writing a corpus of ${made.fileCount} files, once`);
  rmSync(marker, { force: true });
  rmSync(folder, { recursive: true, force: true });
  await write();
  writeFileSync(marker, wanted);
}

/** Every file of the corpus, in no particular order; always the same ones. */
export function* corpusFiles(): Generator<CorpusFile> {
  const random = seededRandom(seed);
  const paths = filePaths(random);
  const programs = paths.filter((path) => !path.endsWith('.d.ts'));
  const planted = plantedLines(random, programs, [rareNeedles, frequentNeedles]);
  yield { path: '.gitignore', text: 'node_modules/\ndist/\n*.log\n' };
  for (const path of paths) {
    const lines = sourceLines(random, lineCount(random));
    for (const line of planted.get(path) ?? []) lines.splice(integer(random, lines.length), 0, line);
    yield { path, text: `${lines.join('\n')}\n` };
  }
}

function filePaths(random: Random): readonly string[] {
  const paths = new Set<string>();
  let folder = '';
  while (paths.size < fileCount - 1) {
    if (paths.size % 8 === 0) folder = folderPath(random);
    const extension = pick(random, ['ts', 'ts', 'ts', 'tsx', 'js', 'd.ts', 'test.ts']);
    paths.add(`${folder}/${noun(random)}-${noun(random)}-${integer(random, 100)}.${extension}`);
  }
  return [...paths];
}

/** As in a repository of many packages: three to eight levels. */
function folderPath(random: Random): string {
  const inside = Array.from({ length: 1 + integer(random, 5) }, () => noun(random));
  const part = pick(random, ['src', 'src', 'src', 'test', 'lib', 'docs']);
  return ['packages', `${noun(random)}-${integer(random, 40)}`, part, ...inside].join('/');
}

/** Most files are short, a few are long; 110 lines on average. */
function lineCount(random: Random): number {
  return 8 + Math.floor(60 * -Math.log(1 - random())) + (random() < 0.03 ? integer(random, 3000) : 0);
}

/** Needles that occur equally often. */
export interface NeedleKind {
  /** Number of needles. */
  readonly count: number;
  /** The word with which all of them begin. */
  readonly prefix: string;
  /** Number of files that hold each of them. */
  readonly files: number;
  readonly hitsPerFile: number;
}

export function needlesOf({ count, prefix, files, hitsPerFile }: NeedleKind): readonly Needle[] {
  return Array.from({ length: count }, (_, index) => ({
    text: `${prefix}${letters(index)}`,
    hits: files * hitsPerFile,
  }));
}

/** Five letters, so that no needle is part of another. */
function letters(index: number): string {
  return Array.from({ length: 5 }, (_, at) => String.fromCharCode(97 + (Math.floor(index / 26 ** at) % 26))).join('');
}

/** Returns the lines with needles by the path of the file that gets them; the files are chosen from `programs`. */
export function plantedLines(
  random: Random,
  programs: readonly string[],
  kinds: readonly NeedleKind[],
): ReadonlyMap<string, readonly string[]> {
  const planted = new Map<string, string[]>();
  for (const kind of kinds) {
    for (const { text } of needlesOf(kind)) {
      const chosen = new Set<string>();
      while (chosen.size < kind.files) chosen.add(programs[integer(random, programs.length)] ?? '');
      for (const path of chosen) {
        const lines = planted.get(path) ?? [];
        planted.set(path, lines);
        for (let hit = 0; hit < kind.hitsPerFile; hit += 1) {
          lines.push(`  const ${noun(random)} = await ${text}(${noun(random)}.${noun(random)}, ${hit});`);
        }
      }
    }
  }
  return planted;
}

/** Writes files and the folders above them. */
export async function writeAll(folder: string, files: Iterable<CorpusFile>): Promise<void> {
  const made = new Set<string>();
  let writing: Promise<void>[] = [];
  for (const { path, text } of files) {
    const target = join(folder, path);
    if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    made.add(dirname(target));
    writing.push(writeFile(target, text));
    if (writing.length < 64) continue;
    await Promise.all(writing);
    writing = [];
  }
  await Promise.all(writing);
}

/** Returns a hash of files of this folder, by their names. */
export function hashOf(names: readonly string[]): string {
  const own = dirname(fileURLToPath(import.meta.url));
  const sources = names.map((name) => readFileSync(join(own, name)));
  return createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 16);
}
