/** Says in words what a tool call did. */
import * as vscode from 'vscode';
import { nativeCommandTool } from '#base/nativeCommand.ts';
import { nativeEditTool, nativeUnseenTool } from '#base/nativeEdit.ts';
import type { AuditResource } from '#audit/auditLog.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import type { ChangeKind } from '#base/proposal.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Approval } from '#changes/approval.ts';

/** The words of a call. */
export interface CallWords {
  /** Says what a call did that came to its end, such as "Searched for “formatMoney”". */
  readonly done: string;
  /** Says what a call was to do that did not come to its end, such as "Search for “formatMoney”". */
  readonly todo: string;
  /** How much was found or changed, such as "91 matches". */
  readonly found?: string | undefined;
}

/** Longer names are cut, so that what follows them still has room in the row. */
const longestName = 32;

/**
 * Returns the words of a call. Each text of an assistant is plain and short.
 * @param approval of the call, which knows what is renamed
 */
export function wordsOf(call: CallSummary, approval?: Approval): CallWords {
  const facts = new Facts(call, approval);
  const words = Object.hasOwn(wordsByTool, call.tool) ? wordsByTool[call.tool] : undefined;
  return words?.(facts) ?? otherTool(call);
}

/** Returns the names of files in a few words, such as "cart.ts", "a.ts and b.ts" or "a.ts and 34 other files". */
function filesText(resources: readonly AuditResource[]): string {
  const { t } = vscode.l10n;
  const places = new Map(resources.map((resource) => [resource.path ?? resource.outside ?? '', resource]));
  places.delete('');
  const [first, second, ...others] = [...places.values()].map(nameOfResource);
  if (places.has('.')) return t('the workspace');
  if (first === undefined) return t('something');
  if (second === undefined) return first;
  return others.length === 0 ? t('{0} and {1}', first, second) : t('{0} and {1} other files', first, others.length + 1);
}

/** Returns the name of a file without its folders. A file outside the workspace is recorded as a digest and its name. */
export function nameOfResource({ path, outside = '' }: AuditResource): string {
  const name = path === undefined ? outside.slice(outside.indexOf(' ') + 1) : path.slice(path.lastIndexOf('/') + 1);
  return shortened(plain(name), longestName);
}

/** The facts of a call that its words are made of. */
class Facts {
  readonly files: string;
  readonly #call: CallSummary;
  readonly approval: Approval | undefined;

  constructor(call: CallSummary, approval: Approval | undefined) {
    this.#call = call;
    this.approval = approval;
    // A call that still runs has no resources yet.
    this.files = filesText(call.resources.length > 0 ? call.resources : givenPaths(call.arguments));
  }

  /** Returns a text argument; undefined when the record cut it or has only its length. */
  argument(name: string): string | undefined {
    const value = this.#call.arguments?.[name];
    const text = isHead(value) ? `${value.head}…` : value;
    return typeof text === 'string' && text !== '' ? shortened(plain(text), longestName) : undefined;
  }

  /** Returns a text argument in quotation marks; "something" when it is not known. */
  quoted(name: string): string {
    const text = this.argument(name);
    return text === undefined ? vscode.l10n.t('something') : vscode.l10n.t('“{0}”', text);
  }

  /** Returns the symbol that an argument names, or the file in which it is. */
  get symbol(): string {
    return this.argument('symbol') === undefined ? vscode.l10n.t('a symbol in {0}', this.files) : this.quoted('symbol');
  }

  /** Returns a number of the result; undefined when the call has none. */
  number(name: string): number | undefined {
    return this.#call.counts?.[name];
  }

  /** Returns a number of the result in words. @param many has the number as `{0}` */
  count(name: string, one: string, many: (count: number) => string): string | undefined {
    const count = this.number(name);
    return count === undefined ? undefined : count === 1 ? one : many(count);
  }

