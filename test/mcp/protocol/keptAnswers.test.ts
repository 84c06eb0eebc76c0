import { describe, expect, it } from 'vitest';
import { defaultProfile } from '#call/resultProfile.ts';
import type { Tool } from '#call/tool.ts';
import { KeptAnswers } from '#mcp/protocol/keptAnswers.ts';
import { FakeProduct, messagesOf, modern, openSession, send, startTestServer, type TestServer } from '../fixture.ts';

const eras = ['2025', '2026'] as const;
const methods = ['tools/list', 'prompts/list', 'resources/templates/list'] as const;

/** Returns the function by which one client of this era sends requests, and gets raw answers. */
async function connect(era: (typeof eras)[number], test: TestServer) {
  const session = era === '2025' ? await openSession(test) : undefined;
  return (id: number, method: string, params: Record<string, unknown> = {}, more: Record<string, string> = {}) => {
    if (session !== undefined) {
      return send(test.port, 'POST', session, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    }
    const { headers, body } = modern(test.server.token, id, method, params);
    return send(test.port, 'POST', { ...headers, ...more }, body);
  };
}

/** Offers one tool, and returns how often its input schema was encoded. */
function offerCounted({ product: { catalog } }: TestServer): () => number {
  const [echo] = catalog.tools;
  if (echo === undefined) throw new Error('The fake offers no tool.');
  let encoded = 0;
  const properties = {
    type: 'object',
    toJSON() {
      encoded += 1;
      return { type: 'object' };
    },
  };
  const counted: Tool = { ...echo, input: { ...echo.input, jsonSchema: { type: 'object', default: properties } } };
  catalog.setTools([counted]);
  return () => encoded;
}

describe.each(eras)('the server in the %s era', (era) => {
  it('encodes a list once for each catalog and profile', async () => {
    const test = await startTestServer();
    const encoded = offerCounted(test);
    const clients = [await connect(era, test), await connect(era, test)];
    const askAll = async (): Promise<string[]> => {
      const texts: string[] = [];
      for (const ask of [...clients, ...clients]) texts.push((await ask(7, 'tools/list')).text);
      return texts;
    };
    const first = await askAll();
    expect(new Set(first).size).toBe(1);
    expect(first[0]).toContain('outputSchema');
    expect(encoded()).toBe(1);
    test.product.catalog.changed();
    expect(await askAll()).toEqual(first);
    expect(encoded()).toBe(2);
    test.product.profile = { structured: false };
    expect((await askAll()).join('')).not.toContain('outputSchema');
    expect(encoded()).toBe(3);
  });

  it.each(methods)('%s is the same when it is asked for again, but for its id', async (method) => {
    const ask = await connect(era, await startTestServer());
    const [first, again] = [await ask(1, method), await ask(2, method)];
    expect(again.status).toBe(200);
    expect({ ...again.headers, date: '' }).toEqual({
      ...first.headers,
      date: '',
      ...(again.headers['content-length'] !== undefined && { 'content-length': again.headers['content-length'] }),
      ...(era === '2026' && { 'transfer-encoding': again.headers['transfer-encoding'] }),
    });
    expect(messagesOf(again)).toEqual(messagesOf(first).map((message) => ({ ...Object(message), id: 2 })));
  });

  it('lists the tools that are offered now', async () => {
    const test = await startTestServer();
    const ask = await connect(era, test);
    const namesNow = async (): Promise<string> => (await ask(1, 'tools/list')).text;
    expect(await namesNow()).toContain('"name":"wait"');
    const wait = test.product.catalog.tools.find(({ name }) => name === 'wait');
    if (wait !== undefined) test.product.catalog.turnOff(wait);
    expect(await namesNow()).not.toContain('"name":"wait"');
  });

  it('refuses a cursor of another list when it has kept the list', async () => {
    const ask = await connect(era, await startTestServer());
    await ask(1, 'tools/list');
    for (const id of [2, 3]) {
      expect(messagesOf(await ask(id, 'tools/list', { cursor: 'x' }))).toMatchObject([{ id, error: { code: -32602 } }]);
    }
  });
});

it('H18 refuses a list whose headers disagree with the body, also when the list is kept', async () => {
  const test = await startTestServer();
  const ask = await connect('2026', test);
  expect((await ask(1, 'server/discover')).status).toBe(200);
  expect((await ask(2, 'server/discover')).status).toBe(200);
  expect((await ask(3, 'server/discover', {}, { 'Mcp-Method': 'tools/list' })).status).toBe(400);
});

describe('the server', () => {
  const asker = { client: undefined, revision: undefined };
  const listing = (cursor: string) => ({ id: 1, method: 'tools/list', params: { cursor } });

  it('keeps a limited number of answers, and none for a long request', () => {
    const product = new FakeProduct();
    product.profile = defaultProfile;
    const kept = new KeptAnswers(product);
    const keys = Array.from({ length: 200 }, (_, at) => kept.keyOf(listing(String(at)), {}, asker) ?? '');
    for (const key of keys) kept.keep(key, '{}');
    expect(keys.filter((key) => kept.get(key) !== undefined).length).toBeLessThanOrEqual(64);
    expect(kept.get(keys.at(-1) ?? '')).toBe('{}');
    expect(kept.keyOf(listing('x'.repeat(10_000)), {}, asker)).toBeUndefined();
  });

  it('keeps no result of a call', () => {
    const kept = new KeptAnswers(new FakeProduct());
    const others = [
      'tools/call',
      'resources/list',
      'resources/read',
      'prompts/get',
      'completion/complete',
      'initialize',
    ];
    for (const method of others) expect(kept.keyOf({ id: 1, method, params: {} }, {}, asker)).toBeUndefined();
  });
});
