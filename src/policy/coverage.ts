import { globCovers, parseGlob, type PathGlob } from './pathGlob.ts';
import type { Rule, ScopedRule } from './rules.ts';

/** Returns true when `outer` decides every call that `inner`, an allow rule, can match. When in doubt, returns false. */
export function decidesBefore(outer: ScopedRule, inner: ScopedRule): boolean {
  if (outer.rule.effect === 'allow' || outer.invalid !== undefined || outer.rule.expires !== undefined) return false;
  const { action, client, class: kind, tools } = outer.rule;
  const isSameCaller = outer.scope !== 'session' || (inner.scope === 'session' && outer.principal === inner.principal);
  return (
    isSameCaller &&
    (client === undefined || client === 'any' || client === inner.rule.client) &&
    (outer.folder === undefined || outer.folder === inner.folder) &&
    (action === undefined || action === inner.rule.action) &&
    (kind === undefined || kind === inner.rule.class) &&
    (tools === undefined || inner.rule.tools?.every((tool) => tools.includes(tool)) === true) &&
    coversPaths(outer.rule, inner.rule)
  );
}

/** Returns true when a rule excludes every path that it names. */
export function excludesItself({ paths }: Rule): boolean {
  const { included, excluded } = globsOf(paths);
  return included.every((glob) => excluded.some((exclusion) => globCovers(exclusion, glob)));
}

/** Returns true when a rule matches every path except those that it excludes. */
export function namesEveryPath({ paths }: Rule): boolean {
  const { included } = globsOf(paths);
  return included.some((glob) => globCovers(glob, everyName));
}

const everyPath = parseGlob('**', 'widened');
const everyName = parseGlob('*', 'widened');

function coversPaths(outer: Rule, inner: Rule): boolean {
  if (outer.paths === undefined) return true;
  const { included, excluded } = globsOf(outer.paths);
  if (excluded.length > 0) return false;
  return globsOf(inner.paths).included.every((glob) => included.some((each) => globCovers(each, glob)));
}

/** Splits the paths of a rule into included and excluded globs. A rule without included paths matches every path. */
function globsOf(paths: readonly string[] = []): {
  readonly included: readonly PathGlob[];
  readonly excluded: readonly PathGlob[];
} {
  const globs = paths.map((path) => parseGlob(path, 'widened'));
  const included = globs.filter(({ excludes }) => !excludes);
  return {
    included: included.length === 0 ? [everyPath] : included,
    excluded: globs.filter(({ excludes }) => excludes),
  };
}