  /** Returns the place of a file that is moved. */
  path(index: number): string {
    return plain(this.#call.resources[index]?.path ?? vscode.l10n.t('something'));
  }

  /** Returns the command that the call runs. */
  get command(): string {
    const { definition } = this.#call;
    return definition === undefined ? this.quoted('command') : shortened(plain(definition), longestName * 2);
  }
}

/** Returns the paths in the arguments of a call, at their top or in a list. */
function givenPaths(value: unknown): readonly AuditResource[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, given]: [string, unknown]) => {
    if (name === 'path' && typeof given === 'string') return [{ path: given }];
    if (!Array.isArray(given)) return [];
    return given.flatMap((each: unknown) =>
      name === 'paths' && typeof each === 'string' ? [{ path: each }] : givenPaths(each),
    );
  });
}

/** A long argument is recorded as its length, its digest and its first characters. */
function isHead(value: unknown): value is { readonly head: string } {
  return typeof value === 'object' && value !== null && 'head' in value && typeof value.head === 'string';
}

type Words = (facts: Facts) => CallWords;

const { t } = vscode.l10n;

const matches = (count: number): string => t('{0} matches', count);

/** Returns the words of a call that asks a language service for a detail of a file. */
const detail =
  (what: () => string): Words =>
  ({ files }) => ({ done: t('Asked for {0} in {1}', what(), files), todo: t('Ask for {0} in {1}', what(), files) });

