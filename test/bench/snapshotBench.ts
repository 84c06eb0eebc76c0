import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findGit } from '#changes/outside/gitProgram.ts';
import { takeGitSnapshot } from '#changes/outside/gitSnapshot.ts';
import type { Snapshot } from '#changes/outside/snapshot.ts';
import { put, repository } from '../changes/outside/repository.ts';
import type { Measurement } from './report.ts';
import { median } from './statistics.ts';

const [files, filesInFolder, changedFiles, newFiles, rounds] = [30_000, 30, 200, 200, 5];

/** How long the snapshot of a work tree takes that has changed and new files, and the look for what differs from it. */
export async function benchSnapshot(): Promise<Measurement[]> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'drawbridge-bench-')));
  try {
    const root = join(folder, 'work');
    const name = (index: number): string => `folder${Math.floor(index / filesInFolder)}/file${index}.ts`;
    const texts = Array.from({ length: files }, (_, index) => [name(index), `export const x = ${index};\n`]);
    repository(root, { '.gitattributes': '* text=auto\n', ...Object.fromEntries(texts) });
    // Git compares the content of files that are as new as its index.
    await setTimeout(2_000);
    for (let index = 0; index < changedFiles; index += 1) put(root, name(index * 7), `changed ${index}\n`);
    for (let index = 0; index < newFiles; index += 1) put(root, `new/file${index}.ts`, `new ${index}\n`);
    const { signal } = new AbortController();
    const program = await findGit({ path: process.env['PATH'], platform: process.platform, folders: [root] });
    const samples: { snapshot: number[]; differences: number[] } = { snapshot: [], differences: [] };
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      const taken = await takeGitSnapshot(root, join(folder, `own${round}`), { program, isSecret, signal });
      samples.snapshot.push(performance.now() - begun);
      samples.differences.push(await timeDifferences(taken.snapshot, signal));
    }
    return Object.entries(samples).map(([what, times]) => ({
      topic: 'outside changes',
      what: `${what} of ${files} files`,
      value: median(times),
      unit: 'ms',
      target: { atMost: 1_000 },
      detail: `${changedFiles} changed and ${newFiles} new files, median of ${rounds}`,
      samples: { [what]: times },
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isSecret(fsPath: string): boolean {
  return fsPath.endsWith('.env');
}

async function timeDifferences(snapshot: Snapshot | undefined, signal: AbortSignal): Promise<number> {
  if (snapshot === undefined) throw new Error('There is no snapshot.');
  const begun = performance.now();
  const { paths } = await snapshot.differences(signal);
  if (paths.length > 0) throw new Error(`The snapshot differs at once: ${paths.slice(0, 3).join(', ')}`);
  return performance.now() - begun;
}
