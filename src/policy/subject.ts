import {
  actionKey,
  type ActionProposal,
  type FileChange,
  type FileDelete,
  type Proposal,
  type ProposedCommand,
  textsOf,
} from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import type { ProposalRisk } from './decision.ts';
import type { RuleTarget } from './matching.ts';
import { type ChangedPath, classified, type ClassifiedPath, pathsOf } from './changedPaths.ts';
import type { PathRules } from './protectedPaths.ts';
import { packagePattern, ruleableProtected } from './protectedRows.ts';
import type { RuleClass } from './rules.ts';

/** The subject of a decision: everything that a call or proposal touches. */
export interface Subject {
  readonly risk: Risk;
  /** Every place that is touched. */
  readonly places: readonly ClassifiedPath[];
  /** The places for rules: one target for each class that a place belongs to. */
  readonly targets: readonly RuleTarget[];
  /** The number of files, including those in a deleted or moved folder. */
  readonly files: number;
  /** An upper bound, counted when it is first read. */
  readonly changedLines: number;
  /** The pattern that protects each change, or each path of a read. */
  readonly protectedBy: readonly (string | undefined)[];
  /** Why the answer of the user counts for this time only. */
  readonly onceOnly?: string;
  readonly confirmCount?: number;
  /** How many files are deleted, and whether version control could bring each of them back. */
  readonly deletedFiles: number;
  readonly recoverable: boolean;
  /** The key of an action: its definition and its arguments. */
  readonly action?: string;
  /** A command line of an assistant's own shell. */
  readonly command?: ProposedCommand;
}

/** The subject of a proposal. */
export interface ProposalSubject extends Subject {
  /** The worst effect of the proposal. An action of class network or config counts as `execute`. */
  readonly worst: ProposalRisk;
}

/** The user types the number of deleted files when there are more than this. */
const mostDeletedByClick = 20;

/** Returns the subject of a call, as far as its arguments tell. */
export function subjectOfCall(risk: Risk, named: readonly ChangedPath[], pathRules: PathRules): Subject {
  const places = named.map((place) => classified(place, pathRules));
  return {
    risk,
    places,
    targets: places.map((place) => ({ place, class: risk })),
    files: places.length,
    changedLines: 0,
    protectedBy: places.map(protection),
    deletedFiles: 0,
    recoverable: false,
  };
}

/** Returns the subject of a proposal: real paths, both ends of moves, all files in folders (threat rows P3 to P5, P15, P16). */
export function subjectOfProposal(proposal: Proposal, floor: Risk, pathRules: PathRules): ProposalSubject {
  if (proposal.kind === 'action') return subjectOfAction(proposal, proposal.risk ?? floor, pathRules);
  // Only the user answers a question, and it changes nothing.
  if (proposal.kind === 'question') {
    return { ...subjectOfCall('ui', [], pathRules), worst: 'ui', onceOnly: 'a question to you' };
  }
  const { files } = proposal;
  const risks = files.map(riskOf);
  const places = files.map((change) => pathsOf(change).map((place) => classified(place, pathRules)));
  const protectedBy = files.map((change, at) =>
    strictest([...(places[at] ?? []).map(protection), packageProtection(change)]),
  );
  const worst = floor === 'delete' || risks.includes('delete') ? 'delete' : 'edit';
  const { deletedFiles, recoverable } = deletion(files);
  const onceOnly = whyOnceOnly(files, risks, protectedBy, recoverable && deletedFiles <= mostDeletedByClick);
  const typesCount = deletedFiles > mostDeletedByClick || (deletedFiles > 1 && !recoverable);
  let changedLines: number | undefined;
  return {
    risk: floor === 'edit' || floor === 'delete' ? worst : floor,
    worst,
    places: places.flat(),
    targets: files.flatMap((change, at) => targetsOf(change, risks[at], places[at] ?? [], protectedBy[at])),
    files: files.reduce((sum, change) => sum + countFiles(change), 0),
    get changedLines() {
      return (changedLines ??= files.reduce((sum, change) => sum + linesTouched(change), 0));
    },
    protectedBy,
    ...(onceOnly !== undefined && { onceOnly }),
    ...(typesCount && { confirmCount: deletedFiles }),
    deletedFiles,
    recoverable,
  };
}

