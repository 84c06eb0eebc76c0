/**
 * Words in the names of tools that change files: `Edit`, `write_file`, `apply_patch`, `replace`, `str_replace_editor`, `create`,
 * `delete_file`, `rename`. Every edit tool of the five assistants that were tried has such a name.
 */
const editing = /edit|write|patch|replace|creat|delet|remov|renam|insert|move|modif|append|overwrite/i;

/** Matches the tools of MCP servers in Claude Code, VS Code and Codex. They belong to other programs. */
const ofServer = /^mcp(?:__|_)/i;

/** Matches tools for tasks, notes and plans, which are no files of the user, and for commands, which no adapter reviews. */
const otherThings = /todo|task|plan|memor|worktree|cron|team|bash|shell|terminal/i;

/** Returns whether a tool that no adapter knows may change files, by its name. */
export function mayEdit(tool: string): boolean {
  return editing.test(tool) && !ofServer.test(tool) && !otherThings.test(tool);
}
