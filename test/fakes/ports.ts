import type { ToolPorts } from '#call/tool.ts';
import { FakeChanges } from './changes.ts';
import { FakeCommandLines } from './commandLines.ts';
import { FakeCommands } from './commands.ts';
import { FakeDiagnostics } from './diagnostics.ts';
import { FakeEditorActions } from './editorActions.ts';
import { FakeEditorState } from './editorState.ts';
import { FakeEditors } from './editors.ts';
import { FakeFiles } from './files.ts';
import { FakeImages } from './images.ts';
import { FakeImports } from './imports.ts';
import { FakeLanguage } from './language.ts';
import { FakeLanguageDetails } from './languageDetails.ts';
import { FakeLineMarks } from './lineMarks.ts';
import { FakeMarkedContext } from './markedContext.ts';
import { FakeOtherTools } from './otherTools.ts';
import { FakeRefactorings } from './refactorings.ts';
import { FakeSearch } from './search.ts';
import { FakeSourceControl } from './sourceControl.ts';
import { FakeSymbols } from './symbols.ts';
import { FakeSyntax } from './syntax.ts';
import { FakeWorkspace } from './workspace.ts';

/** Returns a fake of every port, except for those that a test passes. */
export function fakePorts<Own extends Partial<Omit<ToolPorts, 'tickets'>>>(own: Own) {
  return {
    changes: new FakeChanges(),
    commandLines: new FakeCommandLines(),
    commands: new FakeCommands(),
    diagnostics: new FakeDiagnostics(),
    editorActions: new FakeEditorActions(),
    editors: new FakeEditors(),
    editorState: new FakeEditorState(),
    files: new FakeFiles({}),
    images: new FakeImages(),
    imports: new FakeImports(),
    language: new FakeLanguage(),
    languageDetails: new FakeLanguageDetails(),
    lineMarks: new FakeLineMarks(),
    markedContext: new FakeMarkedContext(),
    otherTools: new FakeOtherTools(),
    refactorings: new FakeRefactorings(),
    search: new FakeSearch(),
    sourceControl: new FakeSourceControl(),
    symbols: new FakeSymbols(),
    syntax: new FakeSyntax(),
    workspace: new FakeWorkspace(),
    ...own,
  };
}
