import { describe, expect, it } from 'vitest';
import { startTestServer } from '../fixture.ts';
import { askModern, WireSession, type WireMessage } from './wire.ts';

const eras = ['2025-11-25', '2026-07-28'] as const;

async function start(revision: (typeof eras)[number]) {
  const test = await startTestServer();
  if (revision === '2026-07-28') {
    return { test, ask: (method: string, params?: Record<string, unknown>) => askModern(test, method, params) };
  }
  const session = await WireSession.open(test);
  return {
    test,
    ask: (method: string, params?: object): Promise<WireMessage> => session.ask(method, params),
  };
}

describe.each(eras)('the resource methods in %s', (revision) => {
  it('list resources page by page, as the product pages them', async () => {
    const { test, ask } = await start(revision);
    const first = await ask('resources/list');
    expect(first.result).toMatchObject({
      resources: [{ uri: 'file:///here.txt', name: 'here', annotations: { audience: ['user'], priority: 0.5 } }],
      nextCursor: '2',
    });
    const last = await ask('resources/list', { cursor: '2' });
    expect(last.result).toMatchObject({ resources: [{ uri: 'test://last', name: 'last', size: 4 }] });
    expect(last.result).not.toHaveProperty('nextCursor');
    expect(test.product.asked.map(({ what }) => what)).toEqual(['list undefined', 'list 2']);
    expect(test.product.asked[0]?.call).toMatchObject({
      era: revision.slice(0, 4),
      protocolVersion: revision,
      principal: { credential: 'window' },
    });
  });

  it('answer with the reason and the URI when a resource cannot be read', async () => {
    const { ask } = await start(revision);
    const uri = 'file:///gone.txt';
    expect((await ask('resources/read', { uri })).error).toEqual({
      code: -32602,
      message: `There is no ${uri}.`,
      data: { code: 'not_found', message: `There is no ${uri}.`, hint: 'List the folder first.', uri },
    });
  });

  it('list resource templates', async () => {
    const { ask } = await start(revision);
    expect((await ask('resources/templates/list')).result?.['resourceTemplates']).toEqual([
      {
        uriTemplate: 'file:///{+path}',
        name: 'workspace_file',
        title: 'File of the workspace',
        description: 'A file.',
      },
    ]);
  });
});

it.each(eras)('turns templates and prompts on and off with their tool in %s', async (revision) => {
  const { test, ask } = await start(revision);
  const echo = test.product.catalog.tools.find(({ name }) => name === 'echo');
  if (echo !== undefined) test.product.catalog.turnOff(echo);
  expect((await ask('prompts/list')).result?.['prompts']).toEqual([]);
  expect((await ask('resources/templates/list')).result?.['resourceTemplates']).toEqual([]);
});

describe.each(eras)('the prompt methods in %s', (revision) => {
  it('list prompts with their arguments', async () => {
    const { ask } = await start(revision);
    expect((await ask('prompts/list')).result?.['prompts']).toEqual([
      {
        name: 'greet_someone',
        title: 'Greet someone',
        description: 'Says hello.',
        arguments: [{ name: 'who', title: 'Who', description: 'Whom to greet.', required: true }],
      },
    ]);
  });

  it('make a prompt with the given arguments', async () => {
    const { test, ask } = await start(revision);
    expect((await ask('prompts/get', { name: 'greet_someone', arguments: { who: 'Ada' } })).result).toMatchObject({
      description: 'A greeting',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
    });
    expect(test.product.asked).toMatchObject([{ what: 'prompt greet_someone', call: { era: revision.slice(0, 4) } }]);
  });

  it('answer with the reason when a prompt cannot be made', async () => {
    const { ask } = await start(revision);
    expect(await ask('prompts/get', { name: 'greet_someone' })).toMatchObject({
      error: { code: -32602, message: 'who is missing' },
    });
    expect(await ask('prompts/get', { name: 'secret' })).toMatchObject({
      error: { code: -32602, data: { code: 'not_found', hint: 'List the folder first.' } },
    });
  });
});

describe.each(eras)('completion in %s', (revision) => {
  it('completes an argument of a prompt and a variable of a template', async () => {
    const { test, ask } = await start(revision);
    const answer = await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet_someone' },
      argument: { name: 'who', value: 'A' },
      context: { arguments: { other: 'x' } },
    });
    expect(answer.result?.['completion']).toEqual({ values: ['A1', 'A2'], total: 7, hasMore: true });
    await ask('completion/complete', {
      ref: { type: 'ref/resource', uri: 'file:///{+path}' },
      argument: { name: 'path', value: '' },
    });
    expect(test.product.asked.map(({ what }) => what)).toEqual([
      'complete {"of":{"prompt":"greet_someone"},"argument":"who","typed":"A","others":{"other":"x"}}',
      'complete {"of":{"uriTemplate":"file:///{+path}"},"argument":"path","typed":"","others":{}}',
    ]);
  });

  it('refuses unknown prompts and templates', async () => {
    const { ask } = await start(revision);
    const ref = { type: 'ref/prompt', name: 'greet_someone' };
    expect(await ask('completion/complete', { ref, argument: { name: 'nosuch', value: '' } })).toMatchObject({
      error: { code: -32602, message: 'There is no argument nosuch.' },
    });
  });
});
