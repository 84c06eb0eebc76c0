import * as vscode from 'vscode';
import type { TextRange } from '#base/language.ts';
import type { CommandArgument, CommandPlace } from '#call/ports/commands.ts';

/** Arguments as the editor's own values. */
export function editorArgument(argument: CommandArgument): unknown {
  if (argument === null || typeof argument !== 'object') return argument;
  if (isList(argument)) return argument.map(editorArgument);
  if (isFields(argument)) {
    return Object.fromEntries([...argument].map(([name, value]) => [name, editorArgument(value)]));
  }
  return editorPlace(argument);
}

function editorPlace(place: CommandPlace): unknown {
  if (place.kind === 'position') return new vscode.Position(place.line - 1, place.column - 1);
  if (place.kind === 'range') return editorRange(place);
  const uri = vscode.Uri.file(place.path.fsPath);
  return place.kind === 'uri' ? uri : new vscode.Location(uri, editorRange(place.range));
}

function editorRange({ firstLine, firstColumn, lastLine, lastColumn }: TextRange): vscode.Range {
  return new vscode.Range(firstLine - 1, firstColumn - 1, lastLine - 1, lastColumn - 1);
}

function isList(argument: CommandArgument): argument is readonly CommandArgument[] {
  return Array.isArray(argument);
}

function isFields(argument: CommandArgument): argument is ReadonlyMap<string, CommandArgument> {
  return argument instanceof Map;
}
