import type { WorkspaceFolder } from '#base/workspace.ts';
import { flavourOf } from './folderLabels.ts';
import { classifyNames, fold, patternsStarting, stricter, type Classification, type NamePattern } from './nameRules.ts';
import { relativeTo } from './paths.ts';
import { hardDenied, hardDeniedInHome, hardDeniedTrees, sampleEnvironments, secret } from './protectedTable.ts';
import { classifyTree, treeForm, treeRules, type PathRules, type TreeRule } from './treeRules.ts';

export type { Classification, PathRules };

/** A path to classify. Without `realPath` it was found by a walk that follows no link, so both paths are the same. */
export interface JudgedPath {
  readonly folder: WorkspaceFolder;
  readonly fsPath: string;
  readonly realPath?: string;
}

/** Returns the stricter class of the lexical path and the real path (threat row P3). */
export function classifyPath({ folder, fsPath, realPath }: JudgedPath, rules: PathRules): Classification {
  if (realPath === undefined && folder.realPath === folder.fsPath) return classifyFound(folder, fsPath, rules);
  const below = fsPath.slice(folder.fsPath.length);
  const real = realPath ?? folder.realPath + below;
  const trees = treeRules(rules);
  const byTree = stricter(classifyTree(fsPath, trees), classifyTree(real, trees));
  const inFolder = flavourOf(real).relative(folder.realPath, real);
  return stricter(byTree, stricter(classifyNames(below), classifyNames(inFolder)));
}

/** Returns true when tools may read a path. */
export function isReadable(path: JudgedPath, rules: PathRules): boolean {
  const judged = classifyPath(path, rules).class;
  return judged === 'ordinary' || judged === 'protected';
}

/** The facts about a directory that hold for all its files, cached so that a walk of a large tree classifies little but names. */
interface JudgedDirectory {
  readonly verdict: Classification;
  /** Patterns of two segments whose first is this directory. */
  readonly begun: readonly NamePattern[];
  /** Trees whose root lies directly in this directory. */
  readonly trees: readonly TreeRule[];
}

const judgedDirectories = new WeakMap<PathRules, Map<string, JudgedDirectory>>();
const maximumRemembered = 20_000;

function classifyFound(folder: WorkspaceFolder, fsPath: string, rules: PathRules): Classification {
  const end = Math.max(fsPath.lastIndexOf('/'), fsPath.lastIndexOf('\\'));
  if (end < folder.fsPath.length) {
    return stricter(classifyNames(fsPath.slice(folder.fsPath.length)), classifyTree(fsPath, treeRules(rules)));
  }
  const directory = judgeDirectory(folder, fsPath.slice(0, end), rules);
  const name = fold(fsPath.slice(end + 1));
  let verdict = stricter(directory.verdict, classifyTree(fsPath, directory.trees));
  for (const pattern of patternsStarting(name)) {
    if (pattern.second === undefined) verdict = stricter(verdict, pattern.verdict);
  }
  for (const pattern of directory.begun) {
    if (pattern.second?.(name) === true) verdict = stricter(verdict, pattern.verdict);
  }
  return verdict;
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
  const judged = {
    verdict: stricter(classifyNames(below), classifyTree(directory, trees)),
    begun: patternsStarting(fold(below.slice(below.search(/[^/\\]*$/)))).filter(({ second }) => second !== undefined),
    trees: trees.filter(({ root }) => root.startsWith(form)),
  };
  if (remembered.size >= maximumRemembered) remembered.clear();
  remembered.set(key, judged);
  return judged;
}

/** Returns case-insensitive globs, relative to a folder, of everything in it that must not be opened. */
export function unreadableGlobs(folder: WorkspaceFolder, rules: PathRules): readonly string[] {
  const inHome = hardDeniedInHome.map((name) => `${rules.home}/${name}`);
  const denied = [...rules.privateFolders, ...hardDeniedTrees, ...inHome];
  const inside = denied.flatMap((path) => relativeTo(folder.realPath, path) ?? relativeTo(folder.fsPath, path) ?? []);
  return [...unreadableNames, ...inside.filter((path) => path !== '').map((path) => `/${escapeGlob(path)}`)];
}

const unreadableNames: readonly string[] = [...hardDenied, ...secret.map(withoutSamples)].map((name) => `**/${name}`);

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}!]/g, '[$&]');
}

/** Returns globs for `.env.*` without its harmless members: ripgrep has no exceptions from an exclusion. */
function withoutSamples(pattern: string): string {
  return pattern === '.env.*' ? `.env.{${anySuffixBut(sampleEnvironments).join(',')}}` : pattern;
}

/** Returns globs that together match every non-empty text except the words. No word may begin with another one. */
function anySuffixBut(words: readonly string[]): readonly string[] {
  const prefixes = new Set(words.flatMap((word) => Array.from(word, (_, length) => word.slice(0, length))));
  const others = Array.from(prefixes, (prefix) => {
    const next = words.filter((word) => word.startsWith(prefix)).map((word) => word.charAt(prefix.length));
    return `${prefix}[!${[...new Set(next)].join('')}]*`;
  });
  return [...[...prefixes].filter((prefix) => prefix !== ''), ...others, ...words.map((word) => `${word}?*`)];
}
