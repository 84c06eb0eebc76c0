import * as z from 'zod';

/** An assistant, or another program with an MCP client, as its maker publishes it. */
export interface RealClient {
  readonly name: string;
  readonly package: string;
  /** Pinned. */
  readonly version: string;
  readonly program: string;
  /** Id of the assistant whose configuration it reads (`src/connect/assistants`). */
  readonly assistant: string;
  /** What makes it connect to the servers of its configuration. */
  readonly args: (configuration: string) => readonly string[];
  /** Lines to write to it; its input then stays open until it has said what it sees. */
  readonly input?: readonly object[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What its output says of our server when it is connected, in a few words; undefined when it does not say so. */
  readonly sees: (output: string) => string | undefined;
  /** How the view Connections calls it. */
  readonly clientName: RegExp;
}

const says =
  (pattern: RegExp): RealClient['sees'] =>
  (output) =>
    pattern.test(output) ? 'connected' : undefined;

const toolList = z.object({ tools: z.array(z.object({ name: z.string() })).min(1) });
const serverStatus = z.object({
  id: z.literal(2),
  result: z.object({
    data: z.array(z.object({ name: z.string(), tools: z.record(z.string(), z.unknown()) })),
  }),
});

/** The tools in the JSON that ends the output; what comes before it are remarks. */
function seesToolList(output: string): string | undefined {
  const parsed = toolList.safeParse(parseJson(output.slice(output.indexOf('\n{') + 1)));
  return parsed.success ? toolCount(parsed.data.tools.length) : undefined;
}

/** The tools of our server in the answer to `mcpServerStatus/list`, one line of JSON. */
function seesServerStatus(output: string): string | undefined {
  for (const line of output.split('\n')) {
    const parsed = serverStatus.safeParse(parseJson(line));
    const ours = parsed.data?.result.data.find(({ name }) => name === 'drawbridge');
    const count = Object.keys(ours?.tools ?? {}).length;
    if (count > 0) return toolCount(count);
  }
  return undefined;
}

function toolCount(count: number): string {
  return `${count} tools`;
}

/** Undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const realClients: readonly RealClient[] = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.329',
    program: 'claude',
    assistant: 'claude-code',
    args: () => ['mcp', 'list'],
    sees: says(/^drawbridge: .* - ✔ Connected$/m),
    clientName: /^Claude Code/,
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    assistant: 'gemini-cli',
    args: () => ['mcp', 'list'],
    // It starts no server in a folder that its user does not trust.
    environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    sees: says(/^✓ drawbridge: .* - Connected$/m),
    // That is how its list introduces itself.
    clientName: /mcp-test-client/,
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    program: 'opencode',
    assistant: 'opencode',
    args: () => ['mcp', 'list'],
    sees: says(/✓ drawbridge connected/),
    clientName: /^opencode/i,
  },
  {
    name: 'Codex CLI',
    package: '@openai/codex',
    version: '0.169.0',
    program: 'codex',
    assistant: 'codex',
    // `codex mcp list` only reads the configuration.
    args: () => ['app-server'],
    input: [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name: 'drawbridge', version: '1.0.0' } } },
      { jsonrpc: '2.0', method: 'initialized' },
      { jsonrpc: '2.0', id: 2, method: 'mcpServerStatus/list', params: {} },
    ],
    sees: seesServerStatus,
    clientName: /^Codex/,
  },
  {
    name: 'MCP Inspector',
    package: '@modelcontextprotocol/inspector',
    version: '2.12.0',
    program: 'mcp-inspector',
    // It has no configuration of its own, and reads the shape that most share.
    assistant: 'cursor',
    args: (file) => ['--cli', '--config', file, '--server', 'drawbridge', '--method', 'tools/list'],
    environment: { MCP_INSPECTOR_SECRET_STORE: 'memory' },
    sees: seesToolList,
    clientName: /inspector/,
  },
];
