/** Splits a qualified name, without what services add to it: `shop::Cart#addItem(item)`, `(*Cart).AddItem`, `Cart<T>`. */
export function nameParts(name: string): readonly string[] {
  const bare = name.replace(/^\(\*?([^()]+)\)\./, '$1.').replace(/(?<=[^\s(<])\s*[(<].*$/su, '');
  return bare
    .split(/::|[.#]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns true when a symbol has the wanted name, qualified as far as the caller did. */
export function isNamed(wanted: string, containers: readonly string[], name: string): boolean {
  return wanted === name || agree(wanted, containers, name) === 'wholly';
}

/** Returns true when a symbol may have the wanted name, given that a service may omit outer containers. */
export function mayBeNamed(wanted: string, containers: readonly string[], name: string): boolean {
  return wanted === name || agree(wanted, containers, name) !== undefined;
}

function agree(wanted: string, containers: readonly string[], name: string): 'wholly' | 'partly' | undefined {
  const asked = nameParts(wanted).toReversed();
  const own = nameParts(name);
  if (asked.length === 0 || own.length === 0) return undefined;
  const known = [...containers.flatMap(nameParts), ...own].toReversed();
  const isSame = asked.every((part, at) => {
    const other = known[at];
    // A container may be called "impl Cart" or "impl Display for Cart".
    return other === undefined || other === part || (at > 0 && other.endsWith(` ${part}`));
  });
  if (!isSame) return undefined;
  return asked.length <= known.length ? 'wholly' : 'partly';
}
