import { join } from 'node:path';
import { git } from '../changes/outside/repository.ts';
import { repository } from '../host/hostFolder.ts';
import {
  type CorpusFile,
  hashOf,
  type Needle,
  type NeedleKind,
  needlesOf,
  plantedLines,
  writeAll,
  writeOnce,
} from './corpus.ts';
import { integer, noun, pick, type Random, seededRandom, sourceLines } from './sourceText.ts';

/** A Git work tree with the file sizes and the folders of a large repository. */
export interface LargeCorpus {
  readonly folder: string;
  readonly folderCount: number;
  /** Entries of the folder `packages`, the largest one. */
  readonly topFolders: number;
  /** Needles by the number of lines that hold each of them. */
  readonly needles: ReadonlyMap<number, readonly Needle[]>;
  /** Relative paths of fixtures without needles: a hundred from all parts of the tree, the same in each run. */
  readonly plainFiles: readonly string[];
}

const seed = 20_261_129;
const needleCount = 24;
const needleKinds: readonly NeedleKind[] = [
  { count: needleCount, prefix: 'zephyr', files: 1, hitsPerFile: 1 },
  { count: needleCount, prefix: 'sonnet', files: 10, hitsPerFile: 2 },
  { count: needleCount, prefix: 'quorum', files: 278, hitsPerFile: 2 },
  { count: needleCount, prefix: 'walrus', files: 100, hitsPerFile: 50 },
];

/**
 * The size in bytes below which each share of the files of babel lies (27,674 files at commit 1da3cfa1a2). Most files are smaller than
 * a block of the file system, so 500,000 of them take about 3 GB of a disk.
 */
const sizeShares: readonly (readonly [number, number])[] = [
  [0, 1],
  [0.1, 19],
  [0.25, 39],
  [0.5, 111],
  [0.75, 772],
  [0.9, 2403],
  [0.98, 6271],
  [0.99, 10_119],
  [0.995, 15_949],
  [0.999, 79_599],
  [0.9999, 916_504],
  [1, 3_413_334],
];

/** Babel has two files in a folder, ten such folders below one of a group, and twenty groups in a package. */
const [casesInGroup, groupsInPackage] = [10, 20];
const fixtureNames = ['input.js', 'output.json', 'options.json', 'output.js'] as const;

/** Writes the corpus with this number of files into `.bench` and commits it there, once. */
export async function writeLargeCorpus(fileCount: number): Promise<LargeCorpus> {
  const folder = join(repository, `.bench/large-${fileCount}`);
  const generator = hashOf(['largeCorpus.ts', 'corpus.ts', 'sourceText.ts']);
  const paths = filePaths(fileCount);
  await writeOnce(folder, { seed, fileCount, generator }, async () => {
    await writeAll(folder, largeFiles(paths));
    git(folder, 'init', '-q', '-b', 'main');
    // Git then writes one pack instead of a file for each object.
    git(folder, '-c', 'core.bigFileThreshold=1', '-c', 'core.compression=1', 'add', '-A');
    // Git must not begin to pack again in the background while a run measures.
    git(folder, '-c', 'gc.auto=0', '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'first');
  });
  // A run that was stopped may have left its changes.
  git(folder, 'clean', '-fdq');
  const planted = planting(paths);
  const plain = paths.filter((path) => path.includes('/fixtures/') && !planted.has(path));
  const step = Math.floor(plain.length / 100);
  return {
    folder,
    folderCount: new Set(paths.flatMap(foldersAbove)).size,
    topFolders: new Set(paths.map((path) => path.split('/')[1])).size,
    needles: new Map(needleKinds.map((kind) => [kind.files * kind.hitsPerFile, needlesOf(kind)])),
    plainFiles: plain.filter((_, index) => index % step === 0),
  };
}

/** Every file of the corpus; always the same ones for the same paths. */
function* largeFiles(paths: readonly string[]): Generator<CorpusFile> {
  const random = seededRandom(seed);
  const planted = planting(paths);
  const text = sourceLines(random, 200_000).join('\n');
  for (const path of paths) {
    const size = fileSize(random);
    const begin = text.indexOf('\n', integer(random, text.length - size - 1000)) + 1;
    const lines = planted.get(path)?.map((line) => `\n${line}`) ?? [];
    yield { path, text: `${text.slice(begin, begin + size - 1)}${lines.join('')}\n` };
  }
}

function planting(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return plantedLines(seededRandom(seed + 1), paths, needleKinds);
}

/** As in babel: a few sources, and very many small fixtures seven or eight levels deep. */
function filePaths(fileCount: number): readonly string[] {
  const random = seededRandom(seed + 2);
  const paths: string[] = [];
  let [inPackage, inGroup] = ['', ''];
  for (let index = 0; paths.length < fileCount; index += 1) {
    if (index % (casesInGroup * groupsInPackage) === 0) {
      inPackage = `packages/${noun(random)}-${noun(random)}-${index / casesInGroup / groupsInPackage}`;
    }
    if (index % casesInGroup === 0) {
      const name = `${noun(random)}-${index / casesInGroup}`;
      paths.push(`${inPackage}/src/${name}.ts`);
      inGroup = `${inPackage}/test/fixtures/${name}`;
    }
    const folder = `${inGroup}/${noun(random)}-${noun(random)}-${index}`;
    paths.push(...fixtureNames.slice(0, pick(random, [1, 2, 2, 3])).map((name) => `${folder}/${name}`));
  }
  return paths.slice(0, fileCount);
}

/** Returns a number of bytes by the shares of babel; between two of them, sizes lie evenly by their magnitude. */
function fileSize(random: Random): number {
  const share = random();
  const above = sizeShares.findIndex(([limit]) => limit > share);
  const [[from, smallest], [to, largest]] = [sizeShares[above - 1] ?? [0, 1], sizeShares[above] ?? [1, 1]];
  return Math.round(smallest * (largest / smallest) ** ((share - from) / (to - from)));
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