/** Returns the subject of an action: the class of its tool on the places that it names, as far as they are known. */
function subjectOfAction(proposal: ActionProposal, risk: Risk, pathRules: PathRules): ProposalSubject {
  const { command } = proposal;
  const floor = command === undefined || command.class === 'reads' ? risk : 'execute';
  const called = subjectOfCall(floor, proposal.places, pathRules);
  const { places, protectedBy } = called;
  const pattern = protectedBy.find(isOnceOnly);
  const onceOnly = command?.onceOnly ?? (pattern && `protected path ${pattern}`);
  return {
    ...called,
    worst: floor === 'edit' || floor === 'delete' ? floor : 'execute',
    targets: places.flatMap((place, at) => [{ place, class: floor }, ...configTargets(place, protectedBy[at])]),
    files: Math.max(1, places.length),
    ...(onceOnly !== undefined && { onceOnly }),
    action: actionKey(proposal),
    ...(command && { command }),
  };
}

/** Returns the targets of a change. A move deletes its source and edits its destination; emptying a file is edit and delete. */
function targetsOf(
  change: FileChange,
  risk: ProposalRisk | undefined,
  places: readonly ClassifiedPath[],
  pattern: string | undefined,
): RuleTarget[] {
  const isRuleable = pattern !== undefined && !isOnceOnly(pattern);
  const moveEnds = change.kind === 'move' ? places.length / 2 : 0;
  return places.flatMap((place, index) => {
    const isDestination = change.kind === 'move' && index >= moveEnds;
    const classes: readonly RuleClass[] =
      change.kind === 'move'
        ? [isDestination ? 'edit' : 'delete']
        : change.kind === 'delete'
          ? ['delete']
          : risk === 'delete'
            ? ['edit', 'delete']
            : ['edit'];
    return [
      ...classes.map((kind) => ({ place, class: kind, ...(isRuleable && { isRuleable }) })),
      ...configTargets(place, pattern),
    ];
  });
}

/** A change of a protected file is of class `config` too, for rules that restrict. */
function configTargets(place: ClassifiedPath, pattern: string | undefined): readonly RuleTarget[] {
  return pattern === undefined ? [] : [{ place, class: 'config', ...(!isOnceOnly(pattern) && { isRuleable: true }) }];
}

/** Returns true for the pattern of a file that acts without a command of the user, so that no rule may allow its change. */
function isOnceOnly(pattern: string | undefined): boolean {
  return pattern !== undefined && !ruleableProtected.has(pattern);
}

/** Returns the pattern of the strictest protection of a change: a move of a Makefile to `.vscode/tasks.json` has that of the latter. */
function strictest(patterns: readonly (string | undefined)[]): string | undefined {
  return patterns.find(isOnceOnly) ?? patterns.find((pattern) => pattern !== undefined);
}

function countFiles(change: FileChange): number {
  return change.kind === 'delete' || change.kind === 'move' ? Math.max(1, change.files.length) : 1;
}

function deletion(files: readonly FileChange[]): { readonly deletedFiles: number; readonly recoverable: boolean } {
  const deletes = files.filter((change): change is FileDelete => change.kind === 'delete');
  return {
    deletedFiles: deletes.reduce((sum, { files: below }) => sum + below.length, 0),
    recoverable: deletes.every(({ recovery }) => recovery === 'committed'),
  };
}

function whyOnceOnly(
  files: readonly FileChange[],
  risks: readonly ProposalRisk[],
  protectedBy: readonly (string | undefined)[],
  deletesEasily: boolean,
): string | undefined {
  const pattern = protectedBy.find(isOnceOnly);
  if (pattern !== undefined) return `protected path ${pattern}`;
  if (files.some(({ kind }) => kind === 'delete') && !deletesEasily) {
    return 'a delete of what version control could not bring back, or of many files';
  }
  const takesMost = files.some(({ kind }, at) => kind === 'edit' && risks[at] === 'delete');
  return takesMost ? 'it replaces a file or takes most of it out' : undefined;
}

