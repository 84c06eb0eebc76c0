import { InvalidArgumentsError } from '#base/toolError.ts';
import {
  anyDepth,
  atLeastOneBelow,
  expandBraces,
  GlobError,
  parseSegments,
  segmentsMatch,
  type GlobSegment,
} from './globSegments.ts';
import { quoted } from './unsafeNames.ts';

/**
 * Limits of one list of globs: the characters of each glob, and the paths that all globs stand for. They keep the time to match
 * a path linear in its length, also for hostile globs and paths (threat rows H16, P14).
 */
const maximumLength = 2048;
const maximumAlternatives = 512;

/** A glob of a tool call or of the editor settings, for paths below a workspace folder. */
export interface FileGlob {
  readonly written: string;
  /** The glob in the syntax of ripgrep, anchored to the folder. */
  readonly text: string;
  /** One list of segments for each choice of the `{a,b}` in the glob. */
  readonly alternatives: readonly (readonly GlobSegment[])[];
}

/**
 * Parses the globs of a tool call: `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}`; a back-slash is a `/`. Without a `/` a glob matches
 * at any depth, as in ignore files. A `**` at the end takes one name at least, as it does to ripgrep.
 * @throws InvalidArgumentsError for the first that is not valid.
 */
export function callerGlobs(globs: readonly string[]): readonly FileGlob[] {
  let room = maximumAlternatives;
  return globs.map((written) => {
    try {
      refuseForeignForms(written);
      const glob = parse(written, anyDepthUnlessPath(written), { maximum: room, allowsOneChoice: false });
      room -= glob.alternatives.length;
      return { ...glob, alternatives: glob.alternatives.map(atLeastOneBelow) };
    } catch (error) {
      if (!(error instanceof GlobError)) throw error;
      throw new InvalidArgumentsError(`${quoted(written)} is not a valid glob: it ${error.message}.`);
    }
  });
}

/** Parses the globs of the editor settings, which are anchored to the folder. A glob that is not valid is ignored. */
export function settingsGlobs(globs: readonly string[]): readonly FileGlob[] {
  let room = maximumAlternatives;
  return globs.flatMap((written) => {
    try {
      const glob = parse(written, anyDepthIfDoubleStar(written), { maximum: room, allowsOneChoice: true });
      room -= glob.alternatives.length;
      return [glob];
    } catch (error) {
      if (!(error instanceof GlobError)) throw error;
      return [];
    }
  });
}

/** Returns a glob that also matches everything below a folder that the given glob matches. */
export function withContents(glob: FileGlob): FileGlob {
  return { ...glob, alternatives: glob.alternatives.map((segments) => [...segments, anyDepth]) };
}

/** Returns true when a glob matches the path, which is relative to the folder and separated by `/`. */
export function anyMatches(globs: readonly FileGlob[], relative: string): boolean {
  return globs.length > 0 && matchFrom(globs, relative.split('/'));
}

/** Returns true when a glob matches the path or a folder above it below `root`. Both are relative to the folder, with `/`. */
export function anyMatchesBelow(globs: readonly FileGlob[], root: string, relative: string): boolean {
  const above = root === '' ? 0 : root.split('/').length;
  return globs.length > 0 && matchFrom(globs, relative.split('/'), above + 1);
}

function matchFrom(globs: readonly FileGlob[], names: readonly string[], atLeast?: number): boolean {
  return globs.some(({ alternatives }) => alternatives.some((segments) => segmentsMatch(segments, names, atLeast)));
}

function parse(written: string, text: string, braces: Parameters<typeof expandBraces>[1]): FileGlob {
  if (text === '') throw new GlobError('names no file; write ** for all of them');
  const alternatives = expandBraces(text, braces).map((one) =>
    parseSegments(one.replace(/^\.\//, '').replace(/\/$/, '')),
  );
  return { written, text, alternatives };
}

/** Refuses syntax of other programs that ripgrep takes literally: the search would find nothing without saying why. */
function refuseForeignForms(glob: string): void {
  if (/[?*+@]\([^()]*\||!\(/.test(glob))
    throw new GlobError('contains a form like +(a|b), which is not supported; write {a,b}, or use exclude for !(a)');
}

/** Anchors a glob to the folder and removes repeated `**` segments, which would multiply the work of matching. */
function fromFolder(glob: string): string {
  if (glob.length > maximumLength) throw new GlobError(`is longer than ${maximumLength} characters; shorten it`);
  return glob
    .replaceAll('\\', '/')
    .replace(/(\*\*\/)+/g, '**/')
    .replace(/^\.?\/+/, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** Anchors a name that begins with `**` at any depth, as the editor and ripgrep do. */
function anyDepthIfDoubleStar(glob: string): string {
  const text = fromFolder(glob);
  return /^\*\*[^/]+$/.test(text) ? `${anyDepth}/${text}` : text;
}

function anyDepthUnlessPath(glob: string): string {
  const text = fromFolder(glob);
  return text === '' || text.includes('/') || /^\.?\//.test(glob) ? text : `${anyDepth}/${text}`;
}
