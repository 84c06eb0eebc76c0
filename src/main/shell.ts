import type * as vscode from 'vscode';
import type { RegisteredTools } from '../vscode/extensionApi.ts';
import type { LateView } from '../vscode/lateTree.ts';
import type { McpProvider } from '../vscode/mcpProvider.ts';
import type { StatusBar } from '../vscode/statusBar.ts';

/** What activation made before this chunk was loaded. */
export interface Shell {
  readonly context: vscode.ExtensionContext;
  readonly statusBar: StatusBar;
  readonly mcpProvider: McpProvider;
  readonly registeredTools: RegisteredTools;
  /** By id. */
  readonly views: ReadonlyMap<string, LateView>;
}
