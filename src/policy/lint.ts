import type { Risk } from '#base/toolError.ts';
import { beginsAs, matchesRule, type RuleRequest, type RuleTarget } from './matching.ts';
import { globCovers, parseGlob, type PathGlob } from './pathGlob.ts';
import type { NewRule, Rule, RuleClass, RuleUse, ScopedRule } from './rules.ts';
import { quoted } from './unsafeNames.ts';

/** A problem of a rule, and how to solve it. */
export interface RuleFinding {
  readonly ruleId: string;
  /** `error`: the rule does not do what it says. `warning`: the rule may not do what its author meant. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A past call that rules are tested against. */
export interface PastCall {
  readonly tool: string;
  /** The tool that `tool` is one kind of. */
  readonly kindOf?: string | undefined;
  readonly class: RuleClass;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  /** The paths begin with the name of their folder, as in a window with several. */
  readonly severalFolders?: boolean;
}

/** The facts that rules are checked against. A check whose fact is absent is skipped. */
export interface LintFacts {
  readonly tools: readonly string[];
  readonly riskOf?: (tool: string) => Risk | undefined;
  readonly use?: (ruleId: string) => RuleUse;
  /** Milliseconds since the epoch. */
  readonly now?: number;
  /** Returns true when the folder of a workspace rule, a real path, still exists. */
  readonly hasFolder?: (realPath: string) => boolean;
}

const unusedMilliseconds = 30 * 24 * 60 * 60 * 1000;
/** The fewest past calls that findings are based on. */
const fewestCalls = 20;
const mostShare = 0.6;

/** Finds rules that look right but do nothing, or do too much (failure rows F16 and F17). */
export function lintRules(
  rules: readonly ScopedRule[],
  past: readonly PastCall[],
  facts: LintFacts,
): readonly RuleFinding[] {
  return rules.flatMap((scoped): RuleFinding[] => {
    const ruleId = scoped.rule.id;
    const neverMatches = neverReason(scoped, rules, facts);
    if (neverMatches !== undefined) return [{ ruleId, severity: 'error', message: neverMatches }];
    const warnings = [
      endReason(scoped, facts),
      tooMuchReason(scoped, past),
      ...(past.length < fewestCalls ? [] : unmatchedPaths(scoped, past)),
    ];
    return warnings.flatMap((message) => (message === undefined ? [] : [{ ruleId, severity: 'warning', message }]));
  });
}

/** Returns how many of the calls a rule would have matched, whatever its client. */
export function wouldMatch(rule: NewRule, past: readonly PastCall[]): number {
  const scoped: ScopedRule = { scope: 'user', rule: { ...rule, id: 'tried' } };
  return past.filter((call) => matchesRule(scoped, requestOf(call, rule.client))).length;
}

function neverReason(scoped: ScopedRule, rules: readonly ScopedRule[], facts: LintFacts): string | undefined {
  const { rule, invalid, folder } = scoped;
  if (invalid !== undefined)
    return `It asks for every call that it could match, because it cannot be understood. ${invalid}`;
  const unknown = rule.tools?.find((tool) => !facts.tools.includes(tool));
  if (unknown !== undefined) return `There is no tool ${quoted(unknown)}; correct the name or remove it.`;
  if (rule.tools?.every((tool) => isOfOtherClass(tool, rule.class, facts)) === true) {
    return `It can never match: none of its tools does anything of class ${rule.class}.`;
  }
  if (excludesItself(rule))
    return 'It can never match: everything that its paths name is excluded by its own "!" paths.';
  if (folder !== undefined && facts.hasFolder?.(folder) === false) {
    return 'It can never match: its folder is no longer there. Remove it.';
  }
  const before = rule.effect === 'allow' ? rules.find((other) => decidesBefore(other, scoped)) : undefined;
  if (before === undefined) return undefined;
  return `It can never allow anything: ${before.rule.effect} rule ${before.rule.id} (${before.scope}) decides before it. Remove one of them.`;
}

function isOfOtherClass(tool: string, kind: RuleClass | undefined, { riskOf }: LintFacts): boolean {
  const risk = riskOf?.(tool);
  if (risk === undefined || kind === undefined) return false;
  // The arguments of a call decide whether an edit deletes a file or changes a protected path.
  const possible: readonly RuleClass[] = risk === 'edit' || risk === 'delete' ? ['edit', 'delete', 'config'] : [risk];
  return !possible.includes(kind);
}

function endReason({ rule }: ScopedRule, { use, now }: LintFacts): string | undefined {
  if (now === undefined) return undefined;
  if (rule.expires !== undefined && Date.parse(rule.expires) <= now) {
    return `It ended on ${rule.expires.slice(0, 10)}. Renew or remove it.`;
  }
  const last = use?.(rule.id).last ?? rule.origin?.at;
  if (rule.effect !== 'allow' || use === undefined || last === undefined) return undefined;
  return now - Date.parse(last) >= unusedMilliseconds ? 'It was not used for 30 days. Renew or remove it.' : undefined;
}

/** Returns why a rule allows too much. A rule for reads is skipped: reads need no rule, so it allows nothing more. */
function tooMuchReason({ rule }: ScopedRule, past: readonly PastCall[]): string | undefined {
  if (
    rule.effect !== 'allow' ||
    rule.class === 'read' ||
    rule.class === 'ui' ||
    rule.action !== undefined ||
    rule.command !== undefined
  )
    return undefined;
  if (rule.limits === undefined && namesEveryPath(rule)) {
    return 'It allows changes of every file, of any size. Name paths, or add limits.';
  }
  const matched = past.length < fewestCalls ? 0 : wouldMatch(rule, past);
  if (matched <= past.length * mostShare) return undefined;
  return `It would have allowed ${matched} of the last ${past.length} calls. Narrow it if that is more than you meant.`;
}

/** Returns a message for each path that may be mistyped. Paths below `home:` are left out: past calls do not contain them. */
function unmatchedPaths({ rule }: ScopedRule, past: readonly PastCall[]): readonly string[] {
  const paths = rule.paths?.filter((path) => !path.startsWith('!') && !path.startsWith('home:')) ?? [];
  const unmatched = paths.filter((path) => wouldMatch({ effect: 'ask', paths: [path] }, past) === 0);
  return unmatched.map(
    (path) => `The path ${quoted(path)} matched none of the last ${past.length} calls. Check its spelling.`,
  );
}

/** An example folder: the paths of past calls are relative to their folder. */
const root = '/workspace';

function requestOf(
  { tool, kindOf, class: kind, paths, severalFolders = false }: PastCall,
  client: string | undefined,
): RuleRequest {
  return {
    tool,
    kindOf,
    principal: { credential: client ?? 'any' },
    class: kind,
    targets: paths.map((path) => ({ place: placeOf(path, severalFolders), class: kind })),
    files: paths.length,
    changedLines: 0,
    now: 0,
    home: '/home',
  };
}

function placeOf(path: string, severalFolders: boolean): RuleTarget['place'] {
  const [label = '', ...below] = path.split('/');
  const names = severalFolders ? below : path.split('/');
  const fsPath = [root, ...names].filter((name) => name !== '.').join('/');
  const folder = { name: severalFolders ? label : '', uri: '', fsPath: root, realPath: root };
  return { folder, fsPath, realPath: fsPath };
}

/** Returns true when `outer` decides every call that `inner`, an allow rule, can match. When in doubt, returns false. */
export function decidesBefore(outer: ScopedRule, inner: ScopedRule): boolean {
  if (outer.rule.effect === 'allow' || outer.invalid !== undefined || outer.rule.expires !== undefined) return false;
  const { action, client, class: kind, command, tools } = outer.rule;
  const isSameCaller = outer.scope !== 'session' || (inner.scope === 'session' && outer.principal === inner.principal);
  return (
    isSameCaller &&
    (client === undefined || client === 'any' || client === inner.rule.client) &&
    (outer.folder === undefined || outer.folder === inner.folder) &&
    (action === undefined || action === inner.rule.action) &&
    (command === undefined || (inner.rule.command !== undefined && beginsAs(inner.rule.command, command))) &&
    (kind === undefined || kind === inner.rule.class) &&
    (tools === undefined || inner.rule.tools?.every((tool) => tools.includes(tool)) === true) &&
    coversPaths(outer.rule, inner.rule)
  );
}

/** Returns true when a rule excludes every path that it names. */
function excludesItself({ paths }: Rule): boolean {
  const { included, excluded } = globsOf(paths);
  return included.every((glob) => excluded.some((exclusion) => globCovers(exclusion, glob)));
}

/** Returns true when a rule matches every path except those that it excludes. */
function namesEveryPath({ paths }: Rule): boolean {
  const { included } = globsOf(paths);
  return included.some((glob) => globCovers(glob, everyName));
}

const everyPath = parseGlob('**', 'widened');
const everyName = parseGlob('*', 'widened');

function coversPaths(outer: Rule, inner: Rule): boolean {
  if (outer.paths === undefined) return true;
  const { included, excluded } = globsOf(outer.paths);
  if (excluded.length > 0) return false;
  return globsOf(inner.paths).included.every((glob) => included.some((each) => globCovers(each, glob)));
}

/** Splits the paths of a rule into included and excluded globs. A rule without included paths matches every path. */
function globsOf(paths: readonly string[] = []): {
  readonly included: readonly PathGlob[];
  readonly excluded: readonly PathGlob[];
} {
  const globs = paths.map((path) => parseGlob(path, 'widened'));
  const included = globs.filter(({ excludes }) => !excludes);
  return {
    included: included.length === 0 ? [everyPath] : included,
    excluded: globs.filter(({ excludes }) => excludes),
  };
}
