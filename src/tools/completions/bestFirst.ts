import { comparePaths } from '#base/pathOrder.ts';

/** Ranks a path, ignoring case: 0 when its name begins with the typed text, 1 when its name has it, 2 when its path has it. */
function fitOf(path: string, typed: string): number | undefined {
  const whole = path.toLowerCase();
  const part = typed.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  if (name.startsWith(part)) return 0;
  if (name.includes(part)) return 1;
  return whole.includes(part) ? 2 : undefined;
}

/** Returns the paths that contain the typed text: names that begin with it, names with it, then paths with it. */
export function bestFirst(paths: readonly string[], typed: string): readonly string[] {
  return paths
    .flatMap((path) => {
      const fit = fitOf(path, typed);
      return fit === undefined ? [] : [{ path, fit }];
    })
    .toSorted((one, other) => one.fit - other.fit || comparePaths(one.path, other.path))
    .map(({ path }) => path);
}
