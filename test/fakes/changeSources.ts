import { Emitter } from '#base/event.ts';
import type { ChangeSources } from '#call/resource.ts';
import { FakeDiagnostics } from './diagnostics.ts';
import { FakeEditors } from './editors.ts';
import { FakeFileChanges } from './fileChanges.ts';
import { FakeWorkspace } from './workspace.ts';

/** Returns a fake of every source of changes, except for those that a test passes. */
export function fakeSources<Own extends Partial<ChangeSources>>(own: Own) {
  return {
    diagnostics: new FakeDiagnostics(),
    editors: new FakeEditors(),
    fileChanges: new FakeFileChanges(),
    workspace: new FakeWorkspace(),
    onDidChangeChanges: new Emitter<void>().event,
    onDidChangeMode: new Emitter<void>().event,
    ...own,
  };
}
