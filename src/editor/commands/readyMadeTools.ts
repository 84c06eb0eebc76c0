/** An entry of `drawbridge.commandTools`. */
export interface WrittenTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly command: string;
  readonly argumentSchema?: Readonly<Record<string, unknown>>;
  readonly arguments?: readonly unknown[];
}

/** The ready-made tools, for commands that most editors have; docs/command-tools.md lists them. */
export const readyMadeTools: readonly WrittenTool[] = [
  {
    name: 'restart_typescript_server',
    title: 'Restart TypeScript server',
    description:
      'Restart the TypeScript and JavaScript language service, when its problems or types are stale: after packages were ' +
      'installed, or files generated. Ask for diagnostics again afterwards.',
    command: 'typescript.restartTsServer',
  },
  {
    name: 'organize_active_imports',
    title: 'Organize imports of active file',
    description:
      'Sort the imports of the file in the active editor and remove unused ones, as its language does. Open the file first.',
    command: 'editor.action.organizeImports',
  },
  {
    name: 'reveal_in_explorer',
    title: 'Reveal in Explorer',
    description:
      'Show the user where a file or folder is, selected in the Explorer view. Example: {"path":"src/cart.ts"}.',
    command: 'revealInExplorer',
    argumentSchema: {
      type: 'object',
      properties: { path: { type: 'string', maxLength: 4096, description: 'Workspace-relative path' } },
      required: ['path'],
    },
    arguments: [{ $uri: { $input: 'path' } }],
  },
  {
    name: 'run_all_tests',
    title: 'Run all tests',
    description: "Run every test that the editor's Testing view knows. The user sees the results there.",
    command: 'testing.runAll',
  },
  {
    name: 'rerun_failed_tests',
    title: 'Rerun failed tests',
    description: "Run the tests again that failed last in the editor's Testing view. The user sees the results there.",
    command: 'testing.reRunFailTests',
  },
  {
    name: 'fetch_git_remote',
    title: 'Fetch from Git remote',
    description: 'Get the new commits and branches of the Git remote; no branch and no file is changed.',
    command: 'git.fetch',
  },
];
