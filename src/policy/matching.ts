import { isNativeTool, nativeEditTool, nativeUnseenTool } from '#base/nativeEdit.ts';
import { type Principal, principalKey } from '#base/principal.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { matchesOnlyProtected } from './closedPaths.ts';
import { GlobError } from './globSegments.ts';
import { fold } from './nameRules.ts';
import { globMatches, type GlobReach, parseGlob, type PathGlob } from './pathGlob.ts';
import { joinPath, relativeTo } from './paths.ts';
import type { RuleClass, ScopedRule } from './rules.ts';

/** A place that a call touches, with one class. A place of several classes has one target for each. */
export interface RuleTarget {
  readonly place: { readonly folder: WorkspaceFolder; readonly fsPath: string; readonly realPath: string };
  readonly class: RuleClass;
  /**
   * The file acts only at the next command of the user. An allow rule counts for it when its path matches protected files and
   * nothing else, and a target of class `config` counts only for rules that restrict (threat row P19).
   */
  readonly isRuleable?: boolean;
}

/** The caller and the tool of a call. */
export interface Caller {
  readonly tool: string;
  /** The tool that `tool` is one kind of; a rule may name either. */
  readonly kindOf?: string | undefined;
  readonly principal: Principal;
}

/** The call or proposal that a rule is matched against. */
export interface RuleRequest extends Caller {
  /** The class of the whole call; used only when there are no targets. */
  readonly class: RuleClass;
  readonly targets: readonly RuleTarget[];
  readonly files: number;
  readonly changedLines: number;
  /** The key of an action: its definition and its arguments. */
  readonly action?: string;
  /** The words of each command of a command line; undefined for a command that is known only when it runs. */
  readonly commands?: readonly (readonly string[] | undefined)[];
  /** Real path of the only folder of the window; a call that names no path belongs to it. */
  readonly onlyFolder?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The user's home directory, for `home:`. */
  readonly home: string;
}

/**
 * Returns true when a rule matches (docs/rules.md). `deny` and `ask` rules match when any target matches, in any case of letters,
 * by its lexical or real path, or by a folder above it. `allow` rules match when every target matches as written, by both paths,
 * within the limits of the rule. A rule that is not valid matches like `ask`. Without targets only a rule without paths matches.
 * A rule that names an action matches only this action, and an `allow` rule matches an action only by naming it. A rule that names
 * a command restricts a command line with any such command, and allows one of such commands only. A rule that expired or belongs to
 * another client or principal never matches.
 */
export function matchesRule(scoped: ScopedRule, request: RuleRequest): boolean {
  const { rule } = scoped;
  if (!isFor(scoped, request) || hasExpired(scoped, request.now)) return false;
  if (!namesTool(scoped, request)) return false;
  if (!matchesAction(scoped, request)) return false;
  const { targets } = request;
  if (targets.length === 0) {
    // A command that is known to read only is still a command for the rules that name it.
    const isOfClass = rule.class === undefined || rule.class === request.class || rule.command !== undefined;
    // A call that names no path, such as a search, may reach every folder.
    const isEverywhere = scoped.folder === undefined || scoped.folder === request.onlyFolder || restricts(scoped);
    return isOfClass && rule.paths === undefined && isEverywhere && isWithinLimits(scoped, request);
  }
  const matches = (target: RuleTarget): boolean =>
    (rule.class === undefined || rule.class === target.class) && matchesPlace(scoped, target, request.home);
  if (restricts(scoped)) return targets.some(matches);
  const judged = targets.filter((target) => target.isRuleable !== true || target.class !== 'config');
  return judged.length > 0 && isWithinLimits(scoped, request) && judged.every(matches);
}

/** Returns true when a rule denies or asks: every rule except a valid `allow` rule. */
export function restricts({ rule, invalid }: ScopedRule): boolean {
  return rule.effect !== 'allow' || invalid !== undefined;
}

function isFor({ rule, scope, principal }: ScopedRule, request: RuleRequest): boolean {
  if (scope === 'session' && principal !== principalKey(request.principal)) return false;
  return rule.client === undefined || rule.client === 'any' || rule.client === request.principal.credential;
}

function namesTool(scoped: ScopedRule, { tool, kindOf }: RuleRequest): boolean {
  const { tools } = scoped.rule;
  // A rule that was made for the tools of Drawbridge must not begin to allow what assistants do with tools of their own.
  if (tools === undefined) return restricts(scoped) || !isNativeTool(tool);
  // An edit that cannot be shown is one all the same; a rule that allows those must not allow it.
  if (tool === nativeUnseenTool && restricts(scoped) && tools.includes(nativeEditTool)) return true;
  return tools.includes(tool) || (kindOf !== undefined && tools.includes(kindOf));
}

function matchesAction(scoped: ScopedRule, request: RuleRequest): boolean {
  const { action, command } = scoped.rule;
  if (command !== undefined) {
    const isNamed = (words: readonly string[] | undefined): boolean => words !== undefined && beginsAs(words, command);
    const { commands = [] } = request;
    return restricts(scoped) ? commands.some(isNamed) : commands.length > 0 && commands.every(isNamed);
  }
  if (action !== undefined) return action === request.action;
  return restricts(scoped) || request.class !== 'execute';
}

/** Returns whether the words of a command are those of a rule, whose last word `*` stands for any number of words. */
export function beginsAs(words: readonly string[], named: readonly string[]): boolean {
  const isOpen = named.length > 1 && named.at(-1) === '*';
  const fixed = isOpen ? named.slice(0, -1) : named;
  return (isOpen || words.length === fixed.length) && fixed.every((word, at) => word === words[at]);
}

