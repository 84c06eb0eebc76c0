import * as vscode from 'vscode';
import type { Use } from '#base/language.ts';
import { raceAbort } from '../../raceAbort.ts';

/** The most files examined; each takes about 10 ms. */
const mostFiles = 200;

/**
 * Adds read or write access to uses, from the document highlights of each file: only highlights distinguish writes from reads.
 */
export async function usesWithAccess(uses: readonly Use[], signal: AbortSignal): Promise<readonly Use[]> {
  const firstUses = new Map<string, Use>();
  for (const use of uses) {
    if (use.outside !== true && !firstUses.has(use.uri)) firstUses.set(use.uri, use);
  }
  const accesses = new Map<string, Use['access']>();
  const ask = async ([uri, { firstLine, firstColumn }]: [string, Use]): Promise<void> => {
    const found = await vscode.commands.executeCommand<vscode.DocumentHighlight[] | undefined>(
      'vscode.executeDocumentHighlights',
      vscode.Uri.parse(uri),
      new vscode.Position(firstLine - 1, firstColumn - 1),
    );
    for (const { range, kind } of found ?? []) {
      accesses.set(keyOf(uri, range.start.line + 1, range.start.character + 1), accessOf(kind));
    }
  };
  const asked = [...firstUses].slice(0, mostFiles);
  await raceAbort(() => Promise.allSettled(asked.map(ask)), signal);
  return uses.map((use) => {
    const access = use.outside === true ? undefined : accesses.get(keyOf(use.uri, use.firstLine, use.firstColumn));
    return access === undefined ? use : { ...use, access };
  });
}

function keyOf(uri: string, line: number, column: number): string {
  return `${uri} ${line}:${column}`;
}

/** Returns the access of a highlight; undefined when the highlight only marks the same text. */
export function accessOf(kind: vscode.DocumentHighlightKind | undefined): Use['access'] {
  if (kind === vscode.DocumentHighlightKind.Write) return 'write';
  return kind === vscode.DocumentHighlightKind.Read ? 'read' : undefined;
}
