/** The answers to calls of assistants' own edit tools, in words for their models. */
import { commentLines } from '#changes/comments.ts';
import type { ApprovedFile, ExactWrite, NativeAnswer } from '#base/nativeEdit.ts';
import { type FileChange, type FileMove, textsOf } from '#base/proposal.ts';
import { type ErrorCode, ToolError } from '#base/toolError.ts';
import type { ChangeOutcome, OutcomeStatus } from '#changes/approver.ts';
import { unifiedDiff } from '#changes/unifiedDiff.ts';
import type { HandedOverFile } from './assistantWriter.ts';
import { asToolError } from './callTool.ts';

/**
 * Returns the permission to make the approved changes; undefined when the assistant cannot make them.
 * @param proposed the changes that the call asked for
 */
export function permission(
  files: readonly HandedOverFile[],
  proposed: readonly FileChange[],
  writesExactly: readonly ExactWrite[],
): Extract<NativeAnswer, { decision: 'allow' }> | undefined {
  const differences: string[] = [];
  const approved: ApprovedFile[] = [];
  for (const { change, sha256 } of files) {
    const move = files.map((each) => each.change).find((each): each is FileMove => isMoveOf(each, change));
    // The edit of a moved file stands for both.
    if (change.kind === 'move' && files.some((each) => each.change !== change && isMoveOf(change, each.change)))
      continue;
    const asked = proposed.find((each) => each.kind === change.kind && each.path.realPath === change.path.realPath);
    const wanted = asked && textsOf(asked)?.result;
    const texts = textsOf(change) ?? { base: '', result: '' };
    const isChanged = texts.result !== (wanted ?? '');
    if (isChanged) differences.push(unifiedDiff(change.path.path, wanted ?? '', texts.result));
    approved.push({
      path: change.path.fsPath,
      change: change.kind === 'move' ? 'edit' : change.kind,
      ...(move && { movedTo: move.to.fsPath }),
      ...(sha256 !== undefined && { sha256 }),
      texts: { before: texts.base, after: texts.result },
      isChanged,
    });
  }
  const leftOut = proposed.filter(
    ({ kind, path }) => !files.some(({ change }) => change.kind === kind && change.path.realPath === path.realPath),
  );
  differences.push(...leftOut.map(({ kind, path }) => `The user left out the ${kind} of ${path.path}.`));
  if (differences.length === 0) return { decision: 'allow', files: approved };
  if (!writesExactly.includes('changed')) return undefined;
  const words =
    'The user changed this edit in VS Code before it was made, so the file does not hold what you sent. ' +
    `The difference from your edit to the file is:\n${differences.join('\n')}\n` +
    'Build on the file as it is now, and do not make the rest again unless the user asks for it.';
  return { decision: 'allow', files: approved, words };
}

function isMoveOf(move: FileChange, change: FileChange): boolean {
  return move.kind === 'move' && move.path.realPath === change.path.realPath;
}

export const unanswered: NativeAnswer = {
  decision: 'deny',
  words: 'Drawbridge could not ask the user, so nothing was changed. Tell the user.',
};

const wordsOfStatus: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  declined:
    "The user declined this edit in VS Code; nothing was changed. Do not make the same edit again: follow the user's message if there is one, otherwise ask what to do instead.",
  expired:
    'The user did not decide about this edit; nothing was changed. Ask the user whether it is still wanted before you make it again.',
  pending_approval:
    'The user has not decided about this edit yet; nothing was changed, and the question stays open in VS Code. Make exactly the same edit again to go on waiting, or tell the user that it waits for them.',
  stale:
    'The file changed while the user looked at this edit; nothing was changed. Read the file again, and make the edit for its present text.',
};

/**
 * Returns the words for an edit that the assistant must not make, because of its decision or because Drawbridge made it.
 * @param isMixed the call also changes files outside the folders of the window
 */
export function wordsOf(outcome: ChangeOutcome, isMixed = false): string {
  const { status, files, userMessage, comments = [], next } = outcome;
  const said = [
    ...(userMessage === undefined || userMessage === '' ? [] : [` The user says: ${userMessage}`]),
    ...(comments.length === 0 ? [] : ['', 'The user comments on lines of the change:', ...commentLines(comments)]),
  ].join('\n');
  if (status === 'applied' || status === 'partially_applied' || status === 'applied_modified') {
    const differences = files.flatMap(({ differenceFromProposal }) => differenceFromProposal ?? []).join('\n');
    const shown = differences === '' ? '' : ` It differs from your edit as follows:\n${differences}\n`;
    const unsaved = files.some(({ dirty }) => dirty === true)
      ? ' It is not saved yet, so the disk does not have it: ask the user to save the file.'
      : '';
    const rest = isMixed ? ' Only the part in the folders that are open there was made.' : '';
    return `The user applied this edit in VS Code, so do not make it again.${rest}${shown}${unsaved} Read the file before you edit it further.${said}`;
  }
  return `${wordsOfStatus[status] ?? `This edit was not made. ${next}`}${said}`;
}

export function filesOf({ files }: ChangeOutcome): string {
  return files.map(({ path }) => path).join(', ');
}

/**
 * Returns the answer after an error. It is no opinion for files in other folders, because the assistant's own rules decide about those.
 * @param concerns whether the call concerns the folders of the window all the same, by an earlier attempt or another of its files
 */
export function refusalByError(error: unknown, concerns: boolean): NativeAnswer {
  const isElsewhere = error instanceof ToolError && error.code === 'outside_workspace';
  if (isElsewhere && !concerns) return { decision: 'none' };
  const { message, hint } = asToolError(error);
  return { decision: 'deny', words: `${message} ${hint}` };
}

/** Returns why the user is asked about a call that cannot be shown, in a sentence for the card; undefined for another error. */
export function whyUnseen(error: unknown): string | undefined {
  if (!(error instanceof ToolError)) return undefined;
  const reasons: Partial<Record<ErrorCode, string>> = {
    // The policy decides about the unseen edit too: it asks about a secret, and refuses whatever else it denies.
    denied: 'The file is secret: its text is neither shown here nor kept, so the change cannot be undone here.',
    binary_file: 'The file is not text, so the change can be neither shown nor undone here.',
    undecodable: 'The text of the file cannot be read, so the change can be neither shown nor undone here.',
    too_large: 'The file or the change is too large to be shown, and cannot be undone here.',
  };
  return reasons[error.code];
}

const wordsOfCommandStatus: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  applied:
    'The user approved this command after its call had ended. Run exactly the same command again if it is still needed: within 15 minutes it is let through once.',
  declined:
    "The user declined this command in VS Code; it was not run. Do not run it again in this or another form: follow the user's message if there is one, otherwise ask what to do instead.",
  expired: 'The user did not decide about this command, so it was not run. Ask the user whether it is still wanted.',
  pending_approval:
    'The user has not decided about this command yet, so it was not run; the question stays open in VS Code. Run exactly the same command again to go on waiting, or tell the user that it waits for them.',
};

/** Returns the words for a command that the assistant must not run now. */
export function wordsOfCommand({ status, userMessage, next }: ChangeOutcome): string {
  const said = userMessage === undefined || userMessage === '' ? '' : ` The user says: ${userMessage}`;
  return `${wordsOfCommandStatus[status] ?? `This command was not run. ${next}`}${said}`;
}

/** Returns an answer after a call, with what the model has not been told yet. */
export function withNews(
  answer: Extract<NativeAnswer, { decision: 'none' }>,
  news: string | undefined,
): Extract<NativeAnswer, { decision: 'none' }> {
  return news === undefined ? answer : { ...answer, news };
}
