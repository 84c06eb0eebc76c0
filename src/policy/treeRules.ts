import { fold, ordinary, type Classification, type PathClass } from './nameRules.ts';
import { hardDeniedInHome, hardDeniedTrees, protectedInHome } from './protectedTable.ts';

/** Absolute paths of places that no tool may touch. A path that leads through a link is given in both forms. */
export interface PathRules {
  /** The user's home directory. */
  readonly home: string;
  /** Our own state, the editor's user data and extensions: refused for everything. */
  readonly privateFolders: readonly string[];
}

/** A tree that begins at an absolute place. */
export interface TreeRule {
  /** Folded, `/` separators, compared as a prefix of {@link treeForm}. */
  readonly root: string;
  readonly verdict: Classification;
}

const compiled = new WeakMap<PathRules, readonly TreeRule[]>();

/** The trees of these rules, the strictest first; compiled once. */
export function treeRules(rules: PathRules): readonly TreeRule[] {
  const known = compiled.get(rules);
  if (known !== undefined) return known;
  const home = treeForm(rules.home);
  const inHome = (kind: PathClass, names: readonly string[]): TreeRule[] =>
    names.map((name) => ({ root: `${home}${fold(name)}/`, verdict: { class: kind, pattern: `~/${name}` } }));
  const denied = [...rules.privateFolders, ...hardDeniedTrees];
  const trees: readonly TreeRule[] = [
    ...denied.map((folder) => ({ root: treeForm(folder), verdict: { class: 'hard_deny', pattern: folder } as const })),
    ...inHome('hard_deny', hardDeniedInHome),
    ...inHome('protected', protectedInHome),
    { root: `${home}.`, verdict: { class: 'protected', pattern: '~/.*' } },
  ];
  compiled.set(rules, trees);
  return trees;
}

export function classifyTree(absolute: string, trees: readonly TreeRule[]): Classification {
  if (trees.length === 0) return ordinary;
  const form = treeForm(absolute);
  return trees.find(({ root }) => form.startsWith(root))?.verdict ?? ordinary;
}

/** An absolute path as trees are compared, with a `/` at its end. */
export function treeForm(absolute: string): string {
  return `${fold(absolute.replaceAll('\\', '/').replace(/\/+$/, ''))}/`;
}
