import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import type { TextEdit } from '#language/refactorings.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { readEditable, realTarget } from '../edit/editableText.ts';
import { counted } from '../page.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { proposeLanguageEdits } from './edits/languageEdits.ts';

type FormatContext = Pick<
  ToolContext<'files' | 'refactorings' | 'sourceControl'>,
  'files' | 'refactorings' | 'sourceControl' | 'resolve'
>;

type Step = 'organizeImports' | 'fixAll' | 'format';

const defaultSteps: readonly Step[] = ['format'];

/** The `format_files` tool: proposes what "Format Document", "Organize Imports" and "Fix All" would do. */
export const formatFiles = defineProposingTool({
  name: 'format_files',
  title: 'Format files',
  summary: 'Format files, organize imports, fix all that can be fixed.',
  toolset: 'language',
  risk: 'edit',
  timeLimitSeconds: 60,
  needs: ['files', 'refactorings', 'sourceControl'],
  description: 'Format files, or organize imports. Example: {"paths":["src/a.ts"],"steps":["organizeImports"]}.',
  input: inputFromZod(
    z.strictObject({
      paths: z.array(pathInput).min(1).max(50).describe('Files'),
      steps: z
        .array(z.enum(['organizeImports', 'fixAll', 'format']))
        .max(3)
        .exactOptional()
        .describe('["format"] unless given'),
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ paths }) => [...new Set(paths)],
  reason: () => undefined,
  async propose({ steps = defaultSteps }, context, signal) {
    const files = new Map<string, FileChange>();
    for (const [at, target] of context.targets.entries()) {
      if (at > 0) context.report(`${at} of ${counted(context.targets.length, 'file')}`);
      const path = await realTarget(target, context);
      if (files.has(path.realPath)) continue;
      for (const change of await proposeFormatted(path, new Set(steps), context, signal)) {
        files.set(change.path.realPath, change);
      }
    }
    if (files.size > 0) return { kind: 'changes', files: [...files.values()] };
    throw new ToolError(
      'no_match',
      'Nothing would change: the files are formatted already, or no extension here formats their language.',
      'Go on, or use the formatter of the project itself.',
    );
  },
  render: renderOutcome,
});

/** Joins the edits of all steps. Each service answers for the present text, so edits of the same place cannot be joined. */
async function proposeFormatted(
  path: ResolvedPath,
  steps: ReadonlySet<Step>,
  context: FormatContext,
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const { text } = await readEditable(path, context.files);
  const done: TextEdit[] = [];
  if (steps.has('organizeImports'))
    done.push(...(await sourceEdits('source.organizeImports', path, text, context, signal)));
  if (steps.has('fixAll')) {
    const fixes = await sourceEdits('source.fixAll', path, text, context, signal);
    if (fixes.some((fix) => done.some((other) => overlap(fix, other)))) throw overlappingFixes(path);
    done.push(...fixes);
  }
  if (steps.has('format')) {
    const edits = await context.refactorings.formatting(path, signal);
    // Formatting edits are independent; a next call formats the lines that another step changes.
    done.push(
      ...edits.filter((edit) => !done.some((other) => overlap(onWholeLines(edit, text), onWholeLines(other, text)))),
    );
  }
  return proposeLanguageEdits({ texts: done, resources: [] }, context);
}

async function sourceEdits(
  kind: 'source.organizeImports' | 'source.fixAll',
  path: ResolvedPath,
  text: string,
  { refactorings }: FormatContext,
  signal: AbortSignal,
): Promise<readonly TextEdit[]> {
  const lines = { firstLine: 1, lastLine: text.split(/\r\n|\n|\r/).length };
  const found: TextEdit[] = [];
  for (const action of await refactorings.codeActions(path, lines, [kind], signal)) {
    // Several organizers of imports would make the same change, so the first is enough.
    if (kind === 'source.organizeImports' && found.length > 0) break;
    const { edits = { texts: [], resources: [] } } = await action.expand(signal);
    if (edits.resources.length > 0 || edits.texts.some(({ address }) => address !== path.fsPath)) {
      throw new ToolError(
        'unavailable',
        `${JSON.stringify(action.title)} changes other files than ${path.path}; nothing was changed.`,
        `Leave it out of this call, and apply it by itself: list_code_actions with kinds ["${kind}"], then apply_code_action.`,
      );
    }
    if (edits.texts.some((edit) => found.some((other) => overlap(edit, other)))) throw overlappingFixes(path);
    found.push(...edits.texts);
  }
  return found;
}

function overlap(one: TextEdit, other: TextEdit): boolean {
  if (one.offset === other.offset) return true;
  return one.offset < other.offset + other.length && other.offset < one.offset + one.length;
}

function onWholeLines(edit: TextEdit, text: string): TextEdit {
  const start = text.lastIndexOf('\n', edit.offset - 1) + 1;
  const end = text.indexOf('\n', edit.offset + edit.length);
  return { ...edit, offset: start, length: (end < 0 ? text.length : end) - start };
}

function overlappingFixes({ path }: ResolvedPath): ToolError {
  return new ToolError(
    'unavailable',
    `Several fixes change the same lines of ${path}; nothing was changed.`,
    'Send each step in its own call, or apply fixes one by one: list_code_actions with kinds ["source"], then apply_code_action.',
  );
}
