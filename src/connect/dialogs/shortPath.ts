/** A path as a human knows it: the home folder is `~`. */
export function shortPath(path: string, home: string): string {
  const next = path.at(home.length);
  return path.startsWith(home) && (next === '/' || next === '\\') ? `~${path.slice(home.length)}` : path;
}
