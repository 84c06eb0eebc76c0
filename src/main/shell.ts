import type * as vscode from 'vscode';
import type { McpProvider } from '#connect/editor/mcpProvider.ts';
import type { RegisteredTools } from '#editor/extensionApi.ts';
import type { LateView } from '#ui/lateTree.ts';
import type { StatusBar } from '#ui/statusBar.ts';

/** What activation made before this chunk was loaded. */
export interface Shell {
  readonly context: vscode.ExtensionContext;
  readonly statusBar: StatusBar;
  readonly mcpProvider: McpProvider;
  readonly registeredTools: RegisteredTools;
  /** By id. */
  readonly views: ReadonlyMap<string, LateView>;
}
