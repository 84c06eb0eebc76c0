import { beforeEach, describe, expect, it } from 'vitest';
import { defineCompletion, type Completed } from '#call/completion.ts';
import { definePrompt } from '#call/prompt.ts';
import { defineResource } from '#call/resource.ts';
import { RequestRun } from '../fakes/requestRun.ts';
import { ruleOf } from '../fakes/rules.ts';

let run: RequestRun;
let answer: Completed;
let asked: unknown;

const completion = defineCompletion({
  judgedAs: 'find_files',
  needs: ['editors'],
  async complete(typed, others) {
    asked = { typed, others };
    return answer;
  },
});

const prompt = definePrompt({
  name: 'greet_user',
  title: 'Greet',
  description: 'Greets.',
  arguments: [
    { name: 'who', title: 'Who', description: 'Who', required: true, completion },
    { name: 'goal', title: 'Goal', description: 'Goal', required: false },
  ],
  judgedAs: 'read_file',
  needs: [],
  targets: () => [],
  messages: async () => [],
});

const resource = defineResource({
  address: { uriTemplate: 'test://{+path}{?first,last*}' },
  name: 'test',
  title: 'Test',
  description: 'Test.',
  judgedAs: 'read_file',
  needs: [],
  completions: { path: completion },
  match: () => undefined,
  targets: () => [],
  read: async () => ({ mimeType: 'text/plain', text: '' }),
  watch: () => ({ dispose: () => undefined }),
});

const ofPrompt = { prompt: 'greet_user' };
const ofTemplate = { uriTemplate: 'test://{+path}{?first,last*}' };

beforeEach(() => {
  run = new RequestRun({});
  run.catalog.prompts = [prompt];
  run.catalog.resources = [resource];
  answer = { values: ['one', 'two'] };
  asked = undefined;
});

describe('completion/complete', () => {
  it.each([
    [ofPrompt, 'who'],
    [ofTemplate, 'path'],
  ])('returns the values for %o', async (of, argument) => {
    const others = { goal: 'g' };
    expect(await run.complete(of, argument, 'o', others)).toEqual({
      kind: 'completion',
      values: ['one', 'two'],
      hasMore: false,
    });
    expect(asked).toEqual({ typed: 'o', others });
  });

  it.each([
    [ofPrompt, 'goal'],
    [ofTemplate, 'first'],
    [ofTemplate, 'last'],
  ])('returns no value when nothing completes %o %s', async (of, argument) => {
    expect(await run.complete(of, argument, 'x')).toEqual({ kind: 'completion', values: [], total: 0, hasMore: false });
  });

  it.each([
    [{ values: many(101) }, { hasMore: true }],
    [{ values: many(100) }, { hasMore: false }],
    [
      { values: many(100), total: 100 },
      { total: 100, hasMore: false },
    ],
    [
      { values: many(100), total: 250 },
      { total: 250, hasMore: true },
    ],
  ])('returns 100 values and says whether there are more', async (completed, expected) => {
    answer = completed;
    expect(await run.complete(ofPrompt, 'who', '')).toEqual({ kind: 'completion', values: many(100), ...expected });
  });

  it.each([
    [{ prompt: 'nothing' }, 'who', 'There is no prompt "nothing".'],
    [ofPrompt, 'whom', 'greet_user has no argument "whom".'],
    [{ uriTemplate: 'test://{path}' }, 'path', 'There is no resource template "test://{path}".'],
    [ofTemplate, 'constructor', 'test://{+path}{?first,last*} has no variable "constructor".'],
  ])('refuses %o %s as invalid', async (of, argument, message) => {
    expect(await run.complete(of, argument, 'x')).toEqual({ kind: 'invalid_params', message });
  });

  it('A6: returns no value with a control character or a lone surrogate', async () => {
    answer = { values: ['\u001b[31m', 'half \ud800'] };
    expect(await run.complete(ofPrompt, 'who', '')).toMatchObject({ values: ['\u241b[31m', 'half \ufffd'] });
  });

  it('refuses a very long value as invalid, whether typed or already filled in', async () => {
    const message = 'A value is longer than 8192 bytes.';
    expect(await run.complete(ofPrompt, 'who', 'x'.repeat(8193))).toEqual({ kind: 'invalid_params', message });
    expect(await run.complete(ofPrompt, 'who', '', { goal: 'x'.repeat(8193) })).toMatchObject({ message });
    expect(asked).toBeUndefined();
  });

  it('F1: is refused when a rule requires asking the user', async () => {
    run.policy.setRules(ruleOf({ effect: 'ask' }));
    expect(await run.complete(ofPrompt, 'who', '')).toMatchObject({ kind: 'error', code: 'denied' });
    expect(run.asked).toEqual([]);
    expect(asked).toBeUndefined();
  });

  it('is judged by the rules of the tool with the same answer, and recorded', async () => {
    run.policy.setRules(ruleOf({ effect: 'deny', tools: ['find_files'] }));
    expect(await run.complete(ofTemplate, 'path', 'a')).toMatchObject({ kind: 'error', code: 'denied' });
    expect(run.auditLog.calls).toMatchObject([
      {
        start: { tool: 'complete_argument', arguments: { ...ofTemplate, argument: 'path', typed: 'a' } },
        end: { outcome: 'denied' },
      },
    ]);
  });
});

function many(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `v${at}`);
}
