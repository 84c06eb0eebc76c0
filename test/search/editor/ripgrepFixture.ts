import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { resolveAddress } from '#call/resolve.ts';
import { locate } from '#files/disk.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { findRipgrep } from '#search/ripgrep/findRipgrep.ts';
import type { SearchSettings } from '#search/ripgrep/scope.ts';
import { createRipgrepSearch, type SearchFacts, type UnsavedText } from '#search/ripgrep/ripgrepSearch.ts';
import type { FileMatches, Search, TextQuery } from '#search/search.ts';
import { folderAt } from '../../fakes/workspace.ts';

/** The real ripgrep, from the optional package or the PATH. */
export const ripgrep = findRipgrep({
  appRoot: undefined,
  extensionRoot: fileURLToPath(new URL('../../..', import.meta.url)),
  path: process.env['PATH'],
  platform: process.platform,
  architecture: process.arch,
});

/** A real folder on disk, with a search that is set up as in the editor. */
export class SearchedFolder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-search-')));
  readonly folder: WorkspaceFolder = folderAt(this.root, { name: 'w' });
  folders: readonly WorkspaceFolder[] = [this.folder];
  settings: SearchSettings = {
    exclude: {},
    useIgnoreFiles: true,
    useGlobalIgnoreFiles: false,
    useParentIgnoreFiles: false,
    candidates: [],
    encoding: 'utf8',
  };
  unsaved: readonly UnsavedText[] = [];
  pathRules: PathRules = { home: '/nowhere', privateFolders: [] };
  program: SearchFacts['program'] = () => ripgrep;

  write(files: Readonly<Record<string, string | Uint8Array>>): this {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content);
    }
    return this;
  }

  get search(): Search {
    return createRipgrepSearch({
      program: () => this.program(),
      folders: () => this.folders,
      settings: () => this.settings,
      unsavedTexts: () => this.unsaved,
      pathRules: this.pathRules,
    });
  }

  async textQuery(pattern: string, facts: Partial<TextQuery> = {}, ...paths: string[]): Promise<TextQuery> {
    const workspace = { folders: () => this.folders };
    const dependencies = { workspace, files: { locate }, pathRules: this.pathRules, purpose: 'read' as const };
    const addresses = paths.length > 0 ? paths : this.folders.map(({ fsPath }) => fsPath);
    return {
      within: await Promise.all(addresses.map((path) => resolveAddress(path, dependencies))),
      include: [],
      exclude: [],
      includeIgnored: false,
      pattern,
      isRegex: false,
      caseSensitive: false,
      wholeWord: false,
      multiline: false,
      linesBefore: 0,
      linesAfter: 0,
      sorted: true,
      ...facts,
    };
  }

  async find(pattern: string, facts: Partial<TextQuery> = {}, ...paths: string[]): Promise<FileMatches[]> {
    const query = await this.textQuery(pattern, facts, ...paths);
    return collect(this.search.text(query, AbortSignal.timeout(20_000)));
  }

  /** Returns `path:line` of every match. */
  async hits(pattern: string, facts: Partial<TextQuery> = {}, ...paths: string[]): Promise<string[]> {
    const found = await this.find(pattern, facts, ...paths);
    return found.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`));
  }

  /** Returns the paths of files in path order. */
  async names(facts: Partial<TextQuery> = {}, ...paths: string[]): Promise<string[]> {
    const query = await this.textQuery('', facts, ...paths);
    const found = await collect(this.search.files(query, AbortSignal.timeout(20_000)));
    return found.map(({ path }) => path).toSorted();
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
