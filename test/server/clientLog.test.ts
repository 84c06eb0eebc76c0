import { expect, it } from 'vitest';
import { logLevels } from '../../src/core/tool.ts';
import type { CallOutcome, Call } from '../../src/core/callTool.ts';
import { startTestServer } from './fixture.ts';
import { openModern, WireSession, type WireStream } from './wire.ts';

const call = { name: 'chatty', arguments: {} };

/** A tool that says one thing at each level. */
function chatty({ log }: Call): CallOutcome {
  for (const level of logLevels) log?.(level, `said at ${level}`);
  return { kind: 'result', result: { content: [{ type: 'text', text: String(log !== undefined) }] } };
}

async function levelsIn(stream: WireStream): Promise<unknown> {
  await stream.ended;
  const messages = stream.of('notifications/message').map(({ params }) => params);
  for (const params of messages)
    expect(params).toMatchObject({ logger: 'drawbridge', data: `said at ${String(params?.['level'])}` });
  return messages.map((params) => params?.['level']);
}

it('a session hears nothing until it sets a level, then that and what is graver, each session its own', async () => {
  const test = await startTestServer();
  test.product.answerOther = chatty;
  const [session, other] = [await WireSession.open(test), await WireSession.open(test)];
  expect(await levelsIn(await session.asking('tools/call', call))).toEqual([]);
  expect(await session.ask('logging/setLevel', { level: 'error' })).toMatchObject({ result: {} });
  expect(await levelsIn(await session.asking('tools/call', call))).toEqual(['error', 'critical', 'alert', 'emergency']);
  await session.ask('logging/setLevel', { level: 'debug' });
  expect(await levelsIn(await session.asking('tools/call', call))).toEqual([...logLevels]);
  expect(await levelsIn(await other.asking('tools/call', call))).toEqual([]);
  expect(await session.ask('logging/setLevel', { level: 'loud' })).toMatchObject({ error: { code: -32602 } });
});

it('a request of the 2026 era hears what it asks for', async () => {
  const test = await startTestServer();
  test.product.answerOther = chatty;
  const said = async (level: string | undefined) => {
    const meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
    return levelsIn(await openModern(test, 'tools/call', call, { meta }));
  };
  expect(await said(undefined)).toEqual([]);
  expect(test.product.calls[0]?.log).toBeUndefined();
  expect(await said('alert')).toEqual(['alert', 'emergency']);
  expect(await said('debug')).toEqual([...logLevels]);
});
