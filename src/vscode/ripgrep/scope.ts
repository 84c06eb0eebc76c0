import picomatch from 'picomatch';
import type { FileQuery } from '../../ports/search.ts';

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

const options = { dot: true } as const;

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
  const fromSettings = query.includeIgnored ? [] : Object.entries(settings.exclude);
  const hidden = fromSettings.flatMap(([glob, value]) => (value === true ? [rooted(glob)] : []));
  const exclude = [...hidden, ...query.exclude.map(anyDepth)];
  const include = query.include.map(anyDepth).flatMap(withContents);
  const includes = include.length === 0 ? () => true : picomatch(include, options);
  const excludes = exclude.length === 0 ? () => false : picomatch(exclude, options);
  return {
    arguments: [
      ...ignoreArguments(query, settings, roots),
      ...nameArguments(query.include),
      ...exclude.flatMap((glob) => ['--glob', `!${glob.startsWith('**') ? '' : '/'}${glob}`]),
      ...unreadable.flatMap((glob) => ['--iglob', `!${glob}`]),
    ],
    includes: (relative) => includes(relative),
    excludes: (relative, root) => pathsBelow(root, relative).some((path) => excludes(path)),
    hiddenBeside: siblingRule(fromSettings),
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
function withContents(glob: string): readonly string[] {
  return extensionGlob.test(lastSegment(glob)) || glob.endsWith('**') ? [glob] : [glob, `${glob}/**`];
}

/** Directories that the globs are bound to, so that a walk need not begin at the folder; undefined when one is bound to none. */
export function rootsOf(include: readonly string[]): readonly string[] | undefined {
  const roots = include.map((glob) => picomatch.scan(anyDepth(glob)).base);
  return roots.length === 0 || roots.some((root) => root === '' || root === '.' || root.startsWith('..'))
    ? undefined
    : roots;
}

/** Patterns of settings begin at the folder. Repeated `**` mean nothing more and would multiply the work of matching (row P14). */
function rooted(glob: string): string {
  return glob
    .replaceAll('\\', '/')
    .replace(/(\*\*\/)+/g, '**/')
    .replace(/^\.?\/+/, '')
    .replace(/\/+$/, '');
}

/** Patterns of a caller: without a slash they match at any depth, as in ignore files. */
function anyDepth(glob: string): string {
  const trimmed = rooted(glob);
  return trimmed.includes('/') || glob.startsWith('/') || glob.startsWith('./') ? trimmed : `**/${trimmed}`;
}

/** `a/b/c` below `a`: `a/b`, `a/b/c`; a walk asks about each of them. */
function pathsBelow(root: string, relative: string): readonly string[] {
  const segments = relative.split('/');
  const skip = root === '' ? 0 : root.split('/').length;
  return segments.slice(skip).map((_, at) => segments.slice(0, skip + at + 1).join('/'));
}

function siblingRule(
  entries: readonly (readonly [string, boolean | { readonly when: string }])[],
): (relative: string) => string | undefined {
  const rules = entries.flatMap(([glob, value]) =>
    typeof value === 'object' ? [{ matches: picomatch(rooted(glob), options), when: value.when }] : [],
  );
  return (relative) => {
    const rule = rules.find(({ matches }) => matches(relative));
    if (rule === undefined) return undefined;
    const name = relative.slice(relative.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.');
    return rule.when.replaceAll('$(basename)', () => (dot > 0 ? name.slice(0, dot) : name));
  };
}
