import { basename, dirname, join, relative } from 'node:path/posix';

/** The paths before and after a move, absolute and with `/` as in URIs. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** An import with its target as a language service resolves it. All paths are those before the move. */
export interface Import {
  readonly specifier: string;
  readonly importer: string;
  readonly target: string;
}

/** The file endings that imports omit, or replace by the ending of the compiled script. */
const scriptEnding = /(?:\.d)?\.[cm]?[jt]sx?$/;
/** The file endings that an import may omit; endings such as `.mts` must be written. */
const optionalEnding = /(?:\.d\.ts|\.[jt]sx?)$/;

/** Returns the path of a file after the move, which may move the file itself or a folder above it. */
export function afterMove(path: string, { from, to }: Move): string {
  return isAtOrBelow(path, from) ? to + path.slice(from.length) : path;
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

export function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

/** Returns the path that a relative import points to, without the ending or `/index` that the import omits. */
export function pointedAt(specifier: string, importer: string): string {
  return withoutFinalSlash(join(dirname(importer), specifier));
}

/** Tells from the text alone whether an import may lead to `moved`, so that only such imports go to a language service. */
export function mayLeadTo(specifier: string, importer: string, moved: string): boolean {
  if (isRelative(specifier)) {
    const place = pointedAt(specifier, importer);
    return isAtOrBelow(place, moved) || stem(place) === stem(moved) || (isIndex(moved) && place === dirname(moved));
  }
  const names = specifier.split('/').map(stem);
  return names.includes(basename(stem(moved))) || (isIndex(moved) && names.at(-1) === basename(dirname(moved)));
}

/**
 * Returns the import's specifier after the move, in the same style: it still omits endings and `/index`, `.js` still stands for
 * `.ts`, and an alias stays an alias if its folder still holds the file. Returns undefined when the specifier need not change,
 * or its style is unknown.
 */
export function movedSpecifier(written: Import, move: Move): string | undefined {
  const { specifier, target } = written;
  if (!isRelative(specifier)) return movedAlias(written, move);
  const place = pointedAt(specifier, written.importer);
  const newPlace = isAtOrBelow(target, move.from) ? movedPlace(place, target, move) : place;
  if (newPlace === undefined) return undefined;
  // Keeps a specifier such as `./b/../a` of an unmoved file if it still points to its target.
  const importer = afterMove(written.importer, move);
  if (newPlace === place && dirname(importer) === dirname(written.importer)) return undefined;
  return changed(specifier, relativeSpecifier(newPlace, importer, specifier.endsWith('/')));
}

function movedAlias({ specifier, importer, target }: Import, move: Move): string | undefined {
  const place = isAtOrBelow(target, move.from) ? aliasedPlace(specifier, target) : undefined;
  const newPlace = place === undefined ? undefined : movedPlace(place, target, move);
  if (place === undefined || newPlace === undefined) return undefined;
  const names = specifier.split('/');
  const places = place.split('/');
  let common = 1;
  while (common < names.length && names.at(-1 - common) === places.at(-1 - common)) common += 1;
  const root = places.slice(0, -common).join('/');
  if (!newPlace.startsWith(`${root}/`)) return relativeSpecifier(newPlace, afterMove(importer, move), false);
  return changed(specifier, [...names.slice(0, -common), newPlace.slice(root.length + 1)].join('/'));
}

/** Returns the path that an alias stands for, if its last name is the name of the target; otherwise undefined. */
function aliasedPlace(specifier: string, target: string): string | undefined {
  const name = basename(specifier);
  if (name === basename(target)) return target;
  if (stem(name) === basename(stem(target))) return stem(target) + name.slice(stem(name).length);
  return isIndex(target) && name === basename(dirname(target)) ? dirname(target) : undefined;
}

/** Returns the path to import after the move of the target, for an import that pointed to `place` before. */
function movedPlace(place: string, target: string, move: Move): string | undefined {
  if (target !== move.from) return isAtOrBelow(place, move.from) ? afterMove(place, move) : undefined;
  if (place === target) return move.to;
  if (place === stem(target)) return withoutEnding(move.to);
  if (stem(place) === stem(target)) return compiled(move.to, place.slice(stem(place).length));
  if (!isIndex(target) || place !== dirname(target)) return undefined;
  return isIndex(move.to) ? dirname(move.to) : withoutEnding(move.to);
}

function relativeSpecifier(place: string, importer: string, asFolder: boolean): string {
  const path = relative(dirname(importer), place);
  const dotted = path === '' ? '.' : isRelative(path) ? path : `./${path}`;
  return asFolder ? `${dotted}/` : dotted;
}

function withoutEnding(path: string): string {
  return optionalEnding.test(path) ? stem(path) : compiled(path, '');
}

/** Returns the path of the compiled script, as imports name it; `.jsx` stays if it was written. */
function compiled(path: string, written: string): string {
  const ending = scriptEnding.exec(path)?.[0] ?? '';
  const base = path.slice(0, path.length - ending.length);
  if (ending === '.tsx' && written === '.jsx') return `${base}.jsx`;
  return base + (/ts/.test(ending) ? `.${/[cm](?=ts)/.exec(ending)?.[0] ?? ''}js` : ending);
}

function stem(path: string): string {
  return path.replace(scriptEnding, '');
}

function isIndex(path: string): boolean {
  return scriptEnding.test(path) && basename(stem(path)) === 'index';
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function changed(specifier: string, other: string): string | undefined {
  return other === specifier ? undefined : other;
}
