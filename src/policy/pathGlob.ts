import {
  anyDepth,
  atLeastOneBelow,
  expandBraces,
  GlobError,
  matchSegments,
  parseSegments,
  segmentsMatch,
  type GlobSegment,
} from './globSegments.ts';
import { nameMatches, type NamePattern } from './namePattern.ts';
import { fold } from './nameRules.ts';
import { visible } from './unsafeNames.ts';

/** Bounds of one glob (threat row H16). */
export const maximumGlobLength = 256;
const maximumWildcards = 16;
const braces = { maximum: 64, allowsOneChoice: false };

/** Where a glob begins: in the workspace folder that contains the target, in the folder of that name, or at home. */
export type GlobRoot = { readonly in: 'folder'; readonly name?: string } | { readonly in: 'home' };

/** One entry of a rule's `paths`. */
export interface PathGlob {
  /** It began with `!`. */
  readonly excludes: boolean;
  readonly root: GlobRoot;
  /** One list of names for each choice of the `{a,b}` in it. */
  readonly alternatives: readonly (readonly GlobSegment[])[];
}

/**
 * How a glob is meant. `asWritten`: these very paths, for what allows. `widened`: in any case of letters, and with everything
 * below a folder that matches, for what restricts.
 */
export type GlobReach = 'asWritten' | 'widened';

/**
 * Reads one entry of a rule's `paths` (docs/rules.md): `*`, `?`, `**`, `[abc]`, `{a,b}`. Without a `/` it matches
 * a name at any depth with everything below it, with one it is anchored to its root; a `/` at the end means everything below.
 * @throws GlobError
 */
export function parseGlob(text: string, reach: GlobReach): PathGlob {
  refuseForm(text);
  const excludes = text.startsWith('!');
  const { root, body } = splitRoot(excludes ? text.slice(1) : text);
  const matched = reach === 'widened' ? fold(body) : body.normalize('NFC');
  const alternatives = expandBraces(matched, braces).map((one) => segmentsOf(one, body.includes('/'), reach));
  return { excludes, root: reach === 'widened' ? foldRoot(root) : root, alternatives };
}

/** Whether the names of a path below the root match. The names are folded for a widened glob, otherwise NFC. */
export function globMatches(glob: PathGlob, names: readonly string[]): boolean {
  return glob.alternatives.some((segments) => segmentsMatch(segments, names));
}

/** Whether every path that `inner` can match is matched by `outer`; when in doubt, no. Both are widened. */
export function globCovers(outer: PathGlob, inner: PathGlob): boolean {
  if (!sameRoot(outer.root, inner.root)) return false;
  return inner.alternatives.every((names) =>
    outer.alternatives.some((segments) =>
      matchSegments(segments, names.length, (segment, at) => {
        const name = names[at];
        return name !== undefined && name !== anyDepth && nameCovers(segment, name);
      }),
    ),
  );
}

function nameCovers(outer: NamePattern, inner: NamePattern): boolean {
  if (outer.source === '*' || outer.source === inner.source) return true;
  return inner.literal !== undefined && nameMatches(outer, inner.literal);
}

function sameRoot(one: GlobRoot, other: GlobRoot): boolean {
  if (one.in === 'home' || other.in === 'home') return one.in === other.in;
  return one.name === undefined || one.name === other.name;
}

/** A name as a glob that matches this name alone. */
export function escapeGlob(name: string): string {
  return name.replace(/[*?[{}]/g, '[$&]');
}

function refuseForm(text: string): void {
  if (text.length > maximumGlobLength)
    throw new GlobError(`is longer than ${maximumGlobLength} characters; shorten it`);
  if (visible(text) !== text) throw new GlobError('holds a control or invisible character; type it anew');
  if (text.includes('\\')) throw new GlobError('holds a back-slash; write / between names, and [*] for a * in a name');
  const wildcards = text.replace(/\[[*?[{}]\]/g, '').match(/\*+|[?[{]/g)?.length ?? 0;
  if (wildcards > maximumWildcards) throw new GlobError(`has more than ${maximumWildcards} wildcards; write several`);
}

function splitRoot(text: string): { readonly root: GlobRoot; readonly body: string } {
  const [, home, name, body = ''] = /^(?:(home):|folder:([^:/]+):)?([^]*)$/.exec(text) ?? [];
  if (body.includes(':')) throw new GlobError('holds a colon; only home: and folder:<name>: may stand before a path');
  if (body.startsWith('/')) throw new GlobError(`is absolute; write .${body} for a path from the workspace folder`);
  if (home !== undefined) return { root: { in: 'home' }, body };
  return { root: name === undefined ? { in: 'folder' } : { in: 'folder', name: name.normalize('NFC') }, body };
}

function foldRoot(root: GlobRoot): GlobRoot {
  return root.in === 'folder' && root.name !== undefined ? { in: 'folder', name: fold(root.name) } : root;
}

function segmentsOf(body: string, isAnchored: boolean, reach: GlobReach): readonly GlobSegment[] {
  const segments = parseSegments(body.replace(/^\.\//, '').replace(/\/$/, '/**'));
  // To allow what is in a folder is not to allow the folder.
  const below = reach === 'widened' ? [...segments, anyDepth] : atLeastOneBelow(segments);
  return isAnchored ? below : [anyDepth, ...below, anyDepth];
}
