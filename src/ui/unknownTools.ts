import * as vscode from 'vscode';
import type { AuditLog } from '#audit/auditLog.ts';
import type { UnknownTool } from '#base/nativeEdit.ts';
import { plain } from '#base/visibleText.ts';

/** The number of tools that the user is told of at most, because a program may invent names. */
const mostTold = 20;

/**
 * Records tools of assistants that may edit files and that Drawbridge does not know, and tells the user, once for each tool.
 * @returns a function to call with each report of a hook program
 */
export function unknownToolNotice(auditLog: Pick<AuditLog, 'event'>): (tool: UnknownTool) => void {
  const told = new Set<string>();
  return ({ assistant, tool }) => {
    const key = JSON.stringify([assistant, tool]);
    if (told.has(key) || told.size >= mostTold) return;
    told.add(key);
    auditLog.event({ event: 'tool.unknown', assistant, tool });
    const text = vscode.l10n.t(
      '{0} used its tool "{1}", which Drawbridge does not know. If that tool edits files, its edits are not reviewed.',
      plain(assistant),
      plain(tool),
    );
    void vscode.window.showInformationMessage(text);
  };
}
