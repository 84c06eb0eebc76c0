import { open, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { LibrarySource, OutsideLocation } from '#base/language.ts';
import { readFlags } from '#base/openFlags.ts';
import { codeLanguageOf } from '../codeLanguages.ts';
import { type Address, outsideLabel } from './locations.ts';

/** In bytes. The largest declarations of a language's own library, those of the browser, have less than 3 MB. */
const maximumBytes = 5 * 1024 * 1024;

/**
 * Reads the files outside the workspace in which a language service found a definition: nothing names such a file but the place
 * that the service returned. Only source code of a package that is installed for the workspace, or of an extension, is read (threat
 * row P28).
 */
export class LibrarySources {
  readonly #files = new WeakMap<OutsideLocation, Address>();

  /** Notes that a language service led to a place. */
  led(place: OutsideLocation, file: Address): void {
    this.#files.set(place, file);
  }

  /**
   * Returns the text of the file of a place; undefined when no service led there, and when it is no library.
   * @param extensions the folders of the extensions that serve the language
   * @param folders real paths of the folders of the workspace, whose files are read as such
   */
  async read(
    place: OutsideLocation,
    extensions: readonly string[],
    folders: readonly string[],
  ): Promise<LibrarySource | undefined> {
    const file = this.#files.get(place);
    if (file?.scheme !== 'file') return undefined;
    try {
      // A link in a library may lead anywhere, so the file that it leads to counts.
      const real = await realpath(file.fsPath);
      const own = await Promise.all(extensions.map((folder) => realpath(folder).catch(() => undefined)));
      const isOwn = own.some((folder) => folder !== undefined && real.startsWith(folder + sep));
      if (folders.some((folder) => real.startsWith(folder + sep))) return undefined;
      const isLibrary = isOwn || (await isInstalled(real, folders));
      if (!isLibrary || codeLanguageOf(real) === undefined) return undefined;
      const text = await readText(real);
      return text === undefined ? undefined : { path: outsideLabel({ ...file, fsPath: real }), text };
    } catch {
      // The file is gone, or may not be read.
      return undefined;
    }
  }
}

/**
 * Returns whether a file belongs to a package that is installed for a folder of the workspace: the package is in a `node_modules` folder
 * above that folder, or such a folder has a link to it. A package of another project is none of its libraries.
 */
async function isInstalled(real: string, folders: readonly string[]): Promise<boolean> {
  const parts = real.split(sep);
  const outermost = parts.slice(0, -1).indexOf('node_modules');
  if (outermost < 0) return false;
  const owner = parts.slice(0, outermost).join(sep);
  if (folders.some((folder) => folder.startsWith(owner + sep))) return true;
  const innermost = parts.lastIndexOf('node_modules', -2);
  const name = parts.slice(innermost + 1, innermost + (parts[innermost + 1]?.startsWith('@') === true ? 3 : 2));
  const installed = parts.slice(0, innermost + 1 + name.length).join(sep);
  const links = folders.flatMap(foldersAbove).map((folder) => join(folder, 'node_modules', ...name));
  const targets = await Promise.all(links.map((link) => realpath(link).catch(() => undefined)));
  return targets.includes(installed);
}

/** Returns a folder and all folders above it. */
function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

async function readText(real: string): Promise<string | undefined> {
  const handle = await open(real, readFlags);
  try {
    const facts = await handle.stat();
    const { size } = facts;
    if (!facts.isFile() || size > maximumBytes) return undefined;
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
