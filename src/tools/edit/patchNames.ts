/** Longer ones are no names; whoever reads them says so. */
const maximumQuoted = 20_000;

/** The name of the missing side of a file that is created or deleted. */
export const nowhere = '/dev/null';

/** The name in a `---` or `+++` line, without the time behind it. */
export function fileName(line: string): string {
  const time = line.search(/\t| \d{4}-\d\d-\d\d \d\d:\d\d/);
  return unquoted(line.slice(4, time < 0 ? undefined : time).trim());
}

/** Both names of a `diff --git` line when they are equal but for their prefixes; renames say theirs apart. */
export function gitNames(names: string): [string, string] | [] {
  if (names.length > 2 * maximumQuoted) return [];
  const quoted = /^("(?:[^"\\]|\\.)*"|[^" ]+) ("(?:[^"\\]|\\.)*"|[^" ]+)$/.exec(names);
  const middle = (names.length - 1) / 2;
  const [left, right] = quoted === null ? [names.slice(0, middle), names.slice(middle + 1)] : quoted.slice(1);
  if (left === undefined || right === undefined || without('a', unquoted(left)) !== without('b', unquoted(right)))
    return [];
  return [unquoted(left), unquoted(right)];
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A name as git quotes it: escapes as in C, bytes of UTF-8 in octal. Others come back unchanged. */
export function unquoted(name: string): string {
  if (name.length > maximumQuoted) return name;
  const inner = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (inner === undefined) return name;
  return inner.replace(/(?:\\[0-3][0-7]{2})+|\\(.)/g, (octal, letter: string | undefined) =>
    letter === undefined
      ? Buffer.from(
          octal
            .slice(1)
            .split('\\')
            .map((digits: string) => Number.parseInt(digits, 8)),
        ).toString('utf8')
      : (escapes[letter] ?? letter),
  );
}

/** Both names without the prefixes of git. A lone one is taken to have them unless other files of the patch have none. */
export function plainNames(
  oldName: string | undefined,
  newName: string | undefined,
  isPrefixed: boolean,
): [string | undefined, string | undefined] {
  if (oldName !== undefined && newName !== undefined && oldName === newName) return [oldName, newName];
  if (!isPrefixed && (oldName === undefined || newName === undefined)) return [oldName, newName];
  return [oldName && without('a', oldName), newName && without('b', newName)];
}

function without(prefix: 'a' | 'b', name: string): string {
  return name.startsWith(`${prefix}/`) ? name.slice(2) : name;
}
