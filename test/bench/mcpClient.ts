import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { WindowRecord } from '../host/windowFile.ts';
import { connectHttp, type HttpAnswer, type HttpClient } from './httpClient.ts';

/** `2025`: a session and its streams. `2026`: every request stands alone. */
export type Era = '2025' | '2026';

/** The address and the token of a server. */
export type McpServerAddress = Pick<WindowRecord, 'endpoint' | 'token'>;

export interface McpClient {
  /** Sends a request; ids count from 1, as real clients do. Resolves when the whole answer has arrived, unread. */
  send(method: string, params: Readonly<Record<string, unknown>>): Promise<McpAnswer>;
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<McpAnswer>;
  /** Ends the session, as an assistant does that quits, and closes the connection. */
  leave(): Promise<void>;
  /** Closes the connection alone, as an assistant does that is killed; a session stays open until it has been idle. */
  close(): void;
}

export interface McpAnswer {
  /** Bytes of the whole HTTP body. */
  readonly bytes: number;
  /** The result; throws when it is an error, or the answer to another request. */
  result(): unknown;
  /** Like `result`, for a tool call; throws when the tool reports an error. */
  toolResult(): ToolResult;
}

const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

type ToolResult = z.infer<typeof toolResult>;

const sessionRevision = '2025-11-25';
const modernRevision = '2026-07-28';

/** Speaks the protocol by hand over one kept-alive connection: what is measured is the server, not an SDK's client. */
export async function connectMcp(server: McpServerAddress, era: Era, name: string): Promise<McpClient> {
  const http = connectHttp(Number(new URL(server.endpoint).port));
  const headers = {
    Authorization: `Bearer ${server.token}`,
    Accept: 'application/json, text/event-stream',
    'Drawbridge-Connection': randomBytes(16).toString('hex'),
  };
  const { send, end } =
    era === '2025'
      ? await openSession(http, headers, name)
      : { send: modernSender(http, headers, name), end: undefined };
  return {
    send,
    callTool: (tool, input) => send('tools/call', { name: tool, arguments: input }),
    async leave() {
      await end?.();
      http.close();
    },
    close: () => http.close(),
  };
}

type Headers = Readonly<Record<string, string>>;

interface OpenSession {
  readonly send: McpClient['send'];
  readonly end: () => Promise<void>;
}

async function openSession(http: HttpClient, headers: Headers, name: string): Promise<OpenSession> {
  const post = (more: Headers, message: object): Promise<HttpAnswer> =>
    http.post('/mcp', { ...headers, ...more }, JSON.stringify({ jsonrpc: '2.0', ...message }));
  const params = { protocolVersion: sessionRevision, capabilities: {}, clientInfo: { name, version: '1.0.0' } };
  const opened = await post({}, { id: 0, method: 'initialize', params });
  const session = z.string().parse(opened.headers['mcp-session-id']);
  const own = { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': sessionRevision };
  await post(own, { method: 'notifications/initialized' });
  let last = 0;
  return {
    async send(method, given) {
      last += 1;
      const id = last;
      return answerOf(await post(own, { id, method, params: given }), id);
    },
    async end() {
      const { status, body } = await http.delete('/mcp', { ...headers, ...own });
      if (status !== 200) throw new Error(`The end of the session was answered ${status}: ${body.slice(0, 500)}`);
    },
  };
}

function modernSender(http: HttpClient, headers: Headers, name: string): McpClient['send'] {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let last = 0;
  return async (method, params) => {
    last += 1;
    const id = last;
    const target = params['name'];
    const mirrored = {
      'MCP-Protocol-Version': modernRevision,
      'Mcp-Method': method,
      ...(typeof target === 'string' ? { 'Mcp-Name': target } : {}),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    return answerOf(await http.post('/mcp', { ...headers, ...mirrored }, body), id);
  };
}

const message = z.looseObject({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

function answerOf({ status, body }: HttpAnswer, id: number): McpAnswer {
  const result = (): unknown => {
    if (status !== 200) throw new Error(`Request ${id} was answered ${status}: ${body.slice(0, 500)}`);
    const answer = messagesIn(body).find((each) => each.id !== undefined);
    if (answer?.id !== id || answer.result === undefined) {
      throw new Error(`Request ${id} was answered with ${JSON.stringify(answer)?.slice(0, 500)}`);
    }
    return answer.result;
  };
  return {
    bytes: Buffer.byteLength(body),
    result,
    toolResult() {
      const parsed = toolResult.parse(result());
      if (parsed.isError === true) throw new Error(`The tool failed: ${parsed.content[0]?.text}`);
      return parsed;
    },
  };
}

/** The JSON-RPC messages of an answer, streamed or not. */
function messagesIn(body: string): z.infer<typeof message>[] {
  if (body.startsWith('{')) return [message.parse(JSON.parse(body))];
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => message.parse(JSON.parse(line.slice('data: '.length))));
}
