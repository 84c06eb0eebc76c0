import {
  anyMatches,
  anyMatchesBelow,
  callerGlobs,
  settingsGlobs,
  withContents,
  type FileGlob,
} from '#policy/fileGlobs.ts';
import type { FileQuery } from '../search.ts';

/** The editor's settings for searches in one folder. */
export interface SearchSettings {
  /** `files.exclude` and `search.exclude` merged, by glob: true hides a file, and `when` hides it only beside that sibling. */
  readonly exclude: Readonly<Record<string, boolean | { readonly when: string }>>;
  readonly useIgnoreFiles: boolean;
  readonly useGlobalIgnoreFiles: boolean;
  readonly useParentIgnoreFiles: boolean;
  /** `files.encoding`: an encoding id of the editor. */
  readonly encoding: string;
  /** `files.candidateGuessEncodings`: encoding ids of the editor. */
  readonly candidates: readonly string[];
}

/**
 * Which files of one folder a query admits, in two equivalent forms: arguments for the walk of ripgrep, and predicates for files that
 * do not come from that walk (unsaved texts, and files that the query names directly).
 */
export interface Scope {
  readonly arguments: readonly string[];
  /**
   * Returns true when a file passes the include globs. ripgrep gets only a coarse form of them, since its own include globs override
   * ignore files.
   */
  includes(relative: string): boolean;
  /** Returns true when the exclude globs hide a file below `root` (both relative to the folder). */
  excludes(relative: string, root: string): boolean;
  /** Returns the name of the sibling that hides this file when it exists (`when` in the editor's settings), if there is a rule. */
  hiddenBeside(relative: string): string | undefined;
  /** Arguments for the walk that lists what must not be opened, too. */
  readonly closedArguments: readonly string[];
}

/**
 * Computes the scope of a query in one folder.
 * @param unreadable case-insensitive globs of files that must not even be opened
 * @param roots paths relative to the folder at which the walk begins
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
    closedArguments: [
      '--no-ignore',
      ...['**/.git', '**/.bare', ...query.exclude].flatMap((glob) => ['--iglob', `!${glob}`]),
    ],
  };
}

function ignoreArguments(query: FileQuery, settings: SearchSettings, roots: readonly string[]): readonly string[] {
  if (query.includeIgnored || !settings.useIgnoreFiles) return ['--no-ignore'];
  // The setting concerns directories above the folder. When a walk begins below the folder, ripgrep also counts the folder's own
  // ignore files as those of a parent, so they must not be turned off.
  const isWhole = roots.includes('');
  return [
    '--no-require-git',
    ...(settings.useParentIgnoreFiles || !isWhole ? [] : ['--no-ignore-parent']),
    ...(settings.useGlobalIgnoreFiles ? [] : ['--no-ignore-global']),
  ];
}

/** Defines a file type from globs such as `*.ts`. Unlike an include glob, a type never overrides an ignore file. */
function nameArguments(include: readonly string[]): readonly string[] {
  const names = include.map(lastSegment);
  if (names.length === 0 || !names.every((name) => extensionGlob.test(name))) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

const extensionGlob = /^\*(\.[\w*-]+)*\.([\w*-]+|\{[\w.,-]+\})$/;

function lastSegment(glob: string): string {
  return glob.slice(glob.lastIndexOf('/') + 1);
}

/** Returns true when the end of a glob can only match files. Other globs may name a folder. */
function namesFiles({ text }: FileGlob): boolean {
  return extensionGlob.test(lastSegment(text)) || text.endsWith('**');
}

/**
 * Returns the directories with which the include globs begin, so that the walk can begin there. Returns undefined when a glob begins
 * with a wildcard.
 * @throws InvalidArgumentsError for a glob that leads out of the folder
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
