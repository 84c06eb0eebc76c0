/** The text for models, sent once per connection. It holds nothing of the workspace, so that no repository can inject text. */
export const instructions =
  'Drawbridge works in the folders open in the user’s editor, unsaved text included. ' +
  'Prefer these tools for files of these folders: the user reviews each change before it is made, and can undo it, ' +
  'but edits and commands of your own tools are shown to the user only where the guard is set up. ' +
  'Find text with search_code, files with find_files, a symbol by its name with find_symbols, its code with get_symbol, its uses with find_references. ' +
  'Read with read_file, then change text with apply_edit (exact oldText, line numbers with the version you read, or a patch), ' +
  'files with create_file, delete_file or move_file (imports follow), and a name everywhere with rename_symbol. ' +
  'Send edits that belong together in one call, and check them with get_diagnostics. ' +
  'The user may apply a part of a change or another text: go by what the result says. ' +
  'pending_approval means they have not decided yet: call get_approval with its id, do not send the change again. ' +
  'Paths are workspace-relative with /, lines are 1-based. Errors say what to do next.';
