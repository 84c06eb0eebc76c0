import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import type { TextEdit } from '#language/refactorings.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { readEditable, realTarget } from '../edit/editableText.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { counted } from '../page.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { proposeLanguageEdits } from './edits/languageEdits.ts';

type FormatContext = Pick<
  ToolContext<'files' | 'language' | 'refactorings' | 'sourceControl'>,
  'files' | 'language' | 'refactorings' | 'sourceControl' | 'resolve'
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
  needs: ['files', 'language', 'refactorings', 'sourceControl'],
  description: 'Format files, organize imports, or fix all that linters can.',
  example: { paths: ['src/a.ts'], steps: ['organizeImports'] },
  input: inputFromZod(
    z.strictObject({
      paths: z.array(pathInput).min(1).max(50).describe('Names files'),
      steps: z
        .array(z.enum(['organizeImports', 'fixAll', 'format']))
        .max(3)
        .exactOptional()
        .describe('Runs these; format unless given'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ paths }) => [...new Set(paths)],
  reason: ({ reason }) => reason,
  async propose({ steps = defaultSteps }, context, signal) {
    const files = new Map<string, FileChange>();
    let leftOut = 0;
    for (const [at, target] of context.targets.entries()) {
      if (at > 0) context.report(`${at} of ${counted(context.targets.length, 'file')}`);
      const path = await realTarget(target, context);
      if (files.has(path.realPath)) continue;
      const formatted = await proposeFormatted(path, new Set(steps), context, signal);
      for (const change of formatted.changes) files.set(change.path.realPath, change);
      leftOut += formatted.leftOut;
    }
    if (files.size > 0) {
      return { kind: 'changes', files: [...files.values()], ...(leftOut > 0 && { leftOut: notFormatted(leftOut) }) };
    }
    throw new ToolError(
      'no_match',
      `Nothing would change. ${await whyNothing(context.targets, context)}`,
      'Go on, or use the formatter of the project itself.',
    );
  },
  render: renderOutcome,
});

function notFormatted(count: number): string {
  return `${counted(count, 'formatting edit')} left out, because another step changes the same lines: call format_files again with steps ["format"].`;
}

/** The most files for which a refusal says why nothing would change, one of each kind. */
const mostExplained = 3;

/** Says of the first files of each ending whether an extension serves their language. */
async function whyNothing(files: readonly ResolvedPath[], { language }: FormatContext): Promise<string> {
  const byEnding = new Map(files.map((file) => [/\.\w+$/.exec(file.path)?.[0] ?? '', file]));
  const some = [...byEnding.values()].slice(0, mostExplained);
  const reasons = await Promise.all(some.map((file) => language.explain(file, 'edit')));
  return reasons.join(' ');
}

interface Formatted {
  readonly changes: readonly FileChange[];
  /** The number of formatting edits of lines that another step changes. */
  readonly leftOut: number;
}

/** Joins the edits of all steps. Each service answers for the present text, so edits of the same place cannot be joined. */
async function proposeFormatted(
  path: ResolvedPath,
  steps: ReadonlySet<Step>,
  context: FormatContext,
  signal: AbortSignal,
): Promise<Formatted> {
  const { text } = await readEditable(path, context.files);
  const done: TextEdit[] = [];
  let leftOut = 0;
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
    const others = done.map((other) => onWholeLines(other, text));
    const apart = edits.filter((edit) => !others.some((other) => overlap(onWholeLines(edit, text), other)));
    leftOut = edits.length - apart.length;
    done.push(...apart);
  }
  return { changes: await proposeLanguageEdits({ texts: done, resources: [] }, context), leftOut };
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

/** Returns the edit as one of the whole lines that it touches. Whole lines that are removed do not include the line after them. */
function onWholeLines(edit: TextEdit, text: string): TextEdit {
  const start = edit.offset === 0 ? 0 : text.lastIndexOf('\n', edit.offset - 1) + 1;
  const last = edit.offset + edit.length;
  const endsLine =
    last > edit.offset && edit.offset === start && text[last - 1] === '\n' && /(?:^|\n)$/.test(edit.newText);
  const end = text.indexOf('\n', endsLine ? last - 1 : last);
  return { ...edit, offset: start, length: (end < 0 ? text.length : end) - start };
}

function overlappingFixes({ path }: ResolvedPath): ToolError {
  return new ToolError(
    'unavailable',
    `Several fixes change the same lines of ${path}; nothing was changed.`,
    'Send each step in its own call, or apply fixes one by one: list_code_actions with kinds ["source"], then apply_code_action.',
  );
}
