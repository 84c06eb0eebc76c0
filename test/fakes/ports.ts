import type { ToolPorts } from '../../src/core/tool.ts';
import { FakeChanges } from './changes.ts';
import { FakeDiagnostics } from './diagnostics.ts';
import { FakeEditors } from './editors.ts';
import { FakeFiles } from './files.ts';
import { FakeImports } from './imports.ts';
import { FakeSearch } from './search.ts';
import { FakeSourceControl } from './sourceControl.ts';
import { FakeSymbols } from './symbols.ts';
import { FakeWorkspace } from './workspace.ts';

/** A fake of every port but those that a test brings. */
export function fakePorts<Own extends Partial<Omit<ToolPorts, 'tickets'>>>(own: Own) {
  return {
    changes: new FakeChanges(),
    diagnostics: new FakeDiagnostics(),
    editors: new FakeEditors(),
    files: new FakeFiles({}),
    imports: new FakeImports(),
    search: new FakeSearch(),
    sourceControl: new FakeSourceControl(),
    symbols: new FakeSymbols(),
    workspace: new FakeWorkspace(),
    ...own,
  };
}
