import type { RuleTarget } from './matching.ts';
import { fold } from './nameRules.ts';
import type { GlobReach } from './pathGlob.ts';
import { joinPath, relativeTo } from './paths.ts';

/** One name of a place, as globs see it. */
export interface PathForm {
  /** The names below the folder that globs are anchored to; undefined outside it. */
  readonly inFolder: readonly string[] | undefined;
  /** What that folder is called; undefined when it is not known. */
  readonly folderName: string | undefined;
  /** The names below the user's home; undefined outside it. */
  readonly inHome: readonly string[] | undefined;
}

export interface FormContext {
  /** Real path of the folder that the rule is for; globs are anchored to it then. */
  readonly folder: string | undefined;
  /** Undefined when no glob asks for it. */
  readonly home: string | undefined;
  readonly reach: GlobReach;
}

type Place = RuleTarget['place'];

/** A call is held against many rules, and a place is spelled anew for none of them. */
const remembered = new WeakMap<Place, Map<string, readonly PathForm[]>>();

/**
 * What a place is called and what it really is (threat row P3), in the spelling that globs of this reach are compared with. When
 * they are the same, only one.
 */
export function formsOf(place: Place, context: FormContext): readonly PathForm[] {
  const forms = remembered.get(place) ?? new Map<string, readonly PathForm[]>();
  if (forms.size === 0) remembered.set(place, forms);
  const key = `${context.reach}\n${context.folder ?? ''}\n${context.home ?? ''}`;
  const known = forms.get(key);
  if (known !== undefined) return known;
  const made = makeForms(place, context);
  forms.set(key, made);
  return made;
}

function makeForms({ folder, fsPath, realPath }: Place, context: FormContext): readonly PathForm[] {
  const base = context.folder ?? folder.realPath;
  const below = relativeTo(folder.fsPath, fsPath);
  const form = (absolute: string | undefined, spelled: string): PathForm => ({
    inFolder: absolute === undefined ? undefined : namesBelow(base, absolute, context.reach),
    folderName: spell(folder.name, context.reach),
    inHome: namesInHome(spelled, context),
  });
  const lexical = form(below === undefined ? undefined : joinPath(folder.realPath, below), fsPath);
  if (realPath === fsPath && folder.realPath === folder.fsPath) return [lexical];
  const real = form(realPath, realPath);
  const isElsewhere = real.inFolder === undefined && context.folder === undefined && context.reach === 'widened';
  return isElsewhere ? [lexical, real, ...everyReading(realPath, real)] : [lexical, real];
}

/** A link leads into another folder of the window: which one is not known here, so each folder above it counts as one. */
function everyReading(absolute: string, form: PathForm): readonly PathForm[] {
  const names = split(spell(absolute.replaceAll('\\', '/'), 'widened'));
  return names.map((_, at) => ({ ...form, inFolder: names.slice(at), folderName: undefined }));
}

function namesBelow(base: string, absolute: string, reach: GlobReach): readonly string[] | undefined {
  const relative = relativeTo(base, absolute);
  return relative === undefined ? undefined : split(spell(relative, reach));
}

function namesInHome(absolute: string, { home, reach }: FormContext): readonly string[] | undefined {
  return home === undefined ? undefined : namesBelow(spell(home, reach), spell(absolute, reach), reach);
}

function split(relative: string): readonly string[] {
  return relative.split('/').filter((name) => name !== '');
}

function spell(text: string, reach: GlobReach): string {
  return reach === 'widened' ? fold(text) : text.normalize('NFC');
}
