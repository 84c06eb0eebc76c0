import * as vscode from 'vscode';

export type EditorTool = vscode.LanguageModelToolInformation;

type Own = readonly { readonly name: string; readonly description: string }[];

/** The tools that the editor knows, those left out that lead back to Drawbridge. Forks of the editor may know of none. */
export function editorTools(own: Own): readonly EditorTool[] {
  if (!('lm' in vscode) || !('tools' in vscode.lm)) return [];
  return vscode.lm.tools.filter((tool) => !isOwn(tool, own));
}

/**
 * The editor calls a tool of an MCP server `mcp_<server's name>_<tool>` and tags it `mcp`. Our own server is `drawbridge` there
 * (`drawbridge2` when something else has that name); a bridge that the user configured may have any name.
 */
function isOwn({ name, tags, description }: EditorTool, own: Own): boolean {
  if (/^mcp_drawbridge\d*_/.test(name)) return true;
  if (!tags.includes('mcp')) return false;
  return own.some((tool) => name.endsWith(`_${tool.name}`) && description === tool.description) || /_relay_/.test(name);
}
