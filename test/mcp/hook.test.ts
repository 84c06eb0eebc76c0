import { describe, expect, it } from 'vitest';
import type { NativeCommand, NativeMoment } from '#base/nativeCommand.ts';
import type { NativeAnswer, NativeCall, UnknownTool } from '#base/nativeEdit.ts';
import { jsonHeaders, send, startTestServer } from './fixture.ts';

const call: NativeCall = {
  event: 'before',
  assistant: 'Claude Code',
  session: 's',
  call: 'c',
  tool: 'Write',
  writesExactly: ['edit', 'create', 'changed'],
  edits: [{ kind: 'write', path: '/w/a.ts', text: 'x' }],
};

async function start() {
  const calls: (NativeCall | NativeCommand)[] = [];
  const signals: AbortSignal[] = [];
  const waiting = Promise.withResolvers<NativeAnswer>();
  const started = await startTestServer({
    async answerHook(given, signal) {
      calls.push(given);
      signals.push(signal);
      return given.tool === 'wait' ? waiting.promise : { decision: 'deny', words: 'No.' };
    },
  });
  const ask = (body: unknown, headers = jsonHeaders(started.server.token), method = 'POST') =>
    send(started.port, method, headers, JSON.stringify(body), '/hook');
  return { ...started, calls, signals, ask };
}

describe('the hook route', () => {
  it('answers a call of a program that knows the secret of the window', async () => {
    const { ask, calls } = await start();
    const answer = await ask(call);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { decision: 'deny', words: 'No.' }]);
    expect(calls).toEqual([call]);
  });

  it('G1: refuses a caller without the secret, another method, another type and a malformed call', async () => {
    const { ask, calls, server, port } = await start();
    expect((await ask(call, { 'Content-Type': 'application/json' })).status).toBe(401);
    expect((await send(port, 'GET', { Authorization: `Bearer ${server.token}` }, undefined, '/hook')).status).toBe(405);
    const plain = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'text/plain' };
    expect((await ask(call, plain)).status).toBe(415);
    const malformed: unknown[] = [{ ...call, edits: [] }, { ...call, extra: 1 }, { ...call, session: 1 }, [call], 'x'];
    for (const body of malformed) expect((await ask(body)).status).toBe(400);
    expect(calls).toEqual([]);
  });

  it('answers a command, and refuses one that names no folder or is an edit too', async () => {
    const { ask, calls } = await start();
    const { edits: _edits, writesExactly: _writes, ...caller } = call;
    const command = { ...caller, tool: 'Bash', command: { shell: 'bash', text: 'rm a', folder: '/w' } };
    expect(JSON.parse((await ask(command)).text)).toEqual({ decision: 'deny', words: 'No.' });
    expect(calls).toEqual([command]);
    for (const body of [
      { ...command, command: { shell: 'bash', text: 'rm a' } },
      { ...command, command: { ...command.command, shell: 'perl' } },
      { ...command, edits: call.edits, writesExactly: [] },
    ])
      expect((await ask(body)).status).toBe(400);
  });

  it('accepts the report of a moment of a session, and asks nobody', async () => {
    const told: NativeMoment[] = [];
    const { server, port } = await startTestServer({ onMoment: (moment) => void told.push(moment) });
    const moment: NativeMoment = { event: 'turnEnded', assistant: 'Codex', session: 's', folder: '/w' };
    const ask = (body: unknown) => send(port, 'POST', jsonHeaders(server.token), JSON.stringify(body), '/hook');
    expect(JSON.parse((await ask(moment)).text)).toEqual({ decision: 'none' });
    expect((await ask({ ...moment, folder: undefined })).status).toBe(400);
    expect(told).toEqual([moment]);
  });

  it('accepts the report of an unknown tool, and asks nobody', async () => {
    const told: UnknownTool[] = [];
    const { server, port } = await startTestServer({ onUnknownTool: (tool) => void told.push(tool) });
    const report: UnknownTool = { event: 'unknown', assistant: 'Claude Code', tool: 'MultiEdit' };
    const ask = (body: unknown) => send(port, 'POST', jsonHeaders(server.token), JSON.stringify(body), '/hook');
    expect(JSON.parse((await ask(report)).text)).toEqual({ decision: 'none' });
    expect((await ask({ ...report, edits: [] })).status).toBe(400);
    expect(told).toEqual([report]);
  });

  it('G1: is not there for the token of an HTTP client', async () => {
    const { credentialOf, makeSecret } = await import('#mcp/auth.ts');
    const secret = makeSecret();
    const { port } = await startTestServer({ namedTokens: () => [credentialOf('mine', secret)] });
    expect((await send(port, 'POST', jsonHeaders(secret), JSON.stringify(call), '/hook')).status).toBe(404);
  });

  it('G17: tells nothing when the connection closes after the answer, so that a later decision counts', async () => {
    const { ask, signals } = await start();
    await ask(call);
    // By the second answer, the first connection is closed.
    await ask(call);
    expect(signals[0]?.aborted).toBe(false);
  });

  it('tells that the program does not wait any more when its connection closes', async () => {
    const { signals, server } = await start();
    const stop = new AbortController();
    const asked = fetch(new URL('/hook', server.endpoint), {
      method: 'POST',
      headers: jsonHeaders(server.token),
      body: JSON.stringify({ ...call, tool: 'wait' }),
      signal: stop.signal,
    }).catch(() => undefined);
    await expect.poll(() => signals.length).toBe(1);
    stop.abort();
    await asked;
    await expect.poll(() => signals[0]?.aborted).toBe(true);
  });
});
