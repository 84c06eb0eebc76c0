import type { WorkspaceFolder } from '#base/workspace.ts';
import { flavourOf } from './folderLabels.ts';
import {
  type Classification,
  classifyNames,
  counts,
  fold,
  isSourceCode,
  type NamePattern,
  patternsStarting,
  stricter,
} from './nameRules.ts';
import { relativeTo } from './paths.ts';
import { hardDenied, hardDeniedInHome, hardDeniedTrees } from './protectedTable.ts';
import { classifyTree, treeForm, treeRules, type PathRules, type TreeRule } from './treeRules.ts';

export type { Classification, PathRules };

/** A path to classify. Without `realPath` it was found by a walk that follows no link, so both paths are the same. */
export interface JudgedPath {
  readonly folder: WorkspaceFolder;
  readonly fsPath: string;
  readonly realPath?: string;
  /** What it is, when that is known; otherwise it counts as a file. */
  readonly kind?: string;
}

/** Returns the stricter class of the lexical path and the real path (threat row P3). */
export function classifyPath(path: JudgedPath, rules: PathRules): Classification {
  const { folder, fsPath, realPath } = path;
  const isFolder = path.kind === 'directory';
  if (realPath === undefined && folder.realPath === folder.fsPath)
    return classifyFound(folder, fsPath, isFolder, rules);
  const below = fsPath.slice(folder.fsPath.length);
  const real = realPath ?? folder.realPath + below;
  const trees = treeRules(rules);
  // No link leads to the path or stands in it, so both paths have the same names.
  if (real === fsPath && folder.realPath === folder.fsPath)
    return stricter(classifyTree(fsPath, trees), classifyNames(below, isFolder));
  const byTree = stricter(classifyTree(fsPath, trees), classifyTree(real, trees));
  const inFolder = flavourOf(real).relative(folder.realPath, real);
  return stricter(byTree, stricter(classifyNames(below, isFolder), classifyNames(inFolder, isFolder)));
}

/** Returns true when tools may read a path. */
export function isReadable(path: JudgedPath, rules: PathRules): boolean {
  const judged = classifyPath(path, rules).class;
  return judged === 'ordinary' || judged === 'protected';
}

/** The facts about a directory that hold for all its files, cached so that a walk of a large tree classifies little but names. */
interface JudgedDirectory {
  readonly verdict: Classification;
  /** The same for source code, which no name closes. */
  readonly ofSourceCode: Classification;
  /** Its folded name and those of the folders above it, from the workspace folder down. */
  readonly above: readonly string[];
  /** Patterns of two segments whose first is this directory. */
  readonly begun: readonly NamePattern[];
  /** Trees whose root lies directly in this directory. */
  readonly trees: readonly TreeRule[];
}

const judgedDirectories = new WeakMap<PathRules, Map<string, JudgedDirectory>>();
const maximumRemembered = 20_000;

function classifyFound(folder: WorkspaceFolder, fsPath: string, isFolder: boolean, rules: PathRules): Classification {
  const end = Math.max(fsPath.lastIndexOf('/'), fsPath.lastIndexOf('\\'));
  if (end < folder.fsPath.length) {
    const byName = classifyNames(fsPath.slice(folder.fsPath.length), isFolder);
    return stricter(byName, classifyTree(fsPath, treeRules(rules)));
  }
  const directory = judgeDirectory(folder, fsPath.slice(0, end), rules);
  const name = fold(fsPath.slice(end + 1));
  const leaf = { name, above: directory.above, isFolder };
  const byDirectory = !isFolder && isSourceCode(name) ? directory.ofSourceCode : directory.verdict;
  const matching = [
    ...patternsStarting(name).filter(({ second }) => second === undefined),
    ...directory.begun.filter(({ second }) => second?.(name) === true),
  ];
  return matching
    .filter((pattern) => counts(pattern, leaf, true))
    .reduce(
      (verdict, pattern) => stricter(verdict, pattern.verdict),
      stricter(byDirectory, classifyTree(fsPath, directory.trees)),
    );
}

function judgeDirectory(folder: WorkspaceFolder, directory: string, rules: PathRules): JudgedDirectory {
  const remembered = judgedDirectories.get(rules) ?? new Map<string, JudgedDirectory>();
  judgedDirectories.set(rules, remembered);
  const key = `${folder.fsPath}\n${directory}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const below = directory.slice(folder.fsPath.length);
  const trees = treeRules(rules);
  const form = treeForm(directory);
  const byTree = classifyTree(directory, trees);
  const above = below.split(/[/\\]/).map(fold);
  const judged = {
    verdict: stricter(classifyNames(below, true), byTree),
    ofSourceCode: stricter(classifyNames(`${below}/${someSourceCode}`), byTree),
    above,
    begun: patternsStarting(above.at(-1) ?? '').filter(({ second }) => second !== undefined),
    trees: trees.filter(({ root }) => root.startsWith(form)),
  };
  if (remembered.size >= maximumRemembered) remembered.clear();
  remembered.set(key, judged);
  return judged;
}

/** The name of a file of source code that no row of the table has. */
const someSourceCode = 'a.ts';

/**
 * Returns case-insensitive globs, relative to a folder, of private places that must not be opened. Secret files are not among them:
 * a glob cannot make the exceptions that {@link classifyPath} makes.
 */
export function privateGlobs(folder: WorkspaceFolder, rules: PathRules): readonly string[] {
  const inHome = hardDeniedInHome.map((name) => `${rules.home}/${name}`);
  const denied = [...rules.privateFolders, ...hardDeniedTrees, ...inHome];
  const inside = denied.flatMap((path) => relativeTo(folder.realPath, path) ?? relativeTo(folder.fsPath, path) ?? []);
  const names = hardDenied.map((name) => `**/${name}`);
  return [...names, ...inside.filter((path) => path !== '').map((path) => `/${escapeGlob(path)}`)];
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}!]/g, '[$&]');
}