function hasExpired(scoped: ScopedRule, now: number): boolean {
  const { expires } = scoped.rule;
  if (expires === undefined) return false;
  const end = Date.parse(expires);
  // An invalid date has passed for a rule that allows, and never passes for a rule that restricts.
  return restricts(scoped) ? end <= now : !(end > now);
}

function isWithinLimits(scoped: ScopedRule, request: RuleRequest): boolean {
  const { limits } = scoped.rule;
  if (limits === undefined || restricts(scoped)) return true;
  const { maxFiles = Infinity, maxChangedLines = Infinity } = limits;
  return request.files <= maxFiles && (maxChangedLines === Infinity || request.changedLines <= maxChangedLines);
}

function matchesPlace(scoped: ScopedRule, { place, isRuleable }: RuleTarget, home: string): boolean {
  const { rule, folder } = scoped;
  const mustName = isRuleable === true && !restricts(scoped);
  if (rule.paths === undefined && folder === undefined) return !mustName;
  const { excluded, needsHome, ...globs } = globsOf(scoped);
  const included = mustName ? globs.onlyProtected : globs.included;
  const excludes = (form: PathForm): boolean => excluded.some((glob) => globMatchesForm(glob, form));
  const includes = (form: PathForm): boolean =>
    (folder === undefined || form.inFolder !== undefined) &&
    (included === undefined || included.some((glob) => globMatchesForm(glob, form)));
  const context = { folder, home: needsHome ? home : undefined };
  const widened = (): readonly PathForm[] => formsOf(place, { ...context, reach: 'widened' });
  if (restricts(scoped)) return widened().some((form) => includes(form) && !excludes(form));
  if (!formsOf(place, { ...context, reach: 'asWritten' }).every(includes)) return false;
  return excluded.length === 0 || !widened().some(excludes);
}

function globMatchesForm(glob: PathGlob, { inFolder, inHome, folderName }: PathForm): boolean {
  const { root } = glob;
  const names = root.in === 'home' ? inHome : inFolder;
  if (names === undefined) return false;
  const isOtherFolder = root.in === 'folder' && root.name !== undefined && (folderName ?? root.name) !== root.name;
  return !isOtherFolder && globMatches(glob, names);
}

interface RuleGlobs {
  /** Undefined when the rule matches every path. */
  readonly included: readonly PathGlob[] | undefined;
  /** Those of them that match protected files and nothing else. */
  readonly onlyProtected: readonly PathGlob[];
  /** Widened also for a rule that allows, since an exclusion restricts it. */
  readonly excluded: readonly PathGlob[];
  readonly needsHome: boolean;
}

const compiled = new WeakMap<ScopedRule, RuleGlobs>();

function globsOf(scoped: ScopedRule): RuleGlobs {
  const known = compiled.get(scoped);
  if (known !== undefined) return known;
  const globs = compile(scoped.rule.paths ?? [], restricts(scoped) ? 'widened' : 'asWritten');
  compiled.set(scoped, globs);
  return globs;
}

function compile(paths: readonly string[], reach: GlobReach): RuleGlobs {
  try {
    const widened = paths.map((path) => parseGlob(path, 'widened'));
    const included = (reach === 'widened' ? widened : paths.map((path) => parseGlob(path, reach))).filter(isIncluded);
    return {
      included: included.length === 0 ? undefined : included,
      onlyProtected: reach === 'widened' ? [] : included.filter(matchesOnlyProtected),
      excluded: widened.filter((glob) => !isIncluded(glob)),
      needsHome: widened.some(({ root }) => root.in === 'home'),
    };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    // The rule parser refuses such globs. If one gets here, the rule restricts everything, or allows nothing.
    return { included: reach === 'widened' ? undefined : [], onlyProtected: [], excluded: [], needsHome: false };
  }
}

function isIncluded({ excludes }: PathGlob): boolean {
  return !excludes;
}

/** One path of a place, in the form that globs are matched against. */
interface PathForm {
  /** The names below the folder that globs are anchored to; undefined outside it. */
  readonly inFolder: readonly string[] | undefined;
  /** The name of that folder; undefined when it is unknown. */
  readonly folderName: string | undefined;
  /** The names below the user's home; undefined outside it. */
  readonly inHome: readonly string[] | undefined;
}

interface FormContext {
  /** Real path of the folder of the rule, which globs are then anchored to. */
  readonly folder: string | undefined;
  /** Undefined when no glob begins at home. */
  readonly home: string | undefined;
  readonly reach: GlobReach;
}

type TargetPath = RuleTarget['place'];

/** Cached per place, since a call is matched against many rules. */
const remembered = new WeakMap<TargetPath, Map<string, readonly PathForm[]>>();

/**
 * Returns the lexical and the real path of a place (threat row P3), in the form that globs of this reach are matched against; one
 * path when both are the same.
 */
function formsOf(place: TargetPath, context: FormContext): readonly PathForm[] {
  const forms = remembered.get(place) ?? new Map<string, readonly PathForm[]>();
  if (forms.size === 0) remembered.set(place, forms);
  const key = `${context.reach}\n${context.folder ?? ''}\n${context.home ?? ''}`;
  const known = forms.get(key);
  if (known !== undefined) return known;
  const made = makeForms(place, context);
  forms.set(key, made);
  return made;
}

function makeForms({ folder, fsPath, realPath }: TargetPath, context: FormContext): readonly PathForm[] {
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
