/** A task that a developer gives to an assistant, as the calls that a model makes for it. */
export interface EconomyTask {
  readonly name: string;
  readonly calls: readonly EconomyCall[];
}

export interface EconomyCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The decision of the user about the card, when there is one. */
  readonly user?: 'approves' | 'declines';
  /** The model asks for the next page until there is none. */
  readonly toEnd?: true;
}

const search = (more: Readonly<Record<string, unknown>>): EconomyCall => ({ tool: 'search_code', arguments: more });
const read = (path: string, firstLine?: number, lastLine?: number): EconomyCall => ({
  tool: 'read_file',
  arguments: {
    path,
    ...(firstLine === undefined ? {} : { firstLine }),
    ...(lastLine === undefined ? {} : { lastLine }),
  },
});
const edit = (...edits: readonly { readonly path: string; readonly oldText: string; readonly newText: string }[]) =>
  ({ tool: 'apply_edit', arguments: { edits, reason: 'As the task says.' }, user: 'approves' }) as const;

const util = 'core/util.ts';
const errors = 'core/errors.ts';

/** In a workspace that holds the sources of zod 4.6.7 (`src/v4` of its package), a fresh copy for each task. */
export const economyTasks: readonly EconomyTask[] = [
  {
    name: 'look around',
    calls: [
      { tool: 'get_workspace', arguments: {} },
      { tool: 'list_directory', arguments: { path: '.' } },
    ],
  },
  {
    name: 'list a folder and what is below it',
    calls: [{ tool: 'list_directory', arguments: { path: '.', depth: 2 } }],
  },
  { name: 'find a file by its name', calls: [{ tool: 'find_files', arguments: { query: 'to-json-schema' } }] },
  { name: 'find all tests', calls: [{ tool: 'find_files', arguments: { query: '**/*.test.ts' } }] },
  {
    name: 'find a definition',
    calls: [search({ query: 'export function prettifyError' }), read(errors, 514, 573)],
  },
  { name: 'find the callers of a function', calls: [search({ query: 'floatSafeRemainder', wholeWord: true })] },
  { name: 'find the places of a common word', calls: [search({ query: 'util.', path: 'core' })] },
  {
    name: 'find by a regular expression with context',
    calls: [search({ query: 'throw new \\w*Error\\(', isRegex: true, linesBefore: 2, linesAfter: 2, path: 'core' })],
  },
  { name: 'find a word that is nowhere', calls: [search({ query: 'doesNotExistAnywhere' })] },
  { name: 'read a function', calls: [read(util, 313, 342)] },
  { name: 'read a small file', calls: [read('core/standard-schema.ts')] },
  { name: 'read a large file to its end', calls: [{ ...read(util), toEnd: true }] },
  {
    name: 'compare three files',
    calls: [
      {
        tool: 'read_files',
        arguments: { files: [{ path: 'core/doc.ts' }, { path: 'core/versions.ts' }, { path: 'core/registries.ts' }] },
      },
    ],
  },
  {
    name: 'fix a bug in one file',
    calls: [
      search({ query: 'export function joinValues' }),
      read(util, 284, 287),
      edit({ path: util, oldText: 'separator = "|"): string {', newText: 'separator = " | "): string {' }),
    ],
  },
  {
    name: 'fix a bug in two files',
    calls: [
      search({ query: 'toDotPath', wholeWord: true }),
      read(errors, 510, 559),
      read('core/versions.ts'),
      edit(
        { path: errors, oldText: 'const segs: string[] = [];', newText: 'const segments: string[] = [];' },
        {
          path: 'core/versions.ts',
          oldText: 'export const version',
          newText: '/** Of this release. */\nexport const version',
        },
      ),
    ],
  },
  {
    name: 'rename a function everywhere',
    calls: [
      search({ query: 'slugify', wholeWord: true }),
      {
        tool: 'apply_edit',
        arguments: {
          edits: [
            { path: util, oldText: 'slugify', newText: 'toSlug', replaceAll: true },
            { path: 'core/api.ts', oldText: 'slugify', newText: 'toSlug', replaceAll: true },
          ],
          reason: 'A clearer name.',
        },
        user: 'approves',
      },
    ],
  },
  {
    name: 'write a new file',
    calls: [
      { tool: 'find_files', arguments: { query: 'core/*.ts' } },
      {
        tool: 'create_file',
        arguments: {
          path: 'core/sum.ts',
          content:
            '/** Adds numbers. */\nexport function sum(...numbers: number[]): number {\n  return numbers.reduce((total, each) => total + each, 0);\n}\n',
          reason: 'The task asks for it.',
        },
        user: 'approves',
      },
    ],
  },
  {
    name: 'send an edit whose text is not there',
    calls: [
      edit({ path: util, oldText: 'export function joinValue<T>(', newText: 'export function joinAll<T>(' }),
      read(util, 284, 287),
    ],
  },
  {
    name: 'propose what the user declines',
    calls: [
      read('core/versions.ts'),
      { tool: 'delete_file', arguments: { path: 'core/versions.ts', reason: 'It looks unused.' }, user: 'declines' },
    ],
  },
  {
    name: 'look at what was done and take it back',
    calls: [
      edit({ path: util, oldText: 'separator = "|"): string {', newText: 'separator = ","): string {' }),
      { tool: 'list_changes', arguments: {} },
    ],
  },
];
