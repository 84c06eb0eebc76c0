import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type {
  DirectoryEntry,
  Files,
  IsClosed,
  LiveText,
  Location,
  NamedFile,
  NewFileFormat,
  Purpose,
  ResolvedPath,
  TextWindow,
  Tree,
  TreeLimits,
} from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { MissingPathError, ToolError } from '#base/toolError.ts';
import { LineWindow } from '#files/lineWindow.ts';

/** An entry that is neither a file nor a directory. */
export const pipe = Symbol('pipe');

/** The entry at an absolute path: a text, bytes, a link, or an entry that is neither a file nor a directory. */
export type FakeNode = string | Uint8Array | { readonly link: string } | typeof pipe;

const modified = Date.UTC(2026, 10, 21);

/** A file system in memory. A directory exists when it contains an entry. */
export class FakeFiles implements Files {
  readonly nodes: Map<string, FakeNode>;
  /** Unsaved texts by real path. */
  readonly buffers = new Map<string, string>();
  /** Facts about files by real path, which replace those of the fake. */
  readonly facts = new Map<string, Partial<LiveText>>();
  /** Real paths that were read, in order. */
  readonly reads: string[] = [];
  /** Real paths of notebooks and custom editors with unsaved changes. */
  readonly dirtyElsewhere = new Set<string>();
  /** Ignores the letter case of names, like most disks of Windows and macOS. */
  ignoresCase = false;
  newFiles: NewFileFormat = { encoding: 'utf8', lineEnd: '\n' };
  trash = false;
  /** Permission bits by real path; 0644 unless set. */
  readonly modes = new Map<string, number>();
  /** Devices by the path below which they are mounted; everything else is on device 1. */
  readonly devices = new Map<string, bigint>();
  /** Empty folders. */
  readonly folders = new Set<string>();
  /** Other names of a file (hard links): real path by real path. */
  readonly otherNames = new Map<string, string>();
  readonly #inodes = new Map<string, bigint>();

  constructor(nodes: Readonly<Record<string, FakeNode>> = {}) {
    this.nodes = new Map(Object.entries(nodes));
  }

  async locate(fsPath: string, purpose?: Purpose): Promise<Location> {
    const entry = this.#asSpelt(posix.join(this.#real(posix.dirname(fsPath), 20).realPath, posix.basename(fsPath)));
    const isLink = purpose === 'entry' && this.#kindOf(entry) === 'link';
    const { realPath, dangling } = isLink ? { realPath: entry, dangling: false } : this.#real(fsPath, 20);
    const node = this.nodes.get(realPath);
    const isDirectory = node === undefined && (this.folders.has(realPath) || this.#hasChildren(realPath));
    if (node === undefined && !isDirectory) {
      const parent = posix.dirname(realPath);
      const parents = this.#exists(parent) ? { parent: this.#identity(parent) } : {};
      return { realPath, kind: 'missing', dangling, ...parents, size: 0, modified: 0, linkCount: 0 };
    }
    return {
      realPath,
      kind: isDirectory ? 'directory' : node === pipe ? 'other' : 'file',
      dangling: false,
      identity: this.#identity(realPath),
      parent: this.#identity(posix.dirname(realPath)),
      size: bytesOf(node).length,
      modified,
      linkCount: this.otherNames.has(realPath) || [...this.otherNames.values()].includes(realPath) ? 2 : 1,
    };
  }

  async readText(path: ResolvedPath, maxBytes: number): Promise<LiveText> {
    const buffer = this.buffers.get(path.realPath);
    const isOnlyInEditor = buffer !== undefined && !this.nodes.has(path.realPath);
    const bytes = isOnlyInEditor ? Buffer.from(buffer) : await this.readBytes(path, maxBytes);
    if (buffer === undefined && bytes.includes(0))
      throw new ToolError('binary_file', `${path.path} is binary.`, 'Stop.');
    return {
      text: buffer ?? Buffer.from(bytes).toString('utf8'),
      encoding: 'utf8',
      source: buffer === undefined ? 'disk' : 'buffer',
      unsaved: buffer !== undefined,
      unsavedElsewhere: false,
      readonly: false,
      unifiedLineEnds: 0,
      modified,
      ...this.facts.get(path.realPath),
    };
  }

  async readWindow(path: ResolvedPath, firstLine: number, lineCount: number): Promise<TextWindow> {
    const { text, ...facts } = await this.readText(path, Infinity);
    const window = new LineWindow(firstLine, lineCount);
    window.add(text);
    return { ...facts, ...window.end() };
  }

  async readStart(path: ResolvedPath, bytes: number): Promise<Uint8Array> {
    return (await this.readBytes(path, Infinity)).subarray(0, bytes);
  }

  async readBytes(path: ResolvedPath, maxBytes: number): Promise<Uint8Array> {
    this.reads.push(path.realPath);
    const node = this.nodes.get(path.realPath);
    if (node === undefined || (typeof node === 'object' && 'link' in node)) {
      throw new MissingPathError(path.path, `${path.path} does not exist.`, 'Look elsewhere.');
    }
    const bytes = bytesOf(node);
    if (bytes.length > maxBytes) throw new ToolError('too_large', `${path.path} is too large.`, 'Search in it.');
    return bytes;
  }

  async canEncode(text: string): Promise<boolean> {
    return text.isWellFormed();
  }

  async list(path: ResolvedPath): Promise<readonly DirectoryEntry[]> {
    const prefix = `${path.realPath}/`;
    const below = [...this.nodes.keys()].filter((known) => known.startsWith(prefix));
    const names = new Set(below.map((known) => known.slice(prefix.length).split('/')[0] ?? ''));
    return [...names].map((name) => ({
      name,
      kind: this.#kindOf(prefix + name),
      folder: path.folder,
      fsPath: `${path.fsPath}/${name}`,
      path: path.path === '.' ? name : `${path.path}/${name}`,
      uri: `${path.uri}/${name}`,
    }));
  }

  async readTree(path: ResolvedPath, limits: TreeLimits, admit?: (relative: string) => void): Promise<Tree> {
    const below = (known: string): string | undefined =>
      known === path.realPath
        ? ''
        : known.startsWith(`${path.realPath}/`)
          ? known.slice(path.realPath.length + 1)
          : undefined;
    const names = [...this.nodes.keys()].flatMap((known) => below(known) ?? []).toSorted(comparePaths);
    if (names.length === 0 && !this.folders.has(path.realPath)) {
      throw new MissingPathError(path.path, `${path.path} does not exist.`, 'Look elsewhere.');
    }
    for (const name of names) {
      const parts = name === '' ? [] : name.split('/');
      for (const at of parts.keys()) admit?.(parts.slice(0, at + 1).join('/'));
    }
    const files = names.map((relative) => this.#treeFile(posix.join(path.realPath, relative), relative));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (files.length > limits.maximumFiles || bytes > limits.maximumBytes) {
      throw new ToolError('too_large', `${path.path} holds too much.`, 'Do it in parts.');
    }
    return {
      files,
      unsaved: [...this.buffers.keys()].flatMap((known) => below(known) ?? []),
      unsavedElsewhere: [...this.dirtyElsewhere].flatMap((known) => below(known) ?? []),
    };
  }

  #treeFile(realPath: string, relative: string): Tree['files'][number] {
    const node = this.nodes.get(realPath);
    const isLink = typeof node === 'object' && 'link' in node;
    if (node === pipe) throw new ToolError('unavailable', `${relative} is a pipe.`, 'Leave it out.');
    if (!isLink) this.reads.push(realPath);
    const bytes = isLink ? Buffer.from(node.link) : bytesOf(node);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { relative, sha256, size: bytes.length, mode: this.modes.get(realPath) ?? 0o644, isLink, bytes };
  }

