import { comparePaths } from '#base/pathOrder.ts';

/** How well a path fits what was typed, in either case: 0 when its name begins with it, 2 when it is anywhere; undefined for not at all. */
function fitOf(path: string, typed: string): number | undefined {
  const whole = path.toLowerCase();
  const part = typed.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  if (name.startsWith(part)) return 0;
  if (name.includes(part)) return 1;
  return whole.includes(part) ? 2 : undefined;
}

/** Those that hold what was typed: names that begin with it, then names and then paths that hold it, each in path order. */
export function bestFirst(paths: readonly string[], typed: string): readonly string[] {
  return paths
    .flatMap((path) => {
      const fit = fitOf(path, typed);
      return fit === undefined ? [] : [{ path, fit }];
    })
    .toSorted((one, other) => one.fit - other.fit || comparePaths(one.path, other.path))
    .map(({ path }) => path);
}
