import { commentLines } from '#changes/comments.ts';
import * as z from 'zod';
import { changeKinds } from '#base/proposal.ts';
import { maximumResourceBytes, outputFromZod, type OutputSchema, type Rendering } from '#call/tool.ts';
import {
  declineReasons,
  fileStates,
  type ChangeOutcome,
  type FileOutcome,
  type OutcomeStatus,
} from '#changes/approver.ts';
import type { Problem, ProblemsChange } from '#language/problems.ts';
import { counted } from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';

const maxLines = 10_000_000;
const maxBytes = 1_000_000_000_000;

const lineCount = z.int().min(0).max(maxLines);

const fileOutcome = z.object({
  path: z.string().describe('Workspace-relative path: a deleted file was there, a moved one is'),
  uri: z.string(),
  change: z.enum(changeKinds),
  movedFrom: z.string().exactOptional().describe('Old path of a moved file'),
  state: z.enum(fileStates),
  version: z.string().exactOptional().describe('Version of its current text'),
  saved: z.boolean().exactOptional(),
  dirty: z.boolean().exactOptional().describe('The editor holds unsaved text of this file'),
  changedOnSave: z.string().exactOptional().describe('Unified diff of what save participants changed after the apply'),
  differenceFromProposal: z
    .string()
    .exactOptional()
    .describe('Unified diff from the proposed text to the text the user applied'),
  hunksApplied: lineCount.exactOptional().describe('Proposed hunks applied unchanged, when not all were'),
  hunksProposed: lineCount.exactOptional(),
  lastModified: z.string().exactOptional().describe('ISO 8601, of the file on disk'),
  size: z.int().min(0).max(maxBytes).exactOptional().describe('Bytes on disk'),
  addedLines: lineCount,
  removedLines: lineCount,
  folderFiles: lineCount.exactOptional().describe('Files in the folder'),
  reason: z.string().exactOptional(),
});

const problems = z.object({
  new: z
    .array(
      z.object({
        path: z.string(),
        line: z.int().min(1).max(maxLines).describe('1-based'),
        severity: z.enum(['error', 'warning']),
        message: z.string(),
        code: z.string().exactOptional(),
      }),
    )
    .describe('The first 20'),
  newCount: lineCount,
  fixedCount: lineCount,
  unchangedCount: lineCount.exactOptional(),
  freshness: z.enum(['fresh', 'settling']).describe('settling: the language service had not finished'),
});

/** The output schema of every tool that proposes a change, an action or a question. */
export const changeOutcomeSchema: OutputSchema<ChangeOutcome> = outputFromZod(
  z.object({
    status: z.enum([
      'applied',
      'partially_applied',
      'applied_modified',
      'answered',
      'dismissed',
      'pending_approval',
      'declined',
      'expired',
      'withdrawn',
      'superseded',
      'partly_applied',
      'stale',
      'failed',
    ]),
    approvalId: z.string(),
    expiresAt: z.string().exactOptional().describe('ISO 8601; after that the user can no longer approve'),
    displayed: z.boolean().describe('The user has had it on screen'),
    files: z.array(fileOutcome),
    moreFiles: lineCount.exactOptional().describe('Further files that did not fit'),
    problems: problems.exactOptional().describe('Problems the change added or fixed'),
    output: z.string().exactOptional().describe('Output of the action'),
    outputIsError: z.boolean().exactOptional().describe('The action failed'),
    answer: z.string().exactOptional().describe("The user's answer"),
    reasonCode: z.enum(declineReasons).exactOptional().describe('Why the user declined'),
    userMessage: z.string().exactOptional().describe("The user's message"),
    comments: z
      .array(
        z.object({
          path: z.string(),
          side: z.enum(['before', 'after']),
          firstLine: lineCount,
          lastLine: lineCount,
          code: z.string(),
          comment: z.string(),
        }),
      )
      .exactOptional()
      .describe("The user's comments on lines of the change"),
    replacedBy: z.string().exactOptional().describe('approvalId that replaced this one'),
    redactedSecrets: redactedSecretsOutput,
    next: z.string().describe('What to do now'),
  }),
);

const reasons: Readonly<Record<NonNullable<ChangeOutcome['reasonCode']>, string>> = {
  wrong_file: 'it is the wrong file',
  too_broad: 'the change is too broad',
  do_it_differently: 'it should be done differently',
  stop: 'you should stop',
};

