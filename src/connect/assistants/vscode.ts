import type { Assistant } from '../assistant.ts';
import { joined } from '../machinePaths.ts';

/** The user's own `mcp.json`, for editors that accept no MCP servers from extensions. */
export const vscode: Assistant = {
  id: 'vscode',
  name: 'VS Code (mcp.json)',
  kind: 'editor',
  reportsAs: /^(visual studio code|code - oss|vscodium|code-server)/i,
  format: 'json',
  configurationFile: (machine) =>
    machine.editorUserFolder === undefined ? undefined : joined(machine, machine.editorUserFolder, 'mcp.json'),
  traces: ({ editorUserFolder }) => (editorUserFolder === undefined ? [] : [editorUserFolder]),
  programs: [],
  entryPath: ['servers', 'drawbridge'],
  entry: ({ command, args }) => ({ type: 'stdio', command, args }),
};
