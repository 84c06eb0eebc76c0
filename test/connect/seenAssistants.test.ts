import { expect, test } from 'vitest';
import { setUpAssistants } from '#connect/seenAssistants.ts';
import { claude, codex, FakeConfigurations, zed } from './editor/dialogs/fakeConfigurations.ts';

test('setUpAssistants returns what Connect set up and is still there, with the time of the last call', async () => {
  const configurations = new FakeConfigurations([claude, codex, zed]);
  expect(await setUpAssistants(configurations)).toEqual([]);
  configurations.connect(codex);
  configurations.connect(zed, 'outdated');
  // The user took its entry out by hand.
  configurations.connected.add('claude');
  configurations.seen.set('codex', 5);
  expect(await setUpAssistants(configurations)).toEqual([
    { assistant: codex, lastSeen: 5 },
    { assistant: zed, lastSeen: undefined },
  ]);
  configurations.broken.add('zed');
  expect(await setUpAssistants(configurations)).toHaveLength(2);
});
