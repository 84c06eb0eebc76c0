import { expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import { workspaceResource } from '#tools/resources/workspace.ts';
import { fakeSources } from '../../fakes/changeSources.ts';

test('drawbridge://workspace is another one when folders, trust or the mode are, until nobody watches it', () => {
  const mode = new Emitter<void>();
  const sources = fakeSources({ onDidChangeMode: mode.event });
  let told = 0;
  const watch = workspaceResource.watch(sources, [], () => (told += 1));
  sources.workspace.setFolders([]);
  mode.fire();
  expect(told).toBe(2);
  watch.dispose();
  sources.workspace.setFolders([]);
  mode.fire();
  expect(told).toBe(2);
});
