/** For models, once per connection; nothing of the workspace in it, so that a repository cannot speak through it. */
export const instructions =
  'Drawbridge works in the folders open in the user’s editor, unsaved text included. ' +
  'Find code with search_code or find_files, read it with read_file, then change it with apply_edit, giving exact oldText or line numbers with the version you read. ' +
  'The user reviews every change; pending_approval means they have not decided yet: do not send it again. ' +
  'Paths are workspace-relative with /, lines are 1-based. Errors say what to do next.';
