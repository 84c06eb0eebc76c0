import { MissingPathError, ToolError } from '#base/toolError.ts';
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
  description: 'Fix the problems that language services find in one file.',
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
  async messages(_given, context, signal) {
    const [file] = context.targets;
    if (file === undefined) throw new Error('The address of the argument was not resolved');
    const problems = await problemsOf(file, context, signal);
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

/** The time for language services in milliseconds; the rest of the time limit is for the file. */
const patience = 15_000;

/** Asks language services as get_diagnostics does, also about a file that no tab shows. */
async function problemsOf(
  file: ToolContext['targets'][number],
  { diagnostics }: Pick<ToolContext, 'diagnostics'>,
  signal: AbortSignal,
): Promise<FileDiagnostics> {
  if (file.kind === 'missing') {
    throw new MissingPathError(file.path, `${file.path} does not exist.`, 'Use find_files to find the file.');
  }
  const expired = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const [found] = await diagnostics.examine([file], () => undefined, expired);
  signal.throwIfAborted();
  if (found !== undefined && found.diagnostics.length > 0) return found;
  const isKnown = found?.freshness === 'fresh' || found?.freshness === 'published';
  throw new ToolError(
    'no_match',
    isKnown ? `${file.path} has no problems.` : `No language service has answered for ${file.path} yet.`,
    isKnown
      ? 'Choose a file with problems.'
      : 'Try again in a moment, or ask the user whether an extension checks this language.',
  );
}
