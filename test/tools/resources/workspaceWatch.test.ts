import { expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import { workspaceResource } from '#tools/resources/workspace.ts';
import { fakeSources } from '../../fakes/changeSources.ts';

test('reports that drawbridge://workspace changed when folders, trust or the mode change, until it is no longer watched', () => {
  const mode = new Emitter<void>();
  const sources = fakeSources({ onDidChangeMode: mode.event });
  let reported = 0;
  const watch = workspaceResource.watch(sources, [], () => (reported += 1));
  sources.workspace.setFolders([]);
  mode.fire();
  expect(reported).toBe(2);
  watch.dispose();
  sources.workspace.setFolders([]);
  mode.fire();
  expect(reported).toBe(2);
});
