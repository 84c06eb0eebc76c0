import { setTimeout as sleep } from 'node:timers/promises';
import { type WindowRecord, windowRecords } from './windowFile.ts';

/** Prints how to connect an assistant to each window in which Drawbridge starts, until `ended`. */
export async function announceWindows(home: string, ended: AbortSignal = new AbortController().signal): Promise<void> {
  const known = new Set<string>();
  while (!ended.aborted) {
    for (const record of windowRecords(home).filter(({ endpoint }) => !known.has(endpoint))) {
      known.add(record.endpoint);
      process.stdout.write(howToConnect(record));
    }
    await sleep(250);
  }
}

function howToConnect({ endpoint, token, folders }: WindowRecord): string {
  const headers = { Authorization: `Bearer ${token}` };
  const configuration = { mcpServers: { drawbridge: { type: 'http', url: endpoint, headers } } };
  return `
Drawbridge runs in ${folders.map(({ path }) => path).join(', ') || 'a window without a folder'}
  MCP endpoint: ${endpoint}
  Bearer token: ${token}

Connect Claude Code:
  claude mcp add --transport http drawbridge ${endpoint} --header "Authorization: Bearer ${token}"

Connect any other MCP client, in its configuration:
${JSON.stringify(configuration, undefined, 2).replace(/^/gm, '  ')}
`;
}
