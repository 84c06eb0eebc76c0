import type * as vscode from 'vscode';
import type { McpProvider } from '#connect/editor/mcpProvider.ts';
import type { RegisteredTools } from '#editor/extensionApi.ts';
import type { LateView } from '#ui/lateTree.ts';
import type { StatusBar } from '#ui/statusBar.ts';

/** The parts that activation created before `main.ts` was loaded. */
export interface Shell {
  readonly context: vscode.ExtensionContext;
  readonly statusBar: StatusBar;
  readonly mcpProvider: McpProvider;
  readonly registeredTools: RegisteredTools;
  /** The views by their id. */
  readonly views: ReadonlyMap<string, LateView>;
}
