import type { CodeAction } from '../refactorings.ts';

/** Matches ids of commands that open a menu, a snippet or a chat instead of changing text. */
const opensSomething =
  /^editor\.action\.(?:surroundWithSnippet|insertSnippet|showSnippets|codeAction|quickFix|refactor|sourceAction)$|(?:^|[._])(?:inlineChat|editorChat|chat|copilot)(?:[._]|$)/i;

/**
 * Returns true when an action can be applied as an edit, or runs a command of its language service. Snippets that surround lines need
 * an editor with a cursor, and chats need a user.
 */
export function isApplicable({ kind, command }: Pick<CodeAction, 'kind' | 'command'>): boolean {
  if (/^refactor\.surround(?:\.|$)/.test(kind) || /(?:^|\.)copilot(?:\.|$)/i.test(kind)) return false;
  return command === undefined || !opensSomething.test(command);
}
