/**
 * Words in the names of tools that change files: `Edit`, `write_file`, `apply_patch`, `replace`, `str_replace_editor`, `create`,
 * `delete_file`, `rename`. The names of the five assistants that were tried all have one.
 */
const editing = /edit|write|patch|replace|creat|delet|remov|renam|insert|move|modif|append|overwrite/i;

/** Claude Code, VS Code and Codex name the tools of MCP servers so; what those change comes from outside. */
const ofServer = /^mcp(?:__|_)/i;

/** Lists of tasks, notes and plans, which are no files of the user, and commands, which are not reviewed by any adapter. */
const otherThings = /todo|task|plan|memor|worktree|cron|team|bash|shell|terminal/i;

/** Returns whether a tool that no adapter knows may change files, by its name. */
export function mayEdit(tool: string): boolean {
  return editing.test(tool) && !ofServer.test(tool) && !otherThings.test(tool);
}
