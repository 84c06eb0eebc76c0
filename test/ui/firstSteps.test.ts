import { expect, it } from 'vitest';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import type { SetUpAssistant } from '#connect/seenAssistants.ts';
import { FirstSteps } from '#ui/firstSteps.ts';

function setUp(all: () => readonly SetUpAssistant[]) {
  const errors: unknown[] = [];
  let called = false;
  let changes = 0;
  const steps = new FirstSteps({
    setUp: async () => all(),
    hasCalled: () => called,
    onError: (error) => errors.push(error),
  });
  steps.onDidChange(() => void (changes += 1));
  return { steps, errors, call: () => (called = true), changes: () => changes };
}

it('names the assistants that are set up, until one of them calls', async () => {
  const t = setUp(() => [{ assistant: claudeCode, lastSeen: undefined }]);
  expect(t.steps.names).toEqual([]);
  await t.steps.look();
  await t.steps.look();
  expect([t.steps.names, t.changes()]).toEqual([['Claude Code'], 1]);
  t.call();
  expect(t.steps.names).toEqual([]);
  t.steps.called();
  t.steps.called();
  expect(t.changes()).toBe(2);
});

it('names none when one was seen before, or none is set up', async () => {
  for (const all of [[{ assistant: claudeCode, lastSeen: 1 }], []]) {
    const t = setUp(() => all);
    await t.steps.look();
    expect([t.steps.names, t.changes()]).toEqual([[], 0]);
  }
});

it('reports an error, and keeps what it knows', async () => {
  let fails = false;
  const t = setUp(() => {
    if (fails) throw new Error('the disk failed');
    return [{ assistant: claudeCode, lastSeen: undefined }];
  });
  await t.steps.look();
  fails = true;
  await t.steps.look();
  expect(t.errors).toEqual([new Error('the disk failed')]);
  expect(t.steps.names).toEqual(['Claude Code']);
});
