/* oxlint-disable typescript/no-unsafe-enum-assignment -- the types hold each number to that of the API's enum */
import type * as vscode from 'vscode';

/** The members of the enums of VS Code that unit tests use, each with its type in the API. */

export const ConfigurationTarget: Pick<typeof vscode.ConfigurationTarget, 'Global'> = { Global: 1 };
export const DiagnosticSeverity: Pick<typeof vscode.DiagnosticSeverity, 'Error' | 'Warning' | 'Information' | 'Hint'> =
  { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const DocumentHighlightKind: Pick<typeof vscode.DocumentHighlightKind, 'Text' | 'Read' | 'Write'> = {
  Text: 0,
  Read: 1,
  Write: 2,
};
export const EndOfLine: Pick<typeof vscode.EndOfLine, 'LF' | 'CRLF'> = { LF: 1, CRLF: 2 };
export const FileChangeType: Pick<typeof vscode.FileChangeType, 'Changed'> = { Changed: 1 };
export const FilePermission: Pick<typeof vscode.FilePermission, 'Readonly'> = { Readonly: 1 };
export const FileType: Pick<typeof vscode.FileType, 'File' | 'Directory'> = { File: 1, Directory: 2 };
export const LogLevel: Pick<typeof vscode.LogLevel, 'Off' | 'Trace' | 'Debug' | 'Info' | 'Warning' | 'Error'> = {
  Off: 0,
  Trace: 1,
  Debug: 2,
  Info: 3,
  Warning: 4,
  Error: 5,
};
export const OverviewRulerLane: Pick<typeof vscode.OverviewRulerLane, 'Left' | 'Right'> = { Left: 1, Right: 4 };
export const ProgressLocation: Pick<typeof vscode.ProgressLocation, 'Window' | 'Notification'> = {
  Window: 10,
  Notification: 15,
};
export const QuickPickItemKind: Pick<typeof vscode.QuickPickItemKind, 'Separator'> = { Separator: -1 };
export const StatusBarAlignment: Pick<typeof vscode.StatusBarAlignment, 'Left' | 'Right'> = { Left: 1, Right: 2 };
export const SymbolTag: Pick<typeof vscode.SymbolTag, 'Deprecated'> = { Deprecated: 1 };
export const TextDocumentChangeReason: Pick<typeof vscode.TextDocumentChangeReason, 'Undo'> = { Undo: 1 };
export const TextEditorRevealType: Pick<typeof vscode.TextEditorRevealType, 'InCenterIfOutsideViewport'> = {
  InCenterIfOutsideViewport: 2,
};
export const TextEditorSelectionChangeKind: Pick<typeof vscode.TextEditorSelectionChangeKind, 'Keyboard'> = {
  Keyboard: 1,
};
export const TreeItemCheckboxState: Pick<typeof vscode.TreeItemCheckboxState, 'Unchecked' | 'Checked'> = {
  Unchecked: 0,
  Checked: 1,
};
export const TreeItemCollapsibleState: Pick<typeof vscode.TreeItemCollapsibleState, 'None' | 'Collapsed' | 'Expanded'> =
  { None: 0, Collapsed: 1, Expanded: 2 };
export const UIKind: Pick<typeof vscode.UIKind, 'Desktop' | 'Web'> = { Desktop: 1, Web: 2 };
export const ViewColumn: Pick<typeof vscode.ViewColumn, 'One' | 'Two'> = { One: 1, Two: 2 };

/** Maps a kind to its name, which the product reads. */
export const SymbolKind = { 4: 'Class', 11: 'Function', 21: 'EnumMember' } as const satisfies Readonly<
  Record<number, keyof typeof vscode.SymbolKind>
>;