/** The words of each tool of Drawbridge, of what stands for the own tools of assistants, and of other requests. */
const wordsByTool: Readonly<Record<string, Words>> = {
  get_workspace: () => ({ done: t('Looked at the workspace'), todo: t('Look at the workspace') }),
  search_code: (facts) => ({
    done: t('Searched for {0}', facts.quoted('query')),
    todo: t('Search for {0}', facts.quoted('query')),
    found: facts.count('totalCount', t('1 match'), matches),
  }),
  find_files: (facts) => ({
    done: t('Looked for files named {0}', facts.quoted('query')),
    todo: t('Look for files named {0}', facts.quoted('query')),
    found: facts.count('totalCount', t('1 file'), (count) => t('{0} files', count)),
  }),
  list_directory: (facts) => ({
    done: t('Listed the folder {0}', facts.files),
    todo: t('List the folder {0}', facts.files),
    found: facts.count('totalCount', t('1 entry'), (count) => t('{0} entries', count)),
  }),
  read_file: readOne,
  read_files: (facts) => ({
    done: t('Read {0}', facts.files),
    todo: t('Read {0}', facts.files),
    found: facts.count('failed', t('1 could not be read'), (count) => t('{0} could not be read', count)),
  }),
  apply_edit: edit,
  create_file: ({ files }) => ({ done: t('Created {0}', files), todo: t('Create {0}', files) }),
  delete_file: ({ files }) => ({ done: t('Deleted {0}', files), todo: t('Delete {0}', files) }),
  move_file: (facts) => ({
    done: t('Moved {0} to {1}', facts.path(0), facts.path(1)),
    todo: t('Move {0} to {1}', facts.path(0), facts.path(1)),
  }),
  get_approval: () => ({ done: t('Asked what you decided'), todo: t('Ask what you decided') }),
  list_changes: (facts) => ({
    done: t('Listed earlier changes'),
    todo: t('List earlier changes'),
    found: facts.count('totalCount', t('1 change'), (count) => t('{0} changes', count)),
  }),
  revert_change: ({ files }) => ({
    done: t('Undid an earlier change of {0}', files),
    todo: t('Undo an earlier change of {0}', files),
  }),
  get_diagnostics: (facts) => ({
    done: t('Asked for problems of {0}', facts.files),
    todo: t('Ask for problems of {0}', facts.files),
    found: problemsFound(facts),
  }),
  find_symbols: (facts) => ({
    done: t('Looked for symbols named {0}', facts.quoted('query')),
    todo: t('Look for symbols named {0}', facts.quoted('query')),
    found: facts.count('totalCount', t('1 symbol'), (count) => t('{0} symbols', count)),
  }),
  get_outline: ({ files }) => ({
    done: t('Looked at the outline of {0}', files),
    todo: t('Look at the outline of {0}', files),
  }),
  get_symbol: ({ symbol }) => ({ done: t('Looked up {0}', symbol), todo: t('Look up {0}', symbol) }),
  find_references: (facts) => {
    const what = relationText(facts.argument('relation'));
    return {
      done: t('Looked for {0} of {1}', what, facts.symbol),
      todo: t('Look for {0} of {1}', what, facts.symbol),
      found: facts.count('totalCount', t('1 place'), (count) => t('{0} places', count)),
    };
  },
  get_call_hierarchy: (facts) => {
    const isOutgoing = facts.argument('direction') === 'outgoing';
    const what = isOutgoing ? t('calls in {0}', facts.symbol) : t('calls of {0}', facts.symbol);
    return {
      done: t('Looked for {0}', what),
      todo: t('Look for {0}', what),
      found: facts.count('calls', t('1 call'), (count) => t('{0} calls', count)),
    };
  },
  get_type_hierarchy: (facts) => ({
    done: t('Looked for types related to {0}', facts.symbol),
    todo: t('Look for types related to {0}', facts.symbol),
    found: facts.count('types', t('1 type'), (count) => t('{0} types', count)),
  }),
  rename_symbol: rename,
  edit_symbol: ({ symbol, files }) => ({
    done: t('Edited {0} in {1}', symbol, files),
    todo: t('Edit {0} in {1}', symbol, files),
  }),
  list_code_actions: (facts) => ({
    done: t('Asked for quick fixes in {0}', facts.files),
    todo: t('Ask for quick fixes in {0}', facts.files),
    found: facts.count('actions', t('1 quick fix'), (count) => t('{0} quick fixes', count)),
  }),
  apply_code_action: ({ files }) => ({
    done: t('Made a quick fix in {0}', files),
    todo: t('Make a quick fix in {0}', files),
  }),
  format_files: ({ files }) => ({ done: t('Formatted {0}', files), todo: t('Format {0}', files) }),
  get_editor_state: () => ({ done: t('Looked at your open editors'), todo: t('Look at your open editors') }),
  open_file: ({ files }) => ({ done: t('Showed you {0}', files), todo: t('Show you {0}', files) }),
  save_files: ({ files }) => ({ done: t('Saved {0}', files), todo: t('Save {0}', files) }),
  close_editors: ({ files }) => ({
    done: t('Closed the editors of {0}', files),
    todo: t('Close the editors of {0}', files),
  }),
  mark_lines: (facts) => ({
    done: t('Marked lines of {0}', facts.files),
    todo: t('Mark lines of {0}', facts.files),
    found: facts.count('marked', t('1 place'), (count) => t('{0} places', count)),
  }),
  ask_user: (facts) => ({
    done: t('Asked you {0}', facts.quoted('question')),
    todo: t('Ask you {0}', facts.quoted('question')),
  }),
  list_commands: (facts) => ({
    done: t('Listed commands of the editor'),
    todo: t('List commands of the editor'),
    found: facts.count('totalCount', t('1 command'), (count) => t('{0} commands', count)),
  }),
  run_command: ({ command }) => ({
    done: t('Ran the command {0}', command),
    todo: t('Run the command {0}', command),
  }),
  get_language_details: detail(() => t('details')),
  get_signature_help: detail(() => t('the parameters of a call')),
  get_completions: detail(() => t('completions')),
  get_document_highlights: detail(() => t('highlights')),
  get_inlay_hints: detail(() => t('inlay hints')),
  get_folding_ranges: detail(() => t('folding ranges')),
  get_selection_ranges: detail(() => t('selection ranges')),
  get_semantic_tokens: detail(() => t('semantic tokens')),
  get_code_lenses: detail(() => t('code lenses')),
  get_document_links: detail(() => t('links')),
  get_document_colors: detail(() => t('colors')),
  [nativeEditTool]: (facts) => {
    const { done, todo } = edit(facts);
    return { done: t('{0} with its own tool', done), todo: t('{0} with its own tool', todo) };
  },
  [nativeUnseenTool]: ({ files }) => ({
    done: t('Edited {0} without showing the change', files),
    todo: t('Edit {0} without showing the change', files),
  }),
  [nativeCommandTool]: () => ({
    done: t('Ran a command in its own shell'),
    todo: t('Run a command in its own shell'),
  }),
  get_prompt: (facts) => ({
    done: t('Used the prompt {0}', facts.quoted('prompt').replaceAll('_', ' ')),
    todo: t('Use the prompt {0}', facts.quoted('prompt').replaceAll('_', ' ')),
  }),
  read_resource: ({ files }) => ({ done: t('Read the resource {0}', files), todo: t('Read the resource {0}', files) }),
  watch_resource: ({ files }) => ({
    done: t('Watched {0} for changes', files),
    todo: t('Watch {0} for changes', files),
  }),
};

