import { basename, dirname, join, relative } from 'node:path/posix';

/** Absolute paths with `/`, as in URIs. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** An import and what a language service says it leads to; all places as they are before the move. */
export interface Import {
  readonly specifier: string;
  readonly importer: string;
  readonly target: string;
}

/** What imports of scripts leave out, or replace by what is made of the script. */
const scriptEnding = /(?:\.d)?\.[cm]?[jt]sx?$/;
/** What an import may leave out; `.mts` and the like must be named. */
const optionalEnding = /(?:\.d\.ts|\.[jt]sx?)$/;

/** Where a file is after the move: itself, or inside the moved folder. */
export function afterMove(path: string, { from, to }: Move): string {
  return isAtOrBelow(path, from) ? to + path.slice(from.length) : path;
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

export function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

/** Where a relative import points; what it leaves out is missing here too. */
export function pointedAt(specifier: string, importer: string): string {
  return withoutFinalSlash(join(dirname(importer), specifier));
}

/** Whether it is worth asking a language service if an import of a file that stays leads to what moves. */
export function mayLeadTo(specifier: string, importer: string, moved: string): boolean {
  if (isRelative(specifier)) {
    const place = pointedAt(specifier, importer);
    return isAtOrBelow(place, moved) || stem(place) === stem(moved) || (isIndex(moved) && place === dirname(moved));
  }
  const names = specifier.split('/').map(stem);
  return names.includes(basename(stem(moved))) || (isIndex(moved) && names.at(-1) === basename(dirname(moved)));
}

/**
 * The same import after the move, in the style it was written in: endings and `/index` stay left out, `.js` still stands for
 * `.ts`, an alias stays one where its folder still holds the file. Undefined when it can stay as it is, or its style is unknown.
 */
export function movedSpecifier(written: Import, move: Move): string | undefined {
  const { specifier, target } = written;
  if (!isRelative(specifier)) return movedAlias(written, move);
  const place = pointedAt(specifier, written.importer);
  const newPlace = isAtOrBelow(target, move.from) ? movedPlace(place, target, move) : place;
  if (newPlace === undefined) return undefined;
  // An unmoved file's `./b/../a` is left alone when it points where it should.
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

/** The place that an alias stands for when its last name is the name of what it leads to. */
function aliasedPlace(specifier: string, target: string): string | undefined {
  const name = basename(specifier);
  if (name === basename(target)) return target;
  if (stem(name) === basename(stem(target))) return stem(target) + name.slice(stem(name).length);
  return isIndex(target) && name === basename(dirname(target)) ? dirname(target) : undefined;
}

/** Where an import has to point after the move of its target, when before it pointed at `place`. */
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

/** By the name under which a script runs; `.jsx` stays where it was written. */
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
