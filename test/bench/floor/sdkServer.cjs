'use strict';
// The MCP SDK as its documentation sets it up, both eras on one endpoint, without any of Drawbridge's duties.
const { randomUUID } = require('node:crypto');
const http = require('node:http');
const {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} = require('@modelcontextprotocol/server');

const modernRevision = '2026-07-28';

/**
 * @param {string} secret what requests must carry as their bearer token
 * @param {() => object} answer the result of its one tool, which takes no arguments
 * @returns {Promise<http.Server>} listening on a free port
 */
exports.startSdkServer = async (secret, answer) => {
  const makeServer = () => {
    const server = new McpServer({ name: 'bare', version: '1.0.0' });
    server.registerTool('answer', { description: 'Answers.' }, async () => answer());
    return server;
  };
  const modern = createMcpHandler(makeServer, { legacy: 'reject' });
  const sessions = new Map();
  const openSession = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await makeServer().connect(transport);
    return transport;
  };
  const serve = async (request, parsedBody) => {
    if (request.headers.get('mcp-protocol-version') === modernRevision) return modern.fetch(request, { parsedBody });
    const transport = sessions.get(request.headers.get('mcp-session-id')) ?? (await openSession());
    return transport.handleRequest(request, { parsedBody });
  };
  const server = http.createServer({ keepAliveTimeout: 300_000 }, async (incoming, outgoing) => {
    if (incoming.headers.authorization !== `Bearer ${secret}`) {
      outgoing.writeHead(401).end();
      return;
    }
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers: incoming.headers });
    const response = await serve(request, JSON.parse(Buffer.concat(chunks).toString()));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};
