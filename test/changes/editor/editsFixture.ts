import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { ResolvedPath } from '#base/files.ts';
import type { FileCreate, FileDelete, FileEdit, FileMove, FileRestore } from '#base/proposal.ts';
import { locateEntry, readTree } from '#files/readTree.ts';

const noLimits = { maximumFiles: Infinity, maximumBytes: Infinity };

/** A workspace folder on the real disk, a folder outside of it, and proposals like those of the tools. */
export class EditsFixture {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-edits-')));
  readonly inside = join(this.root, 'inside');
  readonly outside = join(this.root, 'outside');

  constructor() {
    mkdirSync(this.inside);
    mkdirSync(this.outside);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Throws an error when this process still has a folder open, where the system tells. */
  requireClosed(): void {
    if (process.platform !== 'linux') return;
    const open = readdirSync('/proc/self/fd').flatMap((name) => {
      const descriptor = `/proc/self/fd/${name}`;
      return lstatSync(descriptor, { throwIfNoEntry: false }) ? readlinkSync(descriptor) : [];
    });
    const left = open.filter((path) => path.startsWith(this.root));
    if (left.length > 0) throw new Error(`still open: ${left.join(', ')}`);
  }

  at(name: string): string {
    return join(this.inside, name);
  }

  put(name: string, text: string | Uint8Array = `text of ${name}\n`): string {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
    return this.at(name);
  }

  text(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  async path(name: string): Promise<ResolvedPath> {
    const fsPath = this.at(name);
    const folder = { name: 'inside', uri: `file://${this.inside}`, fsPath: this.inside, realPath: this.inside };
    return { ...(await locateEntry(fsPath)), path: name, uri: `file://${fsPath}`, fsPath, linked: false, folder };
  }

  async edit(name: string, result: string): Promise<FileEdit> {
    const base = { text: this.text(name), encoding: 'utf8' };
    return {
      kind: 'edit',
      path: await this.path(name),
      base: { ...base, source: 'disk', unsaved: false, unifiedLineEnds: 0 },
      result: { text: result, encoding: 'utf8' },
    };
  }

  async create(name: string, text = `new text of ${name}\n`, encoding = 'utf8'): Promise<FileCreate> {
    return { kind: 'create', path: await this.path(name), result: { text, encoding } };
  }

  async delete(name: string, more: Partial<FileDelete> = {}): Promise<FileDelete> {
    const path = await this.path(name);
    const files = await readTree(path, noLimits);
    const isFolder = path.kind === 'directory';
    return { kind: 'delete', path, isFolder, files, toTrash: false, recovery: 'unknown', ...more };
  }

  async move(name: string, to: string, more: Partial<FileMove> = {}): Promise<FileMove> {
    const path = await this.path(name);
    const files = await readTree(path, noLimits);
    return { kind: 'move', path, to: await this.path(to), isFolder: path.kind === 'directory', files, ...more };
  }

  async restore({ path, isFolder, files }: FileDelete): Promise<FileRestore> {
    return { kind: 'restore', path: await this.path(path.path), isFolder, files };
  }
}

/** Returns the kind, mode and bytes of each entry of a folder by its path. */
export function snapshot(folder: string, root = folder): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const key = relative(root, path);
    if (stats.isSymbolicLink()) found[key] = `-> ${readlinkSync(path)}`;
    else if (stats.isDirectory()) Object.assign(found, { [key]: 'folder' }, snapshot(path, root));
    else if (!stats.isFile()) found[key] = 'neither file nor folder';
    else found[key] = `${(stats.mode & 0o7777).toString(8)} ${readFileSync(path).toString('latin1')}`;
  }
  return found;
}
