'use strict';
// What the bench compares with: bare node:http handlers that do the cheapest thing, without any of Drawbridge's duties.
const { spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { readFile } = require('node:fs/promises');
const http = require('node:http');
const vscode = require('vscode');
const { startSdkServer } = require('./sdkServer.cjs');

/** What the tool of the bare SDK server answers. */
let sdkAnswer = {};

const actions = {
  '/echo': async (given) => given,
  '/answer': async (given) => {
    sdkAnswer = given;
    return { kept: true };
  },
  '/read': async ({ path }) => ({ path, text: await readFile(path, 'utf8') }),
  '/edit': async ({ path, line, text }) => {
    const document = await vscode.workspace.openTextDocument(path);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.lineAt(line).range, text);
    return { applied: await vscode.workspace.applyEdit(edit), saved: await document.save() };
  },
  '/provide': async ({ commands, path, line, character }) => {
    const [uri, position] = [vscode.Uri.file(path), new vscode.Position(line, character)];
    const ask = (command) => vscode.commands.executeCommand(command, uri, position);
    return { answers: await Promise.all(commands.map(ask)) };
  },
  '/run': async ({ program, arguments: given, workingDirectory }) => {
    const start = performance.now();
    const child = spawn(program, given, { cwd: workingDirectory, stdio: ['ignore', 'pipe', 'pipe'] });
    let bytes = 0;
    child.stdout.on('data', (piece) => (bytes += piece.length));
    child.stderr.resume();
    const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    return { milliseconds: performance.now() - start, bytes, code };
  },
};

/** @returns {Promise<{port: number, sdkPort: number, secret: string}>} to whoever asks for this extension's exports */
exports.activate = async (context) => {
  const secret = randomBytes(16).toString('hex');
  const respond = async (request, response) => {
    try {
      const action = request.headers.authorization === secret ? actions[request.url] : undefined;
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const answer = action ? await action(JSON.parse(Buffer.concat(chunks).toString())) : undefined;
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    } catch (error) {
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }));
    }
  };
  const server = http.createServer({ keepAliveTimeout: 300_000 }, respond);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sdkServer = await startSdkServer(secret, () => sdkAnswer);
  context.subscriptions.push({
    dispose() {
      for (const each of [server, sdkServer]) {
        each.closeAllConnections();
        each.close();
      }
    },
  });
  return { port: server.address().port, sdkPort: sdkServer.address().port, secret };
};
