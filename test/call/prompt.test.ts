import { beforeEach, describe, expect, it } from 'vitest';
import { definePrompt, type PromptMessage } from '#call/prompt.ts';
import { InputRequiredError, type ToolContext } from '#call/tool.ts';
import { RequestRun } from '../fakes/requestRun.ts';
import { ruleOf } from '../fakes/rules.ts';
import { characters } from '../fakes/secrets.ts';

let run: RequestRun;
let given: Readonly<Record<string, string>> | undefined;
let answer: (context: ToolContext<'files'>) => Promise<readonly PromptMessage[]>;

const text = (words: string): PromptMessage => ({ role: 'user', content: { type: 'text', text: words } });

const greet = definePrompt({
  name: 'greet_user',
  title: 'Greet',
  description: 'Greets.',
  arguments: [
    { name: 'who', title: 'Who', description: 'Who', required: true },
    { name: 'path', title: 'File', description: 'A file', required: false },
  ],
  judgedAs: 'read_file',
  needs: ['files'],
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async messages(values, context) {
    given = values;
    return answer(context);
  },
});

beforeEach(() => {
  run = new RequestRun({ '/w/a': 'x', '/w/.env': 'KEY=1' });
  run.catalog.prompts = [greet];
  given = undefined;
  answer = async () => [text('Hello.')];
});

describe('prompts/get', () => {
  it('returns the messages for the arguments', async () => {
    expect(await run.prompt('greet_user', { who: 'me', path: ' ' })).toEqual({
      kind: 'prompt',
      description: 'Greets.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }],
    });
    expect(given).toEqual({ who: 'me' });
  });

  it.each([
    ['nothing', {}, 'There is no prompt "nothing". The prompts are: greet_user.'],
    ['greet_user', {}, 'greet_user needs the argument "who".'],
    ['greet_user', { who: ' ' }, 'greet_user needs the argument "who".'],
    ['greet_user', { who: 'me', more: 'x' }, 'greet_user has no argument "more". Its arguments are: who, path.'],
    ['greet_user', { who: 'ä'.repeat(4097) }, 'The argument "who" is longer than 8192 bytes.'],
  ])('refuses %s with %o as invalid', async (name, values, message) => {
    expect(await run.prompt(name, values)).toEqual({ kind: 'invalid_params', message });
    expect(run.auditLog.calls.at(-1)?.end).toMatchObject({ outcome: 'invalid_arguments' });
    expect(given).toBeUndefined();
  });

  it('A8: passes the same gate as every read', async () => {
    expect(await run.prompt('greet_user', { who: 'me', path: '.env' })).toMatchObject({
      kind: 'error',
      code: 'denied',
    });
    run.policy.setRules(ruleOf({ effect: 'deny', tools: ['read_file'] }));
    expect(await run.prompt('greet_user', { who: 'me' })).toMatchObject({ kind: 'error', code: 'denied' });
    expect(given).toBeUndefined();
  });

  it('is recorded as a call, and refused when the record fails', async () => {
    await run.prompt('greet_user', { who: 'me', path: 'a' });
    expect(run.auditLog.calls).toMatchObject([
      {
        start: { tool: 'get_prompt', arguments: { prompt: 'greet_user', arguments: { who: 'me', path: 'a' } } },
        end: { outcome: 'ok', resources: [{ path: 'a' }], bytesOut: 6 },
      },
    ]);
    await run.prompt('greet_user', { prompt: 'another' });
    expect(run.auditLog.calls.at(-1)?.start.arguments).toMatchObject({ prompt: 'greet_user' });
    run.auditLog.failure = new Error('disk full');
    expect(await run.prompt('greet_user', { who: 'me' })).toMatchObject({ kind: 'error', code: 'unavailable' });
  });

  it('A8: redacts secrets, A6: makes control characters in text visible, and leaves embedded files unchanged', async () => {
    const secret = `ghp_${characters(36)}`;
    const annotations = { audience: ['assistant' as const] };
    const resource = { uri: 'file:///w/a', mimeType: 'text/plain', text: `\u001b ${secret}` };
    answer = async () => [
      text(`\u001b[8m ${secret} \ud800`),
      { role: 'user', content: { type: 'resource', resource, annotations } },
    ];
    const outcome = await run.prompt('greet_user', { who: 'me' });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(outcome).toMatchObject({
      messages: [
        { content: { text: expect.stringMatching(/^\u241b\[8m \[redacted:.*\] \ufffd$/) } },
        {
          content: {
            resource: { uri: 'file:///w/a', text: expect.stringContaining('\u001b [redacted:') },
            annotations,
          },
        },
      ],
    });
  });

  it('receives the answers of the client when it needs client input first', async () => {
    const requests = { name: { method: 'elicitation/create' as const, params: {} } };
    answer = async ({ clientInput }) => {
      if (clientInput.state === undefined) throw new InputRequiredError(requests, 's');
      return [text(String(clientInput.responses['name']))];
    };
    expect(await run.prompt('greet_user', { who: 'me' })).toEqual({ kind: 'input_required', requests, state: 's' });
    run.origin = { clientInput: { state: 's', responses: { name: 'Ada' } } };
    expect(await run.prompt('greet_user', { who: 'me' })).toMatchObject({ messages: [{ content: { text: 'Ada' } }] });
  });
});
