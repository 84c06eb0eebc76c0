import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { CommandLines } from '#call/ports/commandLines.ts';
import type { OtherTools } from '#call/ports/otherTools.ts';
import { resolveAddress } from '#call/resolve.ts';
import type { Changes } from '#changes/changes.ts';
import { sourceControl } from '#changes/editor/sourceControl.ts';
import { createCommands } from '#editor/commands.ts';
import { createEditorActions } from '#editor/editorActions.ts';
import { createEditorState } from '#editor/editorState.ts';
import { createEditors } from '#editor/editors.ts';
import { AssistantMarks } from '#editor/lineMarks.ts';
import { AssistantContext } from '#editor/markedContext.ts';
import type { WatchedSettings } from '#editor/settings.ts';
import { watchTyping } from '#editor/typing.ts';
import type { createWorkspace } from '#editor/workspace.ts';
import type { Files } from '#base/files.ts';
import type { Syntax } from '#base/syntaxTree.ts';
import { files } from '#files/editor/files.ts';
import { createImageScaler } from '#files/imageScaler.ts';
import { createDiagnostics } from '#language/editor/diagnostics.ts';
import { createImports, readText } from '#language/editor/imports.ts';
import { filesThatUse } from '#language/imports/importers.ts';
import type { FileUses, UsedFile } from '#base/language.ts';
import { createLanguage } from '#language/editor/language.ts';
import { createLanguageDetails } from '#language/editor/languageDetails.ts';
import { createRefactorings } from '#language/editor/refactorings.ts';
import { createSymbols } from '#language/editor/symbols.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { createSearch } from '#search/editor/createSearch.ts';

export interface PortsOptions {
  readonly context: Pick<vscode.ExtensionContext, 'extensionPath' | 'workspaceState'>;
  readonly workspace: ReturnType<typeof createWorkspace>;
  readonly pathRules: PathRules;
  readonly settings: WatchedSettings;
  readonly clock: Clock;
  readonly otherTools: OtherTools;
  readonly changes: Changes;
  readonly commandLines: CommandLines;
  readonly syntax: Syntax;
  /** Returns the files port that also notes what is read. */
  readonly noteReads: (port: Files) => Files;
}

/** Creates what tools work with: the workspace's files, search, language services and the editor. */
export function createPorts(options: PortsOptions) {
  const { context, workspace, pathRules, settings, clock, otherTools, changes, commandLines, syntax, noteReads } =
    options;
  const search = createSearch(workspace, pathRules, context.extensionPath);
  const roots = () =>
    Promise.all(
      workspace.folders().map(({ uri }) => resolveAddress(uri, { workspace, files, pathRules, purpose: 'read' })),
    );
  const commands = createCommands({ workspace, clock, allowed: () => settings.current().allowedCommands });
  const diagnostics = createDiagnostics(workspace);
  const editors = createEditors(workspace);
  const editorState = createEditorState(workspace);
  const lineMarks = new AssistantMarks();
  const markedContext = new AssistantContext(context.workspaceState, workspace);
  const typing = watchTyping(clock);
  const ports = {
    changes,
    commandLines,
    commands,
    diagnostics,
    editorActions: createEditorActions(typing),
    editors,
    editorState,
    files: noteReads(files),
    workspace,
    search,
    images: createImageScaler(join(context.extensionPath, 'dist/imageWorker.cjs'), {
      folder: join(context.extensionPath, 'dist/images'),
    }),
    imports: createImports(search, roots),
    language: createLanguage(workspace),
    languageDetails: createLanguageDetails(workspace),
    lineMarks,
    markedContext,
    refactorings: createRefactorings(workspace),
    otherTools,
    sourceControl,
    symbols: createSymbols(workspace, search, roots),
    syntax,
  };
  const disposables = [commands, diagnostics, editors, editorState, lineMarks, markedContext, typing];
  /** Finds the files that use another one, for the user and for the problems after a change. */
  const usesOf = (used: UsedFile, signal: AbortSignal): Promise<FileUses | undefined> =>
    filesThatUse(used, { search, roots, readText }, signal);
  return { ports, typing, usesOf, disposables };
}
