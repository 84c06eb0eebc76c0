import { ToolError } from '#base/toolError.ts';
import { definePrompt } from '#call/prompt.ts';
import type { ToolContext } from '#call/tool.ts';
import type { FileDiagnostics } from '#language/diagnostics.ts';
import { problemPaths } from '../completions/problemPaths.ts';
import { diagnosticText } from '../language/diagnosticText.ts';
import { embedFile, textMessage } from './embeddedFile.ts';

/** The `fix_problems` prompt: the problems of one file with the file. */
export const fixProblems = definePrompt({
  name: 'fix_problems',
  title: 'Fix the problems of a file',
  description: 'Fix what the problems list of the editor says of one file.',
  arguments: [
    {
      name: 'path',
      title: 'File',
      description: 'Workspace-relative path of a file with problems',
      required: true,
      completion: problemPaths,
    },
  ],
  judgedAs: 'get_diagnostics',
  needs: ['diagnostics', 'files'],
  targets: ({ path = '' }) => [path],
  async messages(_given, context) {
    const [file] = context.targets;
    if (file === undefined) throw new Error('The address of the argument was not resolved');
    const problems = await problemsOf(file, context);
    const [first] = problems.diagnostics;
    const { message, summary } = await embedFile(file, first?.firstLine ?? 1, context);
    return [
      textMessage(
        `Fix the problems of ${file.path}. The file follows (${summary}).`,
        '',
        diagnosticText([problems]),
        '',
        'Find the cause before you change anything: several problems often have one, and it may be in another file (search_code, read_file). Do not silence a problem that tells of a real error.',
        'Change as little as it takes, with one apply_edit for what belongs together: exact oldText, or line numbers with the version above. The user reviews it; when it is pending_approval, wait with get_approval. The result says which problems are gone and which are new.',
      ),
      message,
    ];
  },
});

async function problemsOf(
  { fsPath, realPath, path }: ToolContext['targets'][number],
  { diagnostics }: Pick<ToolContext, 'diagnostics'>,
): Promise<FileDiagnostics> {
  const found = (await diagnostics.listShown()).find((each) => [fsPath, realPath].includes(each.fsPath));
  if (found !== undefined) return found;
  throw new ToolError(
    'no_match',
    `The problems list has no problem of ${path}.`,
    'Choose a file with problems, or ask the user to open it: language services may look at open files only.',
  );
}
