import type * as vscode from 'vscode';
import { DiagnosticSeverity, TreeItemCollapsibleState } from './enums.ts';
import { type Range, Uri } from './places.ts';

/** Values that extensions create for VS Code: tree items, Markdown texts, errors, inputs of tabs. */

export class ThemeColor implements vscode.ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon implements vscode.ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;
  readonly color: vscode.ThemeColor | undefined;

  constructor(id: string, color?: vscode.ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem implements vscode.TreeItem {
  declare label?: string | vscode.TreeItemLabel;
  declare resourceUri?: vscode.Uri;
  collapsibleState: vscode.TreeItemCollapsibleState;

  /** @param shown a label, or the file whose name and icon are shown */
  constructor(
    shown: string | vscode.TreeItemLabel | Uri,
    collapsibleState: vscode.TreeItemCollapsibleState = TreeItemCollapsibleState.None,
  ) {
    if (Uri.isUri(shown)) this.resourceUri = shown;
    else this.label = shown;
    this.collapsibleState = collapsibleState;
  }
}

export class FileDecoration implements vscode.FileDecoration {
  declare badge?: string;
  declare tooltip?: string;
  declare propagate?: boolean;

  constructor(badge?: string, tooltip?: string) {
    if (badge !== undefined) this.badge = badge;
    if (tooltip !== undefined) this.tooltip = tooltip;
  }
}

export class CodeLens implements vscode.CodeLens {
  readonly isResolved: boolean;
  readonly range: vscode.Range;
  declare command?: vscode.Command;

  constructor(range: vscode.Range, command?: vscode.Command) {
    this.range = range;
    if (command !== undefined) this.command = command;
    this.isResolved = command !== undefined;
  }
}

export class MarkdownString implements vscode.MarkdownString {
  value: string;

  constructor(value = '') {
    this.value = value;
  }

  /** Escapes the characters that Markdown would not read as text. */
  appendText(text: string): this {
    this.value += text
      .replaceAll(/[\\`*_{}[\]()#+\-!~]/g, String.raw`\$&`)
      .replaceAll(/[ \t]+/g, (blanks) => '&nbsp;'.repeat(blanks.length))
      .replaceAll('>', String.raw`\>`)
      .replaceAll('\n', '\n\n');
    return this;
  }

  appendMarkdown(): never {
    throw new Error('The fake editor appends plain text only');
  }

  appendCodeblock(): never {
    throw new Error('The fake editor appends plain text only');
  }
}

export class Diagnostic implements vscode.Diagnostic {
  range: Range;
  message: string;
  severity: vscode.DiagnosticSeverity;
  declare source?: string;
  declare code?: Exclude<vscode.Diagnostic['code'], undefined>;

  constructor(range: Range, message: string, severity: vscode.DiagnosticSeverity = DiagnosticSeverity.Error) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class FileSystemError extends Error implements vscode.FileSystemError {
  readonly code: string;

  /** @param inner the code by which VS Code itself knows the error */
  constructor(uri?: vscode.Uri | string, code = 'Unknown', inner = code) {
    super(typeof uri === 'object' ? uri.toString(true) : uri);
    this.code = code;
    this.name = `${inner} (FileSystemError)`;
  }

  static FileNotFound(uri?: vscode.Uri | string): FileSystemError {
    return new FileSystemError(uri, 'FileNotFound', 'EntryNotFound');
  }

  static NoPermissions(uri?: vscode.Uri | string): FileSystemError {
    return new FileSystemError(uri, 'NoPermissions');
  }
}

export class McpHttpServerDefinition implements vscode.McpHttpServerDefinition {
  readonly label: string;
  uri: vscode.Uri;
  headers: Record<string, string>;
  declare version?: string;

  constructor(label: string, uri: vscode.Uri, headers: Record<string, string> = {}, version?: string) {
    [this.label, this.uri, this.headers] = [label, uri, headers];
    if (version !== undefined) this.version = version;
  }
}

export class TabInputText implements vscode.TabInputText {
  readonly uri: vscode.Uri;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }
}

export class TabInputCustom implements Pick<vscode.TabInputCustom, 'uri'> {
  readonly uri: vscode.Uri;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }
}

export class TabInputNotebook implements Pick<vscode.TabInputNotebook, 'uri'> {
  readonly uri: vscode.Uri;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }
}

export class TabInputTextDiff implements vscode.TabInputTextDiff {
  readonly original: vscode.Uri;
  readonly modified: vscode.Uri;

  constructor(original: vscode.Uri, modified: vscode.Uri) {
    this.original = original;
    this.modified = modified;
  }
}

export class TabInputNotebookDiff implements Pick<vscode.TabInputNotebookDiff, 'original' | 'modified'> {
  readonly original: vscode.Uri;
  readonly modified: vscode.Uri;

  constructor(original: vscode.Uri, modified: vscode.Uri) {
    this.original = original;
    this.modified = modified;
  }
}
