import { posix } from 'node:path';
import { nativeEditTool } from '#base/nativeEdit.ts';
import type { ChangeKind } from '#base/proposal.ts';
import { actionKey, type ActionProposal, type ProposedCommand } from '#base/proposal.ts';
import type { Judgement } from './decision.ts';
import { escapeGlob } from './pathGlob.ts';
import { parseRule } from './ruleSchema.ts';
import { everyFile, type NewRule, type RuleClass } from './rules.ts';
import { commandText, isShownExactly, listed } from './ruleWords.ts';

/** A rule that the user may make of one answer. */
export interface RuleSuggestion {
  readonly rule: NewRule;
  /** What the rule covers, in a few plain words: "edits of src/cart.ts". */
  readonly covers: string;
}

export interface SuggestedFor {
  readonly tool: string;
  readonly files: readonly {
    /** Relative to its workspace folder, `/` separators. */
    readonly path: string;
    readonly change: ChangeKind;
    /** The pattern that protects the file. */
    readonly protectedBy?: string;
  }[];
  /** Name of the workspace folder; given when the window has several, so that the rule covers only this one. */
  readonly folder?: string;
  readonly judgement: Pick<Judgement, 'onceOnly' | 'risk'>;
  /** The action, when the proposal is not a change of files. */
  readonly action?: Pick<ActionProposal, 'definition' | 'arguments' | 'command'>;
}

/** The most files that a rule lists one by one, and the file limit of a suggested rule for a folder. */
const mostFiles = 5;
const limits = { maxFiles: mostFiles, maxChangedLines: 200 };

/**
 * Returns the rules that would have allowed a change, narrowest first: these files; their folder; this tool for files of this kind
 * (threat row A20). Returns none when the answer counts once only. A delete gets a rule for its files only; a move, which does
 * not happen twice, gets none. A protected file gets a rule for itself only, since a wider one would not count for it. An action gets
 * a rule for exactly that action.
 */
export function suggestRules(change: SuggestedFor): readonly RuleSuggestion[] {
  if (change.action !== undefined) return suggestForAction(change.action, change.judgement);
  const kind = classOf(change);
  const paths = [...new Set(change.files.map(({ path }) => path.normalize('NFC')))];
  if (kind === undefined || paths.length === 0 || paths.length > mostFiles || paths.includes('')) return [];
  const wider = isPlainEdit(change) ? [folderRule(paths), toolRule(change.tool, paths)] : [];
  return [filesRule(kind, paths), ...wider].flatMap((suggestion) => {
    if (suggestion === undefined) return [];
    const rule = {
      ...suggestion.rule,
      ...toolsFor(change),
      paths: suggestion.rule.paths.map((path) => rooted(path, change.folder)),
    };
    const { invalid } = parseRule({ id: 'suggested', ...rule }, { tools: [change.tool] });
    return invalid === undefined && isShownExactly(rule.paths.join('')) ? [{ rule, covers: suggestion.covers }] : [];
  });
}

/**
 * Returns the rule that allows every edit in the workspace folder, for as long as a session lasts; undefined for a change that is no
 * edit, or that such a rule would not allow. Deletes, moves, protected and secret files still ask.
 */
export function allEditsRule(change: SuggestedFor): NewRule | undefined {
  if (change.action !== undefined || change.files.length === 0 || !isPlainEdit(change)) return undefined;
  return { effect: 'allow', class: 'edit', ...toolsFor(change), paths: [rooted(everyFile, change.folder)] };
}

/** Returns whether a change only edits or creates files that nothing protects. */
function isPlainEdit(change: SuggestedFor): boolean {
  return classOf(change) === 'edit' && change.files.every(({ protectedBy }) => protectedBy === undefined);
}

/** A rule for an own edit of an assistant must name the tool, or it would not count for such edits. */
function toolsFor({ tool }: SuggestedFor): Pick<NewRule, 'tools'> {
  return tool === nativeEditTool ? { tools: [tool] } : {};
}

function suggestForAction(
  action: NonNullable<SuggestedFor['action']>,
  { onceOnly, risk }: SuggestedFor['judgement'],
): readonly RuleSuggestion[] {
  if (action.command !== undefined) return onceOnly ? [] : suggestForCommand(action.command);
  const rule: NewRule = { effect: 'allow', class: risk, action: actionKey(action) };
  const { invalid } = parseRule({ id: 'suggested', ...rule }, { tools: [] });
  if (onceOnly || invalid !== undefined || !isShownExactly(actionKey(action))) return [];
  return [{ rule, covers: `${action.definition} with exactly these arguments` }];
}

