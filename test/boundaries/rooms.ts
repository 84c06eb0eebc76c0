/** One room of `src`: a folder, with what it is for and what it may import. */
export interface Room {
  /** What the room does, in one sentence of CONTRIBUTING. */
  readonly purpose: string;
  /** Rooms whose files it may import by alias. */
  readonly rooms: readonly string[];
  /** npm packages that it may import. */
  readonly packages: readonly string[];
}

/** The rooms, from the ground up. A folder within a room that has a row of its own is a room of its own. */
export const rooms: Readonly<Record<string, Room>> = {
  base: {
    purpose: 'Types and functions that every room uses: errors, paths, proposals, principals, events, clocks.',
    rooms: [],
    packages: [],
  },
  home: {
    purpose:
      'What all windows and programs of one user share below `~/.drawbridge`: own files, published windows, tokens, launcher.',
    rooms: ['base'],
    packages: ['zod', 'p-limit', 'proper-lockfile', 'write-file-atomic'],
  },
  audit: {
    purpose: 'The record of every call, and the redaction of secrets.',
    rooms: ['base', 'home'],
    packages: ['zod', 'proper-lockfile'],
  },
  syntax: {
    purpose: 'Parses command lines, and finds syntax errors and names in texts, with tree-sitter in one worker thread.',
    rooms: ['base'],
    packages: ['@vscode/tree-sitter-wasm'],
  },
  policy: {
    purpose: 'Decides whether a call may happen: modes, rules, paths, protected and secret files.',
    rooms: ['base'],
    packages: ['zod'],
  },
  'policy/editor': {
    purpose: 'Reads settings, rule files, the repository policy and the managed policy file.',
    rooms: ['base', 'home', 'audit', 'policy'],
    packages: ['zod'],
  },
  colours: {
    purpose: 'Colours code as the editor does, with the grammars and themes of extensions, in one worker thread.',
    rooms: ['base', 'syntax', 'policy'],
    packages: ['zod', 'jsonc-parser', 'vscode-textmate', 'vscode-oniguruma'],
  },
  files: {
    purpose: 'Text and bytes of the workspace: disk, encodings, open documents, watching, images scaled down.',
    rooms: ['base', 'syntax', 'policy'],
    packages: ['@jsquash/jpeg', '@jsquash/png', '@jsquash/resize', '@jsquash/webp', 'omggif'],
  },
  search: { purpose: 'Finds text and files with ripgrep.', rooms: ['base', 'policy'], packages: [] },
  language: {
    purpose: 'Everything that asks a language service: symbols, references, diagnostics, refactorings.',
    rooms: ['base', 'audit', 'policy', 'files', 'search'],
    packages: ['zod'],
  },
  changes: {
    purpose: 'Proposals, approvals, diffs and hunks, apply, undo, history, recovery.',
    rooms: ['base', 'home', 'audit', 'policy', 'files', 'language'],
    packages: ['zod', 'diff', 'p-limit', 'write-file-atomic'],
  },
  call: {
    purpose:
      'The life of a tool call, from validation to the result. `call/ports` holds what only the editor can give.',
    rooms: ['base', 'audit', 'policy', 'files', 'search', 'language', 'changes'],
    packages: ['zod', 'limiter'],
  },
  tools: {
    purpose: 'The tools, prompts, resources and completions that assistants are offered.',
    rooms: ['base', 'audit', 'policy', 'files', 'search', 'language', 'changes', 'call'],
    packages: ['zod'],
  },
  editor: {
    purpose: 'Wraps VS Code: settings, the workspace, commands, open editors, marks in the text.',
    rooms: ['base', 'home', 'policy', 'files', 'changes', 'call'],
    packages: ['zod', 'p-limit'],
  },
  connect: {
    purpose: "Assistants' configurations, the dialogs of Connect, the facts and findings of Doctor.",
    rooms: ['base', 'home', 'editor'],
    packages: [
      'zod',
      'diff',
      'jsonc-parser',
      'yaml',
      '@decimalturn/toml-patch',
      'proper-lockfile',
      'write-file-atomic',
    ],
  },
  ui: {
    purpose:
      'What the user sees: trees, status bar, notices, walkthrough; `ui/approvals` is the host half of the page.',
    rooms: ['base', 'home', 'audit', 'policy', 'policy/editor', 'changes', 'call', 'editor', 'connect', 'ui/page'],
    packages: ['zod', 'diff'],
  },
  'ui/page': {
    purpose:
      'The review page: Preact elements and the words of cards (`words`), made of the data of the host; a tsconfig of its own.',
    rooms: ['base', 'policy', 'changes'],
    packages: ['zod', 'preact', 'preact/hooks'],
  },
  mcp: {
    purpose: 'The MCP server: HTTP, authentication, sessions; `mcp/protocol` implements both eras with the SDK.',
    rooms: ['base', 'home', 'call', 'mcp/wire'],
    packages: ['zod', 'p-limit', 'write-file-atomic', '@modelcontextprotocol/server'],
  },
  'mcp/wire': {
    purpose: 'The answers that the bridge must give as the window does, without the SDK.',
    rooms: ['base'],
    packages: [],
  },
  bridge: {
    purpose: 'Programs that run without an editor: the bridge, its Doctor, the hook program, the uninstall script.',
    rooms: ['base', 'home', 'connect', 'mcp/wire'],
    packages: ['zod', 'eventsource-parser'],
  },
  main: {
    purpose: 'Puts the parts together, one file for each part of a process.',
    rooms: [
      'base',
      'home',
      'audit',
      'policy',
      'policy/editor',
      'files',
      'search',
      'language',
      'changes',
      'call',
      'tools',
      'editor',
      'connect',
      'ui',
      'ui/page',
      'syntax',
      'colours',
      'mcp',
      'mcp/wire',
    ],
    packages: ['zod'],
  },
};

/** Rooms that may import only a part of another room: `importer > imported`, with the prefixes of the allowed paths. */
export const entrances: Readonly<Record<string, readonly string[]>> = {
  // A tool is data for the pipeline: it never drives it.
  'tools > call': [
    'call/tool.ts',
    'call/prompt.ts',
    'call/resource.ts',
    'call/completion.ts',
    'call/result.ts',
    'call/cursor.ts',
    'call/mimeType.ts',
    'call/sanitise.ts',
    'call/jsonSchemaInput.ts',
    'call/nativeFileEdit.ts',
    'call/ports/',
  ],
  // The hook program speaks as each assistant does. What imports `vscode` cannot run without an editor.
  'bridge > connect': ['connect/hooks/'],
};

/** Packages that only one folder may import: the door of the MCP server checks callers without the SDK. */
export const onlyIn: Readonly<Record<string, string>> = { '@modelcontextprotocol/server': 'src/mcp/protocol/' };

/** The limit of files in `base`, which holds shared types and is not the place for leftovers. */
export const mostFilesOfBase = 22;

/** Returns the deepest of these rooms that contains a file below `src` or `test`; undefined when none does. */
export function deepestRoom(names: readonly string[], top: 'src' | 'test', file: string): string | undefined {
  const found = names.filter((name) => file.startsWith(`${top}/${name}/`));
  return found.toSorted((one, other) => other.length - one.length)[0];
}
