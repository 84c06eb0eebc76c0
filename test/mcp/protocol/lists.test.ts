import { describe, expect, it } from 'vitest';
import { startTestServer } from '../fixture.ts';
import { askModern, WireSession, type WireMessage } from './wire.ts';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

type Ask = (method: string, params?: Record<string, unknown>) => Promise<WireMessage>;

async function start(revision: string, options: Parameters<typeof startTestServer>[0] = {}) {
  const test = await startTestServer(options);
  if (revision === '2026-07-28') {
    const ask: Ask = (method, params) => askModern(test, method, params);
    return { test, ask };
  }
  const session = await WireSession.open(test, { revision });
  const ask: Ask = (method, params) => session.ask(method, params);
  return { test, ask };
}

const namesOf = ({ result }: WireMessage): string[] =>
  (Array.isArray(result?.['tools']) ? result['tools'] : []).map(({ name }: { name: string }) => name);

describe.each(revisions)('tools/list in %s', (revision) => {
  it('is one page by default, however many tools there are', async () => {
    const { test, ask } = await start(revision);
    const [echo] = test.product.catalog.tools;
    if (echo === undefined) throw new Error('There is a tool');
    test.product.catalog.setTools(Array.from({ length: 300 }, (_, index) => ({ ...echo, name: `echo_${index}` })));
    const answer = await ask('tools/list');
    expect(namesOf(answer)).toHaveLength(300);
    expect(answer.result).not.toHaveProperty('nextCursor');
  });

  it('follows its cursors to the end, in the order of the catalog', async () => {
    const { ask } = await start(revision, { limits: { pageSize: 1 } });
    const first = await ask('tools/list');
    expect(namesOf(first)).toEqual(['echo']);
    const second = await ask('tools/list', { cursor: first.result?.['nextCursor'] });
    expect(namesOf(second)).toEqual(['wait']);
    expect(second.result).not.toHaveProperty('nextCursor');
  });

  it('refuses cursors that it never gave, that are stale, or not text', async () => {
    const { test, ask } = await start(revision, { limits: { pageSize: 1 } });
    const stale = String((await ask('tools/list')).result?.['nextCursor']);
    test.product.catalog.changed();
    for (const method of ['tools/list', 'prompts/list', 'resources/templates/list', 'resources/list']) {
      for (const cursor of ['x', '', Buffer.from('2:-1').toString('base64url'), `${stale}=`, stale, 5, null, {}]) {
        expect({ method, cursor, answer: await ask(method, { cursor }) }).toMatchObject({
          answer: { error: { code: -32602 } },
        });
      }
    }
  });

  it('has icons where the revision has them and the client shows them, and so has the server', async () => {
    const { test, ask } = await start(revision);
    expect(JSON.stringify(await ask('tools/list'))).not.toContain('icons');
    test.product.profile = { icons: true };
    const { result } = await ask('tools/list');
    const icon = { src: expect.stringMatching(/^data:image\/svg\+xml,/), mimeType: 'image/svg+xml', sizes: ['any'] };
    const hasIcons = revision >= '2025-11-25';
    expect(result?.['tools']).toMatchObject(hasIcons ? [{ icons: [icon] }, { icons: [icon] }] : [{}, {}]);
    if (!hasIcons) expect(JSON.stringify(result)).not.toContain('icons');
  });

  it('leaves output schemas out for a client whose model sees text', async () => {
    const { test, ask } = await start(revision);
    expect((await ask('tools/list')).result?.['tools']).toMatchObject([{ outputSchema: { type: 'object' } }, {}]);
    test.product.profile = { structured: false };
    expect(JSON.stringify(await ask('tools/list'))).not.toContain('outputSchema');
  });

  it('has titles where clients of the revision look for them', async () => {
    const { ask } = await start(revision);
    const { result } = await ask('tools/list');
    const own = revision >= '2025-06-18';
    expect(result?.['tools']).toMatchObject([own ? { title: 'Echo' } : { annotations: { title: 'Echo' } }, {}]);
    expect(JSON.stringify(result).split('"Echo"')).toHaveLength(2);
  });

  it('names the length of long results for a client that asks for it', async () => {
    const { test, ask } = await start(revision);
    expect(JSON.stringify(await ask('tools/list'))).not.toContain('anthropic/');
    test.product.profile = { readBytes: 65_536, unnamedBytes: 45_000 };
    expect((await ask('tools/list')).result?.['tools']).toMatchObject([
      expect.not.objectContaining({ _meta: expect.anything() }),
      { _meta: { 'anthropic/maxResultSizeChars': 65_536 } },
    ]);
  });

  it('lists only the tools that are offered', async () => {
    const { test, ask } = await start(revision);
    const [echo] = test.product.catalog.tools;
    expect(namesOf(await ask('tools/list'))).toEqual(['echo', 'wait']);
    if (echo !== undefined) test.product.catalog.turnOff(echo);
    expect(namesOf(await ask('tools/list'))).toEqual(['wait']);
  });
});

describe.each(revisions)('parameters that do not match, in %s', (revision) => {
  it('are answered with a readable message', async () => {
    const { test, ask } = await start(revision);
    const malformed = [
      ['resources/read', {}],
      ['prompts/get', { name: 5 }],
      ['prompts/get', { name: 'greet_someone', arguments: { who: 5 } }],
      ['completion/complete', {}],
      ['completion/complete', { ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'x', value: 'x' } }],
      ['tools/call', { arguments: {} }],
      ['tools/call', { name: 'echo', arguments: [] }],
    ] as const;
    for (const [method, params] of malformed) {
      expect({ params, answer: await ask(method, params) }).toMatchObject({
        answer: { error: { code: -32602, message: expect.stringMatching(`^Invalid params for ${method}: [^{[]*$`) } },
      });
    }
    expect((await ask('prompts/get', { name: 5 })).error?.message).toBe(
      'Invalid params for prompts/get: params.name: Invalid input: expected string, received number',
    );
    expect(test.errors).toEqual([]);
    expect(test.product.asked).toEqual([]);
  });
});

it("sends the server's icon only in answers that ask for the server information", async () => {
  const test = await startTestServer();
  const icons = [{ src: expect.stringMatching(/^data:/), mimeType: 'image/svg+xml', sizes: ['any'] }];
  const introduced = async (revision: string) => (await WireSession.open(test, { revision })).introduction;
  expect((await introduced('2025-11-25')).result?.['serverInfo']).toMatchObject({ name: 'drawbridge', icons });
  expect((await introduced('2031-01-01')).result?.['serverInfo']).toMatchObject({ icons });
  expect((await introduced('2025-06-18')).result?.['serverInfo']).toEqual(test.product.serverInfo);
  const discovered = await askModern(test, 'server/discover');
  const key = 'io.modelcontextprotocol/serverInfo';
  expect(discovered.result?.['_meta']).toMatchObject({ [key]: { name: 'drawbridge', icons } });
  const listed = await askModern(test, 'tools/list');
  expect(listed.result?.['_meta']).toEqual({ [key]: test.product.serverInfo });
});

it('declares every capability in both eras', async () => {
  const test = await startTestServer();
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  expect((await WireSession.open(test)).introduction.result?.['capabilities']).toEqual(capabilities);
  expect((await askModern(test, 'server/discover')).result?.['capabilities']).toEqual(capabilities);
});