/** Counts the lines between the first and the last difference, on both sides: a cheap upper bound. */
function linesTouched(change: FileChange): number {
  const texts = textsOf(change);
  if (texts === undefined) return 0;
  const [before, after] = [texts.base.split('\n'), texts.result.split('\n')];
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return before.length + after.length - 2 * (start + end);
}

function protection({ classification }: ClassifiedPath): string | undefined {
  return classification.class === 'protected' ? classification.pattern : undefined;
}

/** An edit that keeps a smaller share of the lines of a file than this counts as a delete. */
const smallestShareLeft = 0.2;

/**
 * Returns the worst effect of a change. Overwriting a file, emptying it or removing most of its lines counts as a delete, and so
 * does a move, which deletes its source (threat row P15).
 */
export function riskOf(change: FileChange): ProposalRisk {
  if (change.kind === 'delete' || change.kind === 'move') return 'delete';
  if (change.kind === 'create') return 'edit';
  const before = linesWithText(change.base.text);
  const takesMost = before > 0 && linesWithText(change.result.text) < before * smallestShareLeft;
  return change.overwrites === true || takesMost ? 'delete' : 'edit';
}

/** Returns how many lines of a text are not blank: blank lines in place of others keep nothing. */
function linesWithText(text: string): number {
  return text.match(/\S.*/g)?.length ?? 0;
}

/**
 * Keys whose values run code, load it or fetch it (threat row A25): https://docs.npmjs.com/cli/configuring-npm/package-json, and the
 * documentation of the tools that read their configuration there.
 */
const sensitive = new RegExp(
  `^(?:${[
    // Package managers
    'scripts|scripts-info|bin|gypfile|.*install.*|.*dependencies.*|workspaces|packageManager|devEngines|volta|overrides|resolutions',
    'pnpm|yarn|bun|allowScripts|lavamoat|wireit|nx|turbo|lerna|config',
    // Hooks of version control
    'husky|lint-staged|(?:simple-)?git-?hooks|pre-commit|pre-push|ghooks|commitlint|release|release-it|semantic-release',
    // What tests, builds, linters and starts load
    'eslintConfig|prettier|stylelint|xo|standard|babel|browserslist|postcss|jest|vitest|ava|mocha|nyc|c8|tap|wallaby|cypress',
    'nodemonConfig|electronmon|build|electron-builder|electronWebpack|tsup|size-limit|oclif|ember-addon|remarkConfig|svgr',
    'config-overrides-path|react-native|expo|parcel|targets|alias|napi',
  ].join('|')})$`,
  'i',
);

/** Returns the pattern that protects a `package.json` when the change touches keys that run code later. */
function packageProtection(change: FileChange): string | undefined {
  return touchesPackage(change) ? packagePattern : undefined;
}

function touchesPackage(change: FileChange): boolean {
  // A proposal does not contain the text of a moved file, so either name is enough to protect it.
  if (change.kind === 'move') return isPackage(change.path.realPath) || isPackage(change.to.realPath);
  if (!isPackage(change.path.realPath)) return false;
  const texts = textsOf(change);
  if (texts === undefined) return true;
  // A missing file runs nothing, as an empty object does.
  const base = change.kind === 'create' ? '{}' : texts.base;
  return changesWhatPackageRuns(base, change.kind === 'delete' ? '{}' : texts.result);
}

function isPackage(path: string): boolean {
  return /(^|[/\\])package\.json$/i.test(path);
}

/** Returns true when a change touches keys that run code later, or when either text is not a JSON object. */
function changesWhatPackageRuns(base: string, result: string): boolean {
  const before = sensitivePart(base);
  const after = sensitivePart(result);
  return before === undefined || after === undefined || before !== after;
}

function sensitivePart(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return JSON.stringify(Object.entries(parsed).filter(([key]) => sensitive.test(key)));
  } catch {
    return undefined;
  }
}
