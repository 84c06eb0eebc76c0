import pLimit from 'p-limit';
import type { DiskEntry } from './diskEntry.ts';
import type { OutsideDisk } from './outsideDependencies.ts';

const parallel = 8;

/** Remembers what was on disk at the last look, so that unchanged files are not read again. */
export class KnownEntries {
  readonly #disk: OutsideDisk;
  readonly #known = new Map<string, DiskEntry>();

  constructor(disk: OutsideDisk) {
    this.#disk = disk;
  }

  /** Looks at entries; absolute paths. */
  async lookAt(fsPaths: Iterable<string>): Promise<Map<string, DiskEntry>> {
    const limit = pLimit(parallel);
    const look = async (fsPath: string): Promise<readonly [string, DiskEntry]> => {
      const entry = await this.#disk.look(fsPath, this.#known.get(fsPath));
      this.#known.set(fsPath, entry);
      return [fsPath, entry];
    };
    return new Map(await Promise.all(Array.from(fsPaths, (fsPath) => limit(look, fsPath))));
  }
}
