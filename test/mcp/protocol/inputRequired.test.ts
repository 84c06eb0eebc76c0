import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import type { Call, CallOutcome } from '#call/callTool.ts';
import { startTestServer, until, type TestServer } from '../fixture.ts';
import { askModern, WireSession } from './wire.ts';

const capabilities = { elicitation: {}, roots: {} };
const ask = { name: 'ask', arguments: { about: 'colour' } };
const question = {
  method: 'elicitation/create',
  params: {
    message: 'Which colour?',
    requestedSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
  },
} as const;

/** A tool that asks once and then returns the answer. */
function asking({ arguments: given, clientInput }: Call): CallOutcome {
  if (clientInput?.state === undefined) {
    return { kind: 'input_required', requests: { colour: question }, state: `asked about ${JSON.stringify(given)}` };
  }
  const { responses, state } = clientInput;
  return { kind: 'result', result: { content: [{ type: 'text', text: JSON.stringify({ responses, state }) }] } };
}

const answered = {
  content: [
    {
      type: 'text',
      text: JSON.stringify({
        responses: { colour: { action: 'accept', content: { colour: 'red' } } },
        state: 'asked about {"about":"colour"}',
      }),
    },
  ],
};

async function startAsking(): Promise<TestServer> {
  const test = await startTestServer();
  test.product.answerOther = asking;
  return test;
}

it("returns the client's answers and the tool's own state to a tool that asks (2026)", async () => {
  const test = await startAsking();
  const first = await askModern(test, 'tools/call', ask, { capabilities });
  expect(first.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { colour: question },
    requestState: expect.any(String),
  });
  const inputResponses = { colour: { action: 'accept', content: { colour: 'red' } } };
  const requestState = first.result?.['requestState'];
  const second = await askModern(test, 'tools/call', { ...ask, inputResponses, requestState }, { capabilities });
  expect(second.result).toMatchObject(answered);
});

it('refuses a state that was changed, or is of another call, caller or server', async () => {
  const [test, other] = [await startAsking(), await startAsking()];
  const own = { capabilities: { elicitation: {} }, connection: 'a'.repeat(32) };
  const state = async (server: TestServer, params: Record<string, unknown>, options: typeof own) =>
    String((await askModern(server, 'tools/call', params, options)).result?.['requestState']);
  const good = await state(test, ask, own);
  const [version, payload = '', seal] = good.split('.');
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('colour', 'secret'));
  const bad = [
    `${version}.${forged.toString('base64url')}.${seal}`,
    good.slice(0, -4),
    'x',
    '',
    5,
    await state(other, ask, own),
    await state(test, { ...ask, name: 'ask_else' }, own),
    await state(test, ask, { ...own, connection: 'b'.repeat(32) }),
  ];
  const { length } = test.product.calls;
  for (const requestState of bad) {
    expect({ requestState, answer: await askModern(test, 'tools/call', { ...ask, requestState }, own) }).toMatchObject({
      answer: { error: { code: -32602 } },
    });
  }
  expect(test.product.calls).toHaveLength(length);
  expect((await askModern(test, 'tools/call', { ...ask, requestState: good }, own)).result).toMatchObject({
    content: [{ text: expect.stringContaining('asked about') }],
  });
});

it('tells a client which capability it lacks when it cannot be asked', async () => {
  const test = await startAsking();
  const answer = await askModern(test, 'tools/call', ask);
  expect(answer.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
});

it('lets prompts ask the client too', async () => {
  const test = await startAsking();
  const params = { name: 'greet_someone', arguments: { who: '?' } };
  const first = await askModern(test, 'prompts/get', params, { capabilities });
  expect(first.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { who: { method: 'roots/list' } },
  });
  const requestState = first.result?.['requestState'];
  const second = await askModern(
    test,
    'prompts/get',
    { ...params, requestState, inputResponses: { who: { roots: [] } } },
    { capabilities },
  );
  expect(second.result).toMatchObject({ messages: [{ content: { text: 'Hello ?' } }] });
  expect(test.product.asked.at(-1)?.call.clientInput).toMatchObject({
    responses: { who: { roots: [] } },
    state: 'asked',
  });
});

it('reports a question outside the specification as a bug', async () => {
  const test = await startTestServer();
  test.product.answerOther = () => ({
    kind: 'input_required',
    requests: { colour: { method: 'elicitation/create', params: { secret: 'detail' } } },
    state: undefined,
  });
  const answer = await askModern(test, 'tools/call', ask, { capabilities });
  expect(answer.error).toEqual({ code: -32603, message: 'Internal error' });
  expect(test.errors).toHaveLength(1);
  test.product.answerOther = () => ({ kind: 'input_required', requests: {}, state: undefined });
  expect((await askModern(test, 'tools/call', ask, { capabilities })).error?.message).toBe('Internal error');
});

it("asks a session's client on the stream of the call, and does not ask again when it declines", async () => {
  const test = await startAsking();
  const session = await WireSession.open(test, { capabilities: { elicitation: {} } });
  const stream = await session.asking('tools/call', ask);
  await until(() => stream.of('elicitation/create').length > 0);
  await session.reply(stream.of('elicitation/create')[0], { result: { action: 'decline' } });
  await stream.ended;
  expect(stream.of('elicitation/create')).toHaveLength(1);
  expect(JSON.stringify(stream.messages.at(-1))).toContain('decline');
});

it('keeps the id of a call while it asks, and lets it be cancelled before the answer', async () => {
  const test = await startAsking();
  const session = await WireSession.open(test, { capabilities: { elicitation: {} } });
  const stream = await session.asking('tools/call', ask, 7);
  await until(() => stream.of('elicitation/create').length > 0);
  await expect(session.asking('tools/call', ask, 7)).rejects.toThrow(/400/);
  await session.tell('notifications/cancelled', { requestId: 7, reason: 'enough' });
  await stream.ended;
  expect(stream.messages.filter(({ id, method }) => id === 7 && method === undefined)).toEqual([]);
  expect(test.product.calls).toHaveLength(1);
});

it('gets answers from real clients of both SDKs', async () => {
  const test = await startAsking();
  const url = new URL(test.server.endpoint);
  const requestInit = { headers: { Authorization: `Bearer ${test.server.token}` } };
  const red = async () => ({ action: 'accept' as const, content: { colour: 'red' } });
  const old = new Client({ name: 'v1', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  old.setRequestHandler(ElicitRequestSchema, red);
  await old.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  expect(await old.callTool(ask)).toMatchObject(answered);
  await old.close();
  for (const mode of ['auto', 'legacy'] as const) {
    const options = { capabilities: { elicitation: {} }, versionNegotiation: { mode } };
    const client = new ModernClient({ name: mode, version: '2.0.0' }, options);
    client.setRequestHandler('elicitation/create', red);
    await client.connect(new ModernTransport(url, { requestInit }));
    expect(await client.callTool(ask)).toMatchObject(answered);
    await client.close();
  }
});
