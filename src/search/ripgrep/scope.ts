import {
  anyMatches,
  anyMatchesBelow,
  callerGlobs,
  settingsGlobs,
  withContents,
  type FileGlob,
} from '#policy/fileGlobs.ts';
import type { FileQuery } from '../search.ts';

/** What the editor's settings say about searching in one folder. */
export interface SearchSettings {
  /** `files.exclude` and `search.exclude`, merged: true, or hidden only beside a sibling. */
  readonly exclude: Readonly<Record<string, boolean | { readonly when: string }>>;
  readonly useIgnoreFiles: boolean;
  readonly useGlobalIgnoreFiles: boolean;
  readonly useParentIgnoreFiles: boolean;
  /** `files.encoding`, the editor's id. */
  readonly encoding: string;
}

/**
 * Which files of one folder a query admits, in two forms that mean the same: arguments for ripgrep's walk, and
 * predicates for what does not come from that walk (unsaved buffers, a file that is named itself).
 */
export interface Scope {
  readonly arguments: readonly string[];
  /** Whether a file passes the include globs. ripgrep sees only a coarse form of them: as its own globs they would win over ignore files. */
  includes(relative: string): boolean;
  /** Whether the exclude globs hide a file below `root` (both relative to the folder). */
  excludes(relative: string, root: string): boolean;
  /** The name of the sibling that hides this file if it exists (`when` in the editor's settings). */
  hiddenBeside(relative: string): string | undefined;
}

/**
 * @param unreadable globs, without regard to case, of what must not even be opened.
 * @param roots where the walk begins, relative to the folder.
 */
export function scopeOf(
  query: FileQuery,
  settings: SearchSettings,
  unreadable: readonly string[],
  roots: readonly string[],
): Scope {
  const excluded: SearchSettings['exclude'] = query.includeIgnored ? {} : settings.exclude;
  const fromSettings = settingsGlobs(Object.keys(excluded).filter((glob) => excluded[glob] !== false));
  const exclude = [...fromSettings.filter(({ written }) => excluded[written] === true), ...callerGlobs(query.exclude)];
  const include = callerGlobs(query.include).map((glob) => (namesFiles(glob) ? glob : withContents(glob)));
  return {
    arguments: [
      ...ignoreArguments(query, settings, roots),
      ...nameArguments(query.include),
      ...exclude.flatMap(({ text }) => ['--glob', `!${text.startsWith('**') ? '' : '/'}${text}`]),
      ...unreadable.flatMap((glob) => ['--iglob', `!${glob}`]),
    ],
    includes: (relative) => include.length === 0 || anyMatches(include, relative),
    excludes: (relative, root) => anyMatchesBelow(exclude, root, relative),
    hiddenBeside: siblingRule(fromSettings, excluded),
  };
}

function ignoreArguments(query: FileQuery, settings: SearchSettings, roots: readonly string[]): readonly string[] {
  if (query.includeIgnored || !settings.useIgnoreFiles) return ['--no-ignore'];
  // The setting is about directories above the folder; for a walk that begins below it, the folder's own files are "parent" too.
  const isWhole = roots.includes('');
  return [
    '--no-require-git',
    ...(settings.useParentIgnoreFiles || !isWhole ? [] : ['--no-ignore-parent']),
    ...(settings.useGlobalIgnoreFiles ? [] : ['--no-ignore-global']),
  ];
}

/** A file type made of `*.ts` and its like: unlike a glob, it never brings back what an ignore file hides. */
function nameArguments(include: readonly string[]): readonly string[] {
  const names = include.map(lastSegment);
  if (names.length === 0 || !names.every((name) => extensionGlob.test(name))) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

const extensionGlob = /^\*(\.[\w*-]+)*\.([\w*-]+|\{[\w.,-]+\})$/;

function lastSegment(glob: string): string {
  return glob.slice(glob.lastIndexOf('/') + 1);
}

/** A glob may name a folder, unless its end is plainly that of files. */
function namesFiles({ text }: FileGlob): boolean {
  return extensionGlob.test(lastSegment(text)) || text.endsWith('**');
}

/**
 * Directories that the globs are bound to, so that a walk need not begin at the folder; undefined when one is bound to none.
 * @throws InvalidArgumentsError for a glob that leads elsewhere.
 */
export function rootsOf(include: readonly string[]): readonly string[] | undefined {
  const roots = callerGlobs(include).map(({ text }) => withoutWildcards(text));
  return roots.length === 0 || roots.includes('') ? undefined : roots;
}

function withoutWildcards(glob: string): string {
  const [start = ''] = /^[^*?[{]*/.exec(glob) ?? [];
  return start === glob ? glob : start.slice(0, Math.max(0, start.lastIndexOf('/')));
}

function siblingRule(
  globs: readonly FileGlob[],
  excluded: SearchSettings['exclude'],
): (relative: string) => string | undefined {
  const rules = globs.flatMap((glob) => {
    const value = excluded[glob.written];
    return typeof value === 'object' ? [{ glob, when: value.when }] : [];
  });
  return (relative) => {
    const rule = rules.find(({ glob }) => anyMatches([glob], relative));
    if (rule === undefined) return undefined;
    const name = relative.slice(relative.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.');
    return rule.when.replaceAll('$(basename)', () => (dot > 0 ? name.slice(0, dot) : name));
  };
}
