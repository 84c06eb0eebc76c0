import { expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import type { OtherTool, ToolPin } from '#call/ports/otherTools.ts';
import { RelayedTools } from '#tools/commands/relayedTools.ts';
import { FakeOtherTools, otherTool } from '../../fakes/otherTools.ts';

function scene(...tools: OtherTool[]) {
  const otherTools = new FakeOtherTools();
  otherTools.tools = tools;
  const changed = new Emitter<void>();
  let pins: readonly ToolPin[] = [];
  const stale: string[] = [];
  const relayed = new RelayedTools({
    otherTools,
    pins: () => pins,
    onDidChangePins: changed.event,
    onStale: ({ description }) => void stale.push(description),
  });
  let changes = 0;
  relayed.onDidChange(() => (changes += 1));
  const pin = (...next: readonly ToolPin[]): void => {
    pins = next.map(({ name, hash }) => ({ name, hash }));
    changed.fire();
  };
  return {
    otherTools,
    relayed,
    stale,
    pin,
    changes: () => changes,
    names: () => relayed.tools.map(({ name }) => name),
  };
}

test('A9: a tool of another extension is offered only after the user chose that one', () => {
  const [count, other] = [otherTool(), otherTool({ name: 'toy_other' })];
  const { names, pin, changes } = scene(count, other);
  expect(names()).toEqual([]);
  pin(count);
  expect(names()).toEqual(['relay_toy_count']);
  pin();
  expect(names()).toEqual([]);
  expect(changes()).toBe(2);
});

test.each([
  ['description', { description: 'Another.' }],
  ['schema', { inputSchema: { type: 'object' } }],
  ['title', { title: 'Another' }],
])('A9: a tool whose %s changes is offered no longer until it is chosen again', (_what, change) => {
  const before = otherTool();
  const after = otherTool(change);
  const { otherTools, names, pin, stale } = scene(before);
  pin(before);
  otherTools.become(after);
  otherTools.become(after);
  expect(names()).toEqual([]);
  expect(stale).toEqual([after.description]);
  pin(after);
  expect(names()).toEqual(['relay_toy_count']);
});

test('a tool that stays the same stays the same object, and nobody is told', () => {
  const count = otherTool();
  const { otherTools, relayed, pin, changes } = scene(count);
  pin(count);
  const [first] = relayed.tools;
  otherTools.become(otherTool(), otherTool({ name: 'toy_other' }));
  expect(relayed.tools[0]).toBe(first);
  expect(changes()).toBe(1);
});

test('nothing is watched while nothing is chosen', () => {
  const count = otherTool();
  const { otherTools, relayed, pin } = scene(count);
  expect(otherTools.watchers).toBe(0);
  pin(count);
  expect(otherTools.watchers).toBe(1);
  pin();
  expect(otherTools.watchers).toBe(0);
  pin(count);
  relayed.dispose();
  expect(otherTools.watchers).toBe(0);
});
