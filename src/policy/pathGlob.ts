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

/** Limits of one glob (threat row H16). */
export const maximumGlobLength = 256;
const maximumWildcards = 16;
const braces = { maximum: 64, allowsOneChoice: false };

/** The root of a glob: the workspace folder of the target, the folder with the given name, or the home directory. */
export type GlobRoot = { readonly in: 'folder'; readonly name?: string } | { readonly in: 'home' };

/** One entry of a rule's `paths`. */
export interface PathGlob {
  /** True when the entry begins with `!`. */
  readonly excludes: boolean;
  readonly root: GlobRoot;
  /** One list of segments for each choice of the `{a,b}` in the glob. */
  readonly alternatives: readonly (readonly GlobSegment[])[];
}

/**
 * The reach of a glob. `asWritten`, for rules that allow: exactly these paths. `widened`, for rules that restrict: in any case of
 * letters, with everything below a matching folder.
 */
export type GlobReach = 'asWritten' | 'widened';

/**
 * Parses one entry of the `paths` of a rule (docs/rules.md): `*`, `?`, `**`, `[abc]`, `{a,b}`. Without a `/` it matches
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

/** Returns true when a glob matches the names of a path below its root. Names are folded for a widened glob, otherwise NFC. */
export function globMatches(glob: PathGlob, names: readonly string[]): boolean {
  return glob.alternatives.some((segments) => segmentsMatch(segments, names));
}

/** Returns true when `outer` matches every path that `inner` can match; when in doubt, false. Both are widened. */
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

/** Returns a glob that matches only the given name. */
export function escapeGlob(name: string): string {
  return name.replace(/[*?[{}]/g, '[$&]');
}

function refuseForm(text: string): void {
  if (text.length > maximumGlobLength)
    throw new GlobError(`is longer than ${maximumGlobLength} characters; shorten it`);
  if (visible(text) !== text) throw new GlobError('contains a control or invisible character; type it again');
  if (text.includes('\\'))
    throw new GlobError('contains a backslash; write / between names, and [*] for a * in a name');
  const wildcards = text.replace(/\[[*?[{}]\]/g, '').match(/\*+|[?[{]/g)?.length ?? 0;
  if (wildcards > maximumWildcards) throw new GlobError(`has more than ${maximumWildcards} wildcards; write several`);
}

function splitRoot(text: string): { readonly root: GlobRoot; readonly body: string } {
  const [, home, name, body = ''] = /^(?:(home):|folder:([^:/]+):)?([^]*)$/.exec(text) ?? [];
  if (body.includes(':')) throw new GlobError('contains a colon; only home: and folder:<name>: may precede a path');
  if (body.startsWith('/')) throw new GlobError(`is absolute; write .${body} for a path from the workspace folder`);
  if (home !== undefined) return { root: { in: 'home' }, body };
  return { root: name === undefined ? { in: 'folder' } : { in: 'folder', name: name.normalize('NFC') }, body };
}

function foldRoot(root: GlobRoot): GlobRoot {
  return root.in === 'folder' && root.name !== undefined ? { in: 'folder', name: fold(root.name) } : root;
}

function segmentsOf(body: string, isAnchored: boolean, reach: GlobReach): readonly GlobSegment[] {
  const segments = parseSegments(body.replace(/^\.\//, '').replace(/\/$/, '/**'));
  // A rule that allows the contents of a folder does not allow the folder itself.
  const below = reach === 'widened' ? [...segments, anyDepth] : atLeastOneBelow(segments);
  return isAnchored ? below : [anyDepth, ...below, anyDepth];
}
