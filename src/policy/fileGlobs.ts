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
 * Bounds of the globs of one list: characters of each, and paths that all of them stand for. With them the time for a path grows
 * with its length and no faster, whoever made the globs and the path (threat rows H16, P14).
 */
const maximumLength = 2048;
const maximumAlternatives = 512;

/** A glob of a caller or of the editor's settings, for paths below a workspace folder. */
export interface FileGlob {
  readonly written: string;
  /** As ripgrep reads it, from the folder down. */
  readonly text: string;
  /** One list of names for each choice of the `{a,b}` in it. */
  readonly alternatives: readonly (readonly GlobSegment[])[];
}

/**
 * Reads the globs of a caller: `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}`; a back-slash is a `/`. Without a `/` a glob matches at any
 * depth, as in ignore files. A `**` at the end takes one name at least, as it does to ripgrep.
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

/** Reads the globs of the editor's settings, which begin at the folder. One that is not valid hides nothing. */
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

/** Also matches what lies below a folder that the glob matches. */
export function withContents(glob: FileGlob): FileGlob {
  return { ...glob, alternatives: glob.alternatives.map((segments) => [...segments, anyDepth]) };
}

/** Whether a path relative to the folder, with `/`, is matched. */
export function anyMatches(globs: readonly FileGlob[], relative: string): boolean {
  return globs.length > 0 && matchFrom(globs, relative.split('/'));
}

/** Whether a path is matched, or a folder on the way to it that lies below `root`. Both are relative to the folder, with `/`. */
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

/** What other programs take as syntax and ripgrep does not: a caller would get no result and not know why. */
function refuseForeignForms(glob: string): void {
  if (/[?*+@]\([^()]*\||!\(/.test(glob))
    throw new GlobError('holds a form like +(a|b), which is not known here; write {a,b}, or use exclude for !(a)');
}

/** Repeated double stars mean nothing more and would multiply the work of matching. */
function fromFolder(glob: string): string {
  if (glob.length > maximumLength) throw new GlobError(`is longer than ${maximumLength} characters; shorten it`);
  return glob
    .replaceAll('\\', '/')
    .replace(/(\*\*\/)+/g, '**/')
    .replace(/^\.?\/+/, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** A name that begins with two stars is one at any depth, to the editor and to ripgrep. */
function anyDepthIfDoubleStar(glob: string): string {
  const text = fromFolder(glob);
  return /^\*\*[^/]+$/.test(text) ? `${anyDepth}/${text}` : text;
}

function anyDepthUnlessPath(glob: string): string {
  const text = fromFolder(glob);
  return text === '' || text.includes('/') || /^\.?\//.test(glob) ? text : `${anyDepth}/${text}`;
}
