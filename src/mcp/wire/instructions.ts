/** The text for models, sent once per connection. It holds nothing of the workspace, so that no repository can inject text. */
export const instructions =
  'Drawbridge works in the folders open in the user’s editor, unsaved text included. ' +
  'Find code with search_code or find_files, read it with read_file, then change it with apply_edit (exact oldText, line numbers with the version you read, or a patch), create_file, delete_file or move_file. ' +
  'The user reviews every change and may apply a part of it or another text: go by what the result says. ' +
  'Change files with these tools: edits and commands of your own tools are shown to the user only where the guard is set up. ' +
  'pending_approval means they have not decided yet: call get_approval with its id, do not send the change again. ' +
  'Paths are workspace-relative with /, lines are 1-based. Errors say what to do next.';
