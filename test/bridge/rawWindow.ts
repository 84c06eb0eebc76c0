import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { WindowRecord } from '#home/windowFiles.ts';
import { makeRecord, type Wire } from './relaySetUp.ts';

export interface RawRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly message: Wire;
  readonly response: ServerResponse;
  /** Answers with one JSON body. */
  json(status: number, body: unknown): void;
  /** Sends messages as a stream that stays open unless it is ended. */
  stream(...messages: object[]): void;
}

export interface RawWindow {
  readonly record: WindowRecord;
  readonly requests: RawRequest[];
  /** Called for whatever is no handshake. */
  onRequest: (request: RawRequest) => void;
  /** Called for GET. */
  onStream: (request: RawRequest) => void;
  /** Called for DELETE. */
  onEnd: (request: RawRequest) => void;
  stop(): Promise<void>;
}

let count = 0;

/** A window whose answers the test writes by itself. Sessions open by themselves; anything else is up to `onRequest`. */
export async function startRawWindow(windowId = 'window-1'): Promise<RawWindow> {
  const requests: RawRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request: RawRequest = {
        method: incoming.method ?? '',
        headers: incoming.headers,
        text,
        message: text === '' ? {} : JSON.parse(text),
        response,
        json(status, body) {
          response.writeHead(status, { 'Content-Type': 'application/json' });
          response.end(body === undefined ? '' : JSON.stringify(body));
        },
        stream(...messages) {
          if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
          for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        },
      };
      requests.push(request);
      answer(request, window);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const window: RawWindow = {
    record: makeRecord(`http://127.0.0.1:${port}/mcp`, `${++count}`.padStart(43, 'x'), windowId),
    requests,
    onRequest: (request) => request.json(200, { jsonrpc: '2.0', id: request.message.id, result: {} }),
    onStream: (request) => request.json(405, undefined),
    onEnd: (request) => request.json(200, undefined),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => window.stop());
  return window;
}

function answer(request: RawRequest, window: RawWindow): void {
  const { method, message, response } = request;
  if (method === 'GET') return window.onStream(request);
  if (method === 'DELETE') return window.onEnd(request);
  if (message.method === 'notifications/initialized') return request.json(202, undefined);
  if (message.method !== 'initialize') return window.onRequest(request);
  response.setHeader('Mcp-Session-Id', `session-${window.requests.length}`);
  const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'raw', version: '1' } };
  request.json(200, { jsonrpc: '2.0', id: message.id, result });
}
