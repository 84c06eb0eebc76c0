'use strict';
// The test runner's foot in the extension host: POST /eval runs a function body here, with a secret, on loopback only.
const { randomBytes, timingSafeEqual } = require('node:crypto');
const { writeFileSync, renameSync, rmSync } = require('node:fs');
const http = require('node:http');
const { join } = require('node:path');
const vscode = require('vscode');

const AsyncFunction = (async () => {}).constructor;

exports.activate = async (context) => {
  const folder = process.env.DRAWBRIDGE_PROBE_DIR;
  if (!folder) return;
  const secret = randomBytes(16).toString('hex');
  const state = {};
  // Shown until the runner has seen it: so the runner knows which page this extension host belongs to.
  const item = vscode.window.createStatusBarItem('mark', vscode.StatusBarAlignment.Right, -1000);
  item.name = 'Test host';
  item.text = `probe-${process.pid}`;

  const actions = {
    '/claim': async () => item.dispose(),
    '/eval': async ({ body, args }) => {
      const run = new AsyncFunction('vscode', 'context', 'require', 'state', 'args', body);
      return run(vscode, context, require, state, args);
    },
  };
  const expected = Buffer.from(`Bearer ${secret}`);
  const respond = async (request) => {
    const given = Buffer.from(String(request.headers.authorization));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [401];
    const action = request.method === 'POST' ? actions[request.url] : undefined;
    if (!action) return [404];
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      return [200, JSON.stringify({ result: await action(JSON.parse(Buffer.concat(chunks).toString())) })];
    } catch (error) {
      return [500, JSON.stringify({ message: String(error?.message ?? error), stack: String(error?.stack ?? '') })];
    }
  };
  const server = http.createServer(async (request, response) => {
    const [status, content = '{}'] = await respond(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  const file = join(folder, `${process.pid}.json`);
  const record = { pid: process.pid, port: server.address().port, secret };
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  item.show();
  context.subscriptions.push({
    dispose() {
      rmSync(file, { force: true });
      server.closeAllConnections();
      server.close();
    },
  });
};