/** Renders the whole outcome as text, with a link to every changed file that still exists. */
export function renderOutcome(outcome: ChangeOutcome): Rendering {
  const { moreFiles, problems: change, output, outputIsError, answer } = outcome;
  const { reasonCode, userMessage, comments = [], replacedBy, expiresAt, displayed } = outcome;
  const text = [
    `${outcome.status} (${outcome.approvalId})`,
    ...outcome.files.map(describeFile),
    ...(moreFiles === undefined ? [] : [`... and ${counted(moreFiles, 'more file')}`]),
    ...(change === undefined ? [] : [describeProblems(change)]),
    ...(output === undefined ? [] : [`${outputIsError ? 'Failure' : 'Output'}:\n${output}`]),
    ...(answer === undefined ? [] : [`The user answers: ${answer}`]),
    ...(reasonCode === undefined ? [] : [`The user declined because ${reasons[reasonCode]} (${reasonCode}).`]),
    ...(userMessage === undefined ? [] : [`The user says: ${userMessage}`]),
    ...(comments.length === 0 ? [] : ['The user comments on lines of the change:', ...commentLines(comments)]),
    ...secretsText(outcome.redactedSecrets),
    ...(replacedBy === undefined ? [] : [`${replacedBy} replaced it.`]),
    ...(expiresAt === undefined ? [] : [`The user can decide until ${expiresAt}.`]),
    ...(isUndecided(outcome) ? [displayed ? 'The user has seen it.' : 'The user has not seen it.'] : []),
    outcome.next,
  ].join('\n');
  const links = outcome.files
    .filter(isReadable)
    .map(({ path, uri, change: kind, addedLines, removedLines, lastModified, size }) => ({
      path,
      uri,
      description: kind === 'move' ? 'moved' : `+${addedLines} -${removedLines}`,
      ...(lastModified !== undefined && { modified: Date.parse(lastModified) }),
      ...(size !== undefined && { size }),
    }));
  return { text, links };
}

/** Returns true when the file may be linked: clients can read every link, but no deleted, folder or huge file. */
function isReadable({ state, change, size }: FileOutcome): boolean {
  return state === 'applied' && change !== 'delete' && size !== undefined && size <= maximumResourceBytes.text;
}

const decided: ReadonlySet<OutcomeStatus> = new Set([
  'applied',
  'partially_applied',
  'applied_modified',
  'answered',
  'dismissed',
  'declined',
  'partly_applied',
  'failed',
]);

/** Returns true for outcomes without a decision; only for these does it matter whether the user saw the approval. */
function isUndecided({ status }: ChangeOutcome): boolean {
  return !decided.has(status);
}

function describeFile(file: FileOutcome): string {
  const { movedFrom, hunksApplied, hunksProposed, folderFiles } = file;
  const facts = [
    ...(folderFiles === undefined ? [] : [counted(folderFiles, 'file')]),
    ...(file.change === 'move' || folderFiles !== undefined ? [] : [`+${file.addedLines} -${file.removedLines}`]),
    ...(hunksApplied === undefined ? [] : [`${hunksApplied} of ${hunksProposed ?? '?'} hunks as proposed`]),
    ...(file.version === undefined ? [] : [`version ${file.version}`]),
    ...(file.saved === true ? ['saved'] : []),
    ...(file.dirty === true ? ['not saved: the user had unsaved text in it'] : []),
    ...(file.reason === undefined ? [] : [file.reason]),
  ];
  const what = `${file.state} ${file.change} ${movedFrom === undefined ? '' : `${movedFrom} -> `}${file.path}`;
  const { differenceFromProposal, changedOnSave } = file;
  return [
    facts.length === 0 ? what : `${what} (${facts.join(', ')})`,
    ...(differenceFromProposal === undefined
      ? []
      : [`The user changed your proposal; diff from your proposal to the applied text:\n${differenceFromProposal}`]),
    ...(changedOnSave === undefined ? [] : [`Changed by the editor on save:\n${changedOnSave}`]),
  ].join('\n');
}

function describeProblems({ new: found, newCount, fixedCount, unchangedCount, freshness }: ProblemsChange): string {
  const unchanged = unchangedCount === undefined ? '' : `, ${unchangedCount} unchanged`;
  const more = newCount - found.length;
  const settling = freshness === 'settling' ? ' so far; the language service has not finished' : '';
  return [
    `Problems: ${newCount} new, ${fixedCount} fixed${unchanged}${settling}`,
    ...found.map(describeProblem),
    ...(more > 0 ? [`... and ${more} more`] : []),
  ].join('\n');
}

function describeProblem({ path, line, severity, message, code }: Problem): string {
  return `${severity} ${path}:${line} ${message}${code === undefined ? '' : ` ${code}`}`;
}