  async leadsToClosed({ folder, fsPath, realPath = fsPath }: NamedFile, isClosed: IsClosed): Promise<boolean> {
    const other = this.otherNames.get(realPath);
    return other !== undefined && isClosed({ folder, fsPath: other });
  }

  newFileFormat(): NewFileFormat {
    return this.newFiles;
  }

  hasTrash(): boolean {
    return this.trash;
  }

  #kindOf(path: string): DirectoryEntry['kind'] {
    const node = this.nodes.get(path);
    if (node === undefined) return 'directory';
    if (node === pipe) return 'other';
    return typeof node === 'object' && 'link' in node ? 'link' : 'file';
  }

  #real(path: string, hops: number): { realPath: string; dangling: boolean } {
    const segments = posix.normalize(path).split('/').slice(1);
    let real = '';
    for (const [at, segment] of segments.entries()) {
      const next = this.#asSpelt(`${real}/${segment}`);
      const node = this.nodes.get(next);
      if (typeof node === 'object' && 'link' in node && hops > 0) {
        const target = posix.resolve(real === '' ? '/' : real, node.link);
        const found = this.#real(posix.join(target, ...segments.slice(at + 1)), hops - 1);
        return { ...found, dangling: found.dangling || !this.#exists(this.#real(target, hops - 1).realPath) };
      }
      real = next;
    }
    return { realPath: real === '' ? '/' : real, dangling: false };
  }

  #asSpelt(path: string): string {
    if (!this.ignoresCase || this.#exists(path)) return path;
    const wanted = `${path}/`.toLowerCase();
    const known = [...this.nodes.keys()].find((key) => `${key}/`.toLowerCase().startsWith(wanted));
    return known === undefined ? path : known.slice(0, path.length);
  }

  #exists(path: string): boolean {
    return this.nodes.has(path) || this.folders.has(path) || this.#hasChildren(path);
  }

  #hasChildren(path: string): boolean {
    const prefix = path.endsWith('/') ? path : `${path}/`;
    return [...this.nodes.keys()].some((known) => known.startsWith(prefix));
  }

  #identity(path: string): { device: bigint; inode: bigint } {
    const inode = this.#inodes.get(path) ?? BigInt(this.#inodes.size + 1);
    this.#inodes.set(path, inode);
    const mount = [...this.devices].find(([root]) => path === root || path.startsWith(`${root}/`));
    return { device: mount?.[1] ?? 1n, inode };
  }
}

function bytesOf(node: FakeNode | undefined): Uint8Array {
  if (typeof node === 'string') return Buffer.from(node);
  return node instanceof Uint8Array ? node : new Uint8Array();
}
