import { expect, it } from 'vitest';
import { logLevels } from '#base/toolError.ts';
import type { CallOutcome, Call } from '#call/callTool.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { startTestServer, until } from '../fixture.ts';
import { openModern, WireSession, type WireStream } from './wire.ts';

const call = { name: 'chatty', arguments: {} };

/** A tool that logs one message at each level. */
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

it('sends a session no log until it sets a level, then messages of that level and above', async () => {
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

it("logs changes of the selection and diagnostics once for a burst when a session's level is debug", async () => {
  const clock = new FakeClock();
  const test = await startTestServer({ clock });
  const pending = clock.pendingTimers;
  const [session, other] = [await WireSession.open(test), await WireSession.open(test)];
  await other.ask('logging/setLevel', { level: 'info' });
  const [heard, unheard] = [await session.listen(), await other.listen()];
  expect(await session.ask('logging/setLevel', { level: 'debug' })).toMatchObject({ result: {} });
  const change = (uri: string): void => {
    for (let times = 0; times < 10; times += 1) test.product.touch(uri);
    clock.advance(100);
  };
  change('drawbridge://selection');
  await until(() => heard.messages.length === 1);
  change('drawbridge://diagnostics');
  await until(() => heard.messages.length === 2);
  const said = (uri: string) => ({ level: 'debug', logger: 'drawbridge', data: { changed: uri } });
  expect(heard.of('notifications/message').map(({ params }) => params)).toEqual([
    said('drawbridge://selection'),
    said('drawbridge://diagnostics'),
  ]);
  // The client now wants fewer log messages, and still gets updates of its subscriptions.
  await session.ask('logging/setLevel', { level: 'info' });
  await session.ask('resources/subscribe', { uri: 'drawbridge://selection' });
  change('drawbridge://selection');
  await until(() => heard.messages.length === 3);
  expect(heard.messages.at(-1)?.method).toBe('notifications/resources/updated');
  expect(unheard.messages).toEqual([]);
  await session.end();
  await other.end();
  expect(test.product.watchers.size).toBe(0);
  expect(clock.pendingTimers).toBe(pending);
});

it('sends a 2026-era request the log level that it asks for', async () => {
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