/** Programs whose second word says what they do. */
const withSubcommands: ReadonlySet<string> = new Set([
  'git',
  'gh',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'cargo',
  'go',
  'dotnet',
  'docker',
  'kubectl',
  'bundle',
  'poetry',
  'uv',
  'mix',
]);

/**
 * Returns rules for a command line with one command that does more than read: for exactly its words, and for its program with the same
 * subcommand. A line with several such commands needs a rule for each, so none is suggested.
 */
function suggestForCommand({ parts }: ProposedCommand): readonly RuleSuggestion[] {
  const [only, ...others] = parts.filter((part) => part.class !== 'reads');
  const words = only?.words;
  if (words === undefined || others.length > 0) return [];
  const [program = '', subcommand = ''] = words;
  const isOpen = withSubcommands.has(program) && /^[a-z][\w:-]*$/.test(subcommand) && words.length > 2;
  const begins = isOpen ? [[program, subcommand, '*']] : [];
  return [words, ...begins].flatMap((command, at) => {
    const rule: NewRule = { effect: 'allow', class: 'execute', command };
    const { invalid } = parseRule({ id: 'suggested', ...rule }, { tools: [] });
    const covers =
      at === 0 ? `the command ${commandText(words)}` : `every command that begins with ${program} ${subcommand}`;
    // A last word "*" of the command itself would be taken for any words.
    const isExact = (at > 0 || words.at(-1) !== '*') && isShownExactly(JSON.stringify(command));
    return invalid === undefined && isExact ? [{ rule, covers }] : [];
  });
}

interface Draft {
  readonly rule: NewRule & { readonly paths: readonly string[] };
  readonly covers: string;
}

function classOf({ files, judgement }: SuggestedFor): RuleClass | undefined {
  if (judgement.onceOnly) return undefined;
  const isAll = (...kinds: readonly ChangeKind[]): boolean => files.every(({ change }) => kinds.includes(change));
  if (judgement.risk === 'delete') return isAll('delete') ? 'delete' : undefined;
  return isAll('edit', 'create') ? 'edit' : undefined;
}

function filesRule(kind: RuleClass, paths: readonly string[]): Draft {
  const verb = kind === 'delete' ? 'deletes' : 'edits';
  return {
    rule: { effect: 'allow', class: kind, paths: paths.map((path) => anchored(escapeGlob(path))) },
    covers: `${verb} of ${listed(paths)}`,
  };
}

/** Returns a rule for the files of one folder, or for everything below the folder that holds all files. */
function folderRule(paths: readonly string[]): Draft | undefined {
  const [folder = '', ...others] = [...new Set(paths.map(folderOf))];
  const isOne = others.length === 0;
  const common = others.reduce(commonFolder, folder);
  if (common === '' && !isOne) return undefined;
  const glob = anchored(`${common === '' ? '' : `${escapeGlob(common)}/`}${isOne ? '*' : '**'}`);
  const where =
    common === '' ? 'the workspace folder itself' : `${listed([common])}${isOne ? '' : ' and the folders below it'}`;
  return {
    rule: { effect: 'allow', class: 'edit', paths: [glob], limits },
    covers: `edits of files in ${where}, ${within}`,
  };
}

/** Returns a rule for files with the same extension below the same top folder. */
function toolRule(tool: string, paths: readonly string[]): Draft | undefined {
  const [extension = '', ...others] = [...new Set(paths.map((path) => posix.extname(path)))];
  if (extension === '' || extension === '.' || others.length > 0) return undefined;
  const tops = [...new Set(paths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')))];
  const [top = ''] = tops;
  const isOne = tops.length === 1 && top !== '';
  const files = `*${escapeGlob(extension)}`;
  // Without a folder before it, the glob would match everything in a folder with such a name as well.
  const glob = anchored(isOne ? `${escapeGlob(top)}/**/${files}` : `./**/${files}`);
  return {
    rule: { effect: 'allow', class: 'edit', tools: [tool], paths: [glob], limits },
    covers: `edits of all ${listed([`*${extension}`])} files${isOne ? ` below ${listed([top])}` : ''} by ${tool}, ${within}`,
  };
}

const within = `at most ${limits.maxFiles} files and ${limits.maxChangedLines} lines at once`;

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function commonFolder(one: string, other: string): string {
  const [names, others] = [one.split('/'), other.split('/')];
  const differs = names.findIndex((name, at) => name !== others[at]);
  return differs < 0 ? one : names.slice(0, differs).join('/');
}

/** Anchors a glob, so that it matches this place and no other place with the same name. */
function anchored(glob: string): string {
  return glob.includes('/') && !glob.startsWith('!') ? glob : `./${glob}`;
}

function rooted(glob: string, folder: string | undefined): string {
  return folder === undefined ? glob : `folder:${folder}:${glob}`;
}
