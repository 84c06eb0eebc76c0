import type { ResolvedPath } from '#base/files.ts';
import type {
  CallItem,
  Language,
  LibrarySource,
  OutlineSymbol,
  OutsideLocation,
  Position,
  Relation,
  TypeItem,
  Use,
} from '#base/language.ts';

/** Language services that return what a test sets. Keys are workspace-relative paths, with `:line` where needed. */
export class FakeLanguage implements Language {
  readonly outlines = new Map<string, readonly OutlineSymbol[]>();
  /** By `relation path:line`. */
  readonly uses = new Map<string, readonly Use[]>();
  /** By the label of a place. */
  readonly libraries = new Map<string, LibrarySource>();
  /** By `path:line`. */
  readonly accesses = new Map<string, 'read' | 'write'>();
  readonly hovers = new Map<string, readonly string[]>();
  readonly calls = new Map<string, readonly CallItem[]>();
  readonly types = new Map<string, readonly TypeItem[]>();

  async languageOf({ path }: ResolvedPath): Promise<string> {
    return path.endsWith('.ts') ? 'typescript' : 'plaintext';
  }

  async outline({ path }: ResolvedPath): Promise<readonly OutlineSymbol[] | undefined> {
    return this.outlines.get(path);
  }

  async places(relation: Relation, { path }: ResolvedPath, { line }: Position): Promise<readonly Use[]> {
    return this.uses.get(`${relation} ${path}:${line}`) ?? [];
  }

  async librarySource(_askedIn: ResolvedPath, place: OutsideLocation): Promise<LibrarySource | undefined> {
    return this.libraries.get(place.path);
  }

  async withAccess(uses: readonly Use[]): Promise<readonly Use[]> {
    return uses.map((use) => {
      const access = this.accesses.get(`${use.path}:${use.firstLine}`);
      return access === undefined ? use : { ...use, access };
    });
  }

  async hover({ path }: ResolvedPath, { line }: Position): Promise<readonly string[]> {
    return this.hovers.get(`${path}:${line}`) ?? [];
  }

  async callItems({ path }: ResolvedPath, { line }: Position): Promise<readonly CallItem[]> {
    return this.calls.get(`${path}:${line}`) ?? [];
  }

  async typeItems({ path }: ResolvedPath, { line }: Position): Promise<readonly TypeItem[]> {
    return this.types.get(`${path}:${line}`) ?? [];
  }

  async explain({ path }: ResolvedPath): Promise<string> {
    return `No language service answers for ${path}.`;
  }
}
