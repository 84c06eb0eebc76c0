/** The files in which assistants look for the MCP servers of a folder, and their texts. */
import { open } from 'node:fs/promises';
import type { Machine } from './assistant.ts';
import { claudeCode } from './assistants/claudeCode.ts';
import { joined } from './machinePaths.ts';

/** A file of a folder in which an assistant looks for MCP servers. */
interface ServerFile {
  readonly assistant: string;
  /** Relative to the folder. */
  readonly path: readonly string[];
  /** The keys that lead to the servers, one list for each form of the file. */
  readonly keys: readonly (readonly string[])[];
}

const mcpServers = ['mcpServers'];

/** The files, each below the page that names it. */
export const serverFiles: readonly ServerFile[] = [
  // code.claude.com/docs/en/mcp; Copilot CLI reads it too, and servers without a key around them (github/docs#44234).
  { assistant: 'Claude Code', path: ['.mcp.json'], keys: [mcpServers, []] },
  { assistant: 'Claude Code', path: ['.claude', 'settings.json'], keys: [mcpServers] },
  { assistant: 'Claude Code', path: ['.claude', 'settings.local.json'], keys: [mcpServers] },
  // `copilot mcp --help`; github/copilot-cli#4832.
  { assistant: 'Copilot CLI', path: ['.github', 'mcp.json'], keys: [mcpServers, []] },
  // geminicli.com/docs/tools/mcp-server.
  { assistant: 'Gemini CLI', path: ['.gemini', 'settings.json'], keys: [mcpServers] },
  // developers.openai.com/codex/config-basic: a trusted project may have one.
  { assistant: 'Codex', path: ['.codex', 'config.toml'], keys: [['mcp_servers']] },
  // opencode.ai/docs/config.
  { assistant: 'opencode', path: ['opencode.json'], keys: [['mcp']] },
  { assistant: 'opencode', path: ['opencode.jsonc'], keys: [['mcp']] },
  { assistant: 'opencode', path: ['.opencode', 'opencode.json'], keys: [['mcp']] },
  { assistant: 'opencode', path: ['.opencode', 'opencode.jsonc'], keys: [['mcp']] },
  // cursor.com/docs/context/mcp.
  { assistant: 'Cursor', path: ['.cursor', 'mcp.json'], keys: [mcpServers] },
  // code.visualstudio.com/docs/copilot/reference/mcp-configuration.
  { assistant: 'VS Code', path: ['.vscode', 'mcp.json'], keys: [['servers']] },
  // docs.roocode.com/features/mcp/using-mcp-in-roo.
  { assistant: 'Roo Code', path: ['.roo', 'mcp.json'], keys: [mcpServers] },
  // zed.dev/docs/ai/mcp.
  { assistant: 'Zed', path: ['.zed', 'settings.json'], keys: [['context_servers']] },
];

/** A text in which servers may be defined. */
export interface ServerText {
  /** The name of the assistant that reads it. */
  readonly assistant: string;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly keys: readonly (readonly string[])[];
}

/** No assistant has a larger file of settings; Claude Code keeps more than settings in its own. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Reads the files that define the servers of these folders, and the servers that Claude Code has for these folders in the user's own
 * file. Texts without our name are left out, as are files that cannot be read.
 * @param folders absolute
 */
export async function readServerTexts(folders: readonly string[], machine: Machine): Promise<readonly ServerText[]> {
  const own = claudeCode.configurationFile(machine);
  const local = folders.map((folder) => ['projects', folder, ...mcpServers]);
  const places = [
    ...(own === undefined ? [] : [{ assistant: claudeCode.name, file: own, keys: local }]),
    ...folders.flatMap((folder) =>
      serverFiles.map(({ assistant, path, keys }) => ({ assistant, file: joined(machine, folder, ...path), keys })),
    ),
  ];
  const texts = await Promise.all(places.map(async (place) => ({ ...place, text: await readText(place.file) })));
  return texts.filter(({ text }) => text.toLowerCase().includes('drawbridge'));
}

/** Returns the text of a file; an empty one when there is no such file, or it is too large. */
async function readText(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= mostBytes ? await file.readFile('utf8') : '';
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