/** One edit may also create, delete and move files. */
function edit({ files, approval }: Facts): CallWords {
  const [kind = 'edit', ...others] = new Set(approval?.files.map(({ change }) => change));
  if (others.length > 0) return { done: t('Changed {0}', files), todo: t('Change {0}', files) };
  const words: Record<ChangeKind, CallWords> = {
    edit: { done: t('Edited {0}', files), todo: t('Edit {0}', files) },
    create: { done: t('Created {0}', files), todo: t('Create {0}', files) },
    delete: { done: t('Deleted {0}', files), todo: t('Delete {0}', files) },
    move: { done: t('Moved {0}', files), todo: t('Move {0}', files) },
  };
  return words[kind];
}

function readOne(facts: Facts): CallWords {
  const [first, last, all] = ['firstLine', 'lastLine', 'totalLines'].map((name) => facts.number(name));
  const todo = t('Read {0}', facts.files);
  if (first === undefined || last === undefined || last < first) return { done: todo, todo };
  if (first === 1 && last === all) {
    return { done: todo, todo, found: last === 1 ? t('its only line') : t('all {0} lines', last) };
  }
  return {
    done: first === last ? t('Read {0} {1}', facts.files, first) : t('Read {0} {1}-{2}', facts.files, first, last),
    todo,
  };
}

function problemsFound(facts: Facts): string | undefined {
  const [errors, warnings] = [facts.number('errorCount'), facts.number('warningCount')];
  if (errors === undefined || warnings === undefined) return undefined;
  const parts = [
    ...(errors === 0 ? [] : [errors === 1 ? t('1 error') : t('{0} errors', errors)]),
    ...(warnings === 0 ? [] : [warnings === 1 ? t('1 warning') : t('{0} warnings', warnings)]),
  ];
  return parts.length === 0 ? t('no errors or warnings') : parts.join(', ');
}

function rename(facts: Facts): CallWords {
  const purpose = facts.approval?.purpose;
  const [from, to] =
    purpose === undefined
      ? [facts.symbol, facts.quoted('newName')]
      : [purpose.from, purpose.to].map((name) => t('“{0}”', shortened(plain(name), longestName)));
  const files = facts.approval?.files.length ?? 0;
  return {
    done: t('Renamed {0} to {1}', from ?? '', to ?? ''),
    todo: t('Rename {0} to {1}', from ?? '', to ?? ''),
    ...(purpose && {
      found: t(
        '{0} in {1}',
        purpose.places === 1 ? t('1 place') : t('{0} places', purpose.places),
        files === 1 ? t('1 file') : t('{0} files', files),
      ),
    }),
  };
}

function relationText(relation: string | undefined): string {
  const texts: Readonly<Record<string, string>> = {
    implementations: t('implementations'),
    definition: t('the definition'),
    declaration: t('the declaration'),
    type_definition: t('the type'),
    writes: t('writes'),
  };
  return (relation !== undefined && Object.hasOwn(texts, relation) ? texts[relation] : undefined) ?? t('uses');
}

/** Returns the words of a tool of another extension, of a command that is a tool, and of a tool that does not exist. */
function otherTool({ tool, outcome }: CallSummary): CallWords {
  const name = shortened(plain(tool.replace(/^relay_/, '').replaceAll('_', ' ')), longestName * 2);
  if (outcome === 'unknown_tool') {
    const missing = t('Asked for the tool {0}, which does not exist', name);
    return { done: missing, todo: missing };
  }
  return { done: t('Used the tool {0}', name), todo: t('Use the tool {0}', name) };
}
