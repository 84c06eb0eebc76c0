import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { CodeActionCommand } from '../../refactorings.ts';

/** UTF-16 units of JSON that a user can still read through. */
const longest = 20_000;

/** Commands that only notify the built-in TypeScript of an edit, for its statistics. */
const notices: ReadonlySet<string> = new Set([
  '_typescript.applyFixAllCodeAction',
  '_typescript.didApplyRefactoring',
  '_typescript.didOrganizeImports',
]);
/** This command only notifies too, unless it carries commands for tsserver, such as to install a package. */
const fixNotice = '_typescript.applyCodeActionCommand';
const fixArguments = z.tuple([
  z.looseObject({ action: z.looseObject({ commands: z.array(z.unknown()).max(0).optional() }) }),
]);

/**
 * Returns the command of a code action, or of a bare command in place of one; undefined without a command or for a mere
 * notification.
 */
export function commandOf(offered: vscode.CodeAction | vscode.Command): CodeActionCommand | undefined {
  const command = isBare(offered) ? offered : offered.command;
  if (command === undefined || isNotice(command)) return undefined;
  const { command: id, title, arguments: given = [] } = command;
  return {
    id,
    title: title === '' ? offered.title : title,
    get arguments() {
      return shownArguments(given);
    },
    run: () => vscode.commands.executeCommand(id, ...given),
  };
}

function isBare(offered: vscode.CodeAction | vscode.Command): offered is vscode.Command {
  return typeof offered.command === 'string';
}

function isNotice({ command, arguments: given = [] }: vscode.Command): boolean {
  return notices.has(command) || (command === fixNotice && fixArguments.safeParse(given).success);
}

/** Returns arguments as JSON for display. They may be live objects that only their extension can read. */
function shownArguments(given: readonly unknown[]): unknown {
  try {
    const json = JSON.stringify(given);
    if (json.length <= longest) return z.json().parse(JSON.parse(json));
    return [`(${json.length} characters of JSON, SHA-256 ${createHash('sha256').update(json).digest('hex')})`];
  } catch {
    return ['(cannot be shown)'];
  }
}
