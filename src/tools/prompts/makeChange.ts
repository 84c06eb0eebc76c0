import { definePrompt } from '#call/prompt.ts';
import { filePaths } from '../completions/filePaths.ts';
import { embedFile, textMessage } from './embeddedFile.ts';

/** The `make_change` prompt: the goal of the user with the steps to change files here. */
export const makeChange = definePrompt({
  name: 'make_change',
  title: 'Make a change safely',
  description: 'Make a change in the workspace, step by step, each edit reviewed by the user.',
  arguments: [
    { name: 'goal', title: 'Goal', description: 'What is to be different afterwards', required: true },
    {
      name: 'path',
      title: 'File',
      description: 'Workspace-relative path of the file where to begin',
      required: false,
      completion: filePaths,
    },
  ],
  judgedAs: 'read_file',
  needs: ['files'],
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async messages({ goal = '' }, context) {
    const [file] = context.targets;
    const embedded = file === undefined ? undefined : await embedFile(file, 1, context);
    const begin =
      file === undefined || embedded === undefined
        ? []
        : [`Begin with ${file.path}; it follows (${embedded.summary}).`];
    return [
      textMessage(
        'Make this change in the workspace:',
        '',
        goal,
        '',
        ...begin,
        '1. Search: find all that the change concerns with search_code and find_files, callers and tests too. Ask the user when the goal can be read in two ways.',
        '2. Read: read each place with read_file before you change it, and keep the version it tells.',
        '3. Edit: use apply_edit with exact oldText, or with line numbers and the version you read. Put what only works together into one call, and give the reason.',
        '4. Wait: the user reviews every edit. When it is pending_approval, call get_approval with its id and do not send it again. Go by what the result says: they may have applied a part or another text, or declined and said why.',
        '5. Check: the result of an edit tells new problems; fix those you caused. Then say in a few sentences what is different now and what is left to do.',
      ),
      ...(embedded === undefined ? [] : [embedded.message]),
    ];
  },
});
