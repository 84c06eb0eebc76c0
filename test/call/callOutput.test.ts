import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { callTool, type Call } from '#call/callTool.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { githubToken } from '../fakes/secrets.ts';
import { CallRun } from './callRun.ts';

const escape = '\u001b[31m';

/** A tool that returns the given data. */
function answering(data: unknown, output: z.ZodType) {
  return defineTool({
    name: 'answer_it',
    title: 'Answer',
    toolset: 'workspace',
    risk: 'read',
    needs: [],
    description: 'Answers.',
    input: inputFromZod(z.strictObject({})),
    output: outputFromZod(output),
    targets: () => [],
    run: async () => data,
    render: () => ({ text: 'done' }),
  });
}

describe('the check of an output', () => {
  const schema = z.object({ name: z.string().max(60), redactedSecrets: z.int().exactOptional() });

  it.each([
    ['a missing field', {}, 'name'],
    ['an unknown field', { name: 'x', more: 'hunter2' }, 'more'],
    ['a field of another type', { name: ['hunter2'] }, 'name'],
  ])('reports %s as a bug, with its place in the log only', async (_, data, place) => {
    const run = new CallRun([answering(data, schema)], {});
    const result = await run.result('answer_it');
    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    expect(JSON.stringify(result)).toContain('[internal]');
    expect(JSON.stringify(result)).not.toContain('hunter2');
    const end = run.auditLog.calls.at(-1)?.end;
    expect(end).toMatchObject({ outcome: 'internal', error: { message: expect.stringContaining(place) } });
  });

  it('applies to redacted data: adds no unknown count, and catches a text that no longer matches', async () => {
    const counted = new CallRun([answering({ name: githubToken }, schema)], {});
    expect((await counted.result('answer_it')).structuredContent).toMatchObject({ redactedSecrets: 1 });
    const uncounted = new CallRun([answering({ name: githubToken }, z.object({ name: z.string() }))], {});
    expect((await uncounted.result('answer_it')).structuredContent).toEqual({
      name: expect.stringContaining('redacted'),
    });
    const longer = z.object({ name: z.string().startsWith('gh') });
    expect((await new CallRun([answering({ name: githubToken }, longer)], {}).result('answer_it')).isError).toBe(true);
  });
});

it('adds an image or a sound to the result and not to the data when a tool attaches one', async () => {
  const tool = {
    ...answering({}, z.object({})),
    run: async (
      _input: unknown,
      { attach }: { attach: (media: { kind: 'audio'; mimeType: string; data: string }) => void },
    ) => {
      attach({ kind: 'audio', mimeType: 'audio/wav', data: 'AAAA' });
      return {};
    },
  };
  const { content, structuredContent } = await new CallRun([tool], {}).result('answer_it');
  expect(content).toMatchObject([{ type: 'text' }, { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }]);
  expect(structuredContent).toEqual({});
});

it('A8: redacts a secret in an image', async () => {
  const head = Buffer.from(
    '\u0089PNG\r\n\u001a\n'.padEnd(19, '\u0000') + '\u0001\u0000\u0000\u0000\u0001IEND',
    'latin1',
  );
  const files = new FakeFiles({ '/w/a.png': head, '/w/b.png': Buffer.concat([head, Buffer.from(` ${githubToken} `)]) });
  const run = new CallRun([readFile], { files });
  expect((await run.result('read_file', { path: 'a.png' })).content[1]).toMatchObject({ type: 'image' });
  const { content, isError } = await run.result('read_file', { path: 'b.png' });
  expect(isError).toBe(true);
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('looks like a secret') }]);
});

it('A8: redacts secrets in progress and log messages', async () => {
  const secret = githubToken;
  const messages: string[] = [];
  const run = new CallRun([], {});
  const clock = new FakeClock();
  const talking = {
    ...answering({}, z.object({})),
    async run(
      _input: unknown,
      { log, report }: { log: (level: 'info', message: string) => void; report: (message: string) => void },
    ) {
      log('info', secret);
      report(secret);
      clock.advance(1000);
      return {};
    },
  };
  const call: Call = {
    tool: talking.name,
    arguments: {},
    principal: { credential: 'window' },
    client: undefined,
    era: '2026',
    protocolVersion: undefined,
    signal: new AbortController().signal,
    log: (_level, message) => void messages.push(message),
    progress: (message) => void messages.push(message),
  };
  await callTool(call, { ...run.dependencies, clock, catalog: new FakeCatalog([talking]) });
  expect(messages.filter((message) => message.includes('[redacted:'))).toHaveLength(2);
  expect(messages.join('\n')).not.toContain(secret);
});

it('makes terminal escapes visible in errors, unknown names, progress and log messages', async () => {
  const messages: string[] = [];
  const tool = (run: () => never) => ({ ...answering({}, z.object({})), run: async () => run() });
  const refused = tool(() => {
    throw new ToolError('denied', `No ${escape}.`, `Not ${escape}.`);
  });
  const bad = tool(() => {
    throw new InvalidArgumentsError(escape);
  });
  messages.push(JSON.stringify(await new CallRun([refused], {}).outcome('answer_it')));
  messages.push(JSON.stringify(await new CallRun([bad], {}).outcome('answer_it')));
  messages.push(JSON.stringify(await new CallRun([], {}).outcome('\u009b31m\u007f')));
  const talking = {
    ...answering({}, z.object({})),
    run: async (_input: unknown, { log }: { log: (level: 'info', message: string) => void }) => {
      log('info', escape);
      return {};
    },
  };
  const logged: string[] = [];
  await new CallRun([talking], {}).outcome('answer_it', {}, { log: (_level, message) => void logged.push(message) });
  messages.push(...logged.filter((message) => message.includes('[31m')));
  expect(messages).toHaveLength(4);
  for (const text of messages.slice(0, 2).concat(messages.slice(3))) expect(text).toContain('\u241b[31m');
  for (const text of messages) {
    for (const obeyed of ['\\u001b', '\u001b', '\u009b', '\u007f']) expect(text).not.toContain(obeyed);
  }
});
