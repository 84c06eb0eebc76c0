import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectHttp } from '../../bench/httpClient.ts';
import { connectMcp, type Era } from '../../bench/mcpClient.ts';
import { size } from '../../size.ts';
import type { WindowRecord } from '../harness.ts';
import { sharedDrawbridge } from '../shared.ts';

const clientCount = 64;
/** `test/mcp/load.test.ts` proves 1,000 sessions without an editor, and nightly 10,000 calls. */
const callCount = size({ quick: 5 * clientCount, full: 10_000 });
const keptSessions = 32;
const sessionCount = size({ quick: keptSessions + 16, full: 1000 });
const pathOf = (at: number): string => `client-${at}.txt`;
const textOf = (at: number): string => `The file of client ${at} and of no other.\n`;

let server: WindowRecord;

beforeAll(async () => {
  const files = Object.fromEntries(Array.from({ length: clientCount }, (_, at) => [pathOf(at), textOf(at)]));
  const drawbridge = await sharedDrawbridge(files);
  server = await drawbridge.record();
});

/** Reads the file of each client in turn with the shipped limits; gives what did not come, or came from elsewhere. */
async function wrongAnswers(calls: number): Promise<string[]> {
  const eraOf = (at: number): Era => (at % 2 === 0 ? '2025' : '2026');
  const clients = await Promise.all(
    Array.from({ length: clientCount }, (_, at) => connectMcp(server, eraOf(at), `client-${at}`)),
  );
  const wrong: string[] = [];
  const work = clients.map(async (client, at) => {
    for (let call = at; call < calls; call += clientCount) {
      const answer = await client.callTool('read_file', { path: pathOf(at) });
      try {
        const { structuredContent } = answer.toolResult();
        if (structuredContent?.['text'] !== textOf(at)) throw new Error(JSON.stringify(structuredContent));
      } catch (error) {
        wrong.push(`call ${call} of client ${at}: ${String(error)}`);
      }
    }
  });
  await Promise.all(work);
  for (const client of clients) client.close();
  return wrong;
}

describe('many assistants at once', () => {
  it('H7: answers each call of 64 clients of both eras to its own caller when all request ids are equal', async () => {
    expect(await wrongAnswers(callCount)).toEqual([]);
  }, 300_000);

  it('H8: keeps the last 32 sessions when one assistant opens more, and serves other assistants as before', async () => {
    const http = connectHttp(Number(new URL(server.endpoint).port));
    const headers = {
      Authorization: `Bearer ${server.token}`,
      Accept: 'application/json, text/event-stream',
      'Drawbridge-Connection': randomBytes(16).toString('hex'),
    };
    const post = (more: Readonly<Record<string, string>>, message: object) =>
      http.post('/mcp', { ...headers, ...more }, JSON.stringify({ jsonrpc: '2.0', ...message }));
    const clientInfo = { name: 'many', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const sessions: string[] = [];
    for (let opened = 0; opened < sessionCount; opened += 1) {
      const answer = await post({}, { id: 0, method: 'initialize', params });
      expect(answer.status).toBe(200);
      sessions.push(String(answer.headers['mcp-session-id']));
    }
    const statusOf = async (session: string): Promise<number> =>
      (await post({ 'Mcp-Session-Id': session }, { id: 1, method: 'ping' })).status;
    const statuses: number[] = [];
    for (const session of sessions) statuses.push(await statusOf(session));
    http.close();
    expect(statuses).toEqual(sessions.map((_, at) => (at < sessionCount - keptSessions ? 404 : 200)));
    expect(await wrongAnswers(2 * clientCount)).toEqual([]);
  }, 300_000);
});
