import type { RuleTarget } from './matching.ts';
import { fold } from './nameRules.ts';
import type { GlobReach } from './pathGlob.ts';
import { joinPath, relativeTo } from './paths.ts';

/** One path of a place, in the form that globs are matched against. */
export interface PathForm {
  /** The names below the folder that globs are anchored to; undefined outside it. */
  readonly inFolder: readonly string[] | undefined;
  /** The name of that folder; undefined when it is unknown. */
  readonly folderName: string | undefined;
  /** The names below the user's home; undefined outside it. */
  readonly inHome: readonly string[] | undefined;
}

export interface FormContext {
  /** Real path of the folder of the rule, which globs are then anchored to. */
  readonly folder: string | undefined;
  /** Undefined when no glob begins at home. */
  readonly home: string | undefined;
  readonly reach: GlobReach;
}

type Place = RuleTarget['place'];

/** Cached per place, since a call is matched against many rules. */
const remembered = new WeakMap<Place, Map<string, readonly PathForm[]>>();

/**
 * Returns the lexical and the real path of a place (threat row P3), in the form that globs of this reach are matched against; one
 * path when both are the same.
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

/** Returns a form for each folder above a real path: a link may lead into another folder of the window, unknown here. */
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
