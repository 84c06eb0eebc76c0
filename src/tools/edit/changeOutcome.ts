import * as z from 'zod';
import { outputFromZod, type OutputSchema, type Rendering } from '../../core/tool.ts';
import type { ChangeOutcome, FileOutcome } from '../../ports/approver.ts';

const maxLines = 10_000_000;
const maxBytes = 1_000_000_000_000;

const fileOutcome = z.object({
  path: z.string().describe('Workspace-relative path'),
  uri: z.string(),
  change: z.enum(['edit']),
  state: z.enum(['applied', 'not_applied', 'rolled_back', 'unknown']),
  version: z.string().exactOptional().describe('Of the text the file holds now'),
  saved: z.boolean().exactOptional(),
  dirty: z.boolean().exactOptional().describe('The editor holds unsaved text of this file'),
  changedOnSave: z
    .string()
    .exactOptional()
    .describe('What save participants changed after the approved text was applied, as a unified diff'),
  lastModified: z.string().exactOptional().describe('ISO 8601, of the file on disk'),
  size: z.int().min(0).max(maxBytes).exactOptional().describe('Bytes on disk'),
  addedLines: z.int().min(0).max(maxLines),
  removedLines: z.int().min(0).max(maxLines),
  reason: z.string().exactOptional(),
});

/** What every tool that proposes answers. */
export const changeOutcomeSchema: OutputSchema<ChangeOutcome> = outputFromZod(
  z.object({
    status: z.enum([
      'applied',
      'pending_approval',
      'declined',
      'expired',
      'withdrawn',
      'superseded',
      'stale',
      'failed',
    ]),
    approvalId: z.string(),
    expiresAt: z.string().exactOptional().describe('ISO 8601; after that the user can no longer approve'),
    displayed: z.boolean().describe('Whether the user has had it on screen'),
    files: z.array(fileOutcome),
    userMessage: z.string().exactOptional().describe('What the user says'),
    next: z.string().describe('What to do now'),
  }),
);

/** The outcome in words, complete by itself, with a link to every file that was changed. */
export function renderOutcome(outcome: ChangeOutcome): Rendering {
  const text = [
    `${outcome.status} (${outcome.approvalId})`,
    ...outcome.files.map(describeFile),
    ...(outcome.userMessage === undefined ? [] : [`The user says: ${outcome.userMessage}`]),
    ...(outcome.expiresAt === undefined
      ? []
      : [
          `The user can decide until ${outcome.expiresAt}; ${outcome.displayed ? 'they have seen it' : 'they have not seen it yet'}.`,
        ]),
    outcome.next,
  ].join('\n');
  const links = outcome.files
    .filter(({ state }) => state === 'applied')
    .map(({ path, uri, addedLines, removedLines, lastModified, size }) => ({
      path,
      uri,
      description: `+${addedLines} -${removedLines}`,
      ...(lastModified !== undefined && { modified: Date.parse(lastModified) }),
      ...(size !== undefined && { size }),
    }));
  return { text, links };
}

function describeFile(file: FileOutcome): string {
  const facts = [
    `+${file.addedLines} -${file.removedLines}`,
    ...(file.version === undefined ? [] : [`version ${file.version}`]),
    ...(file.saved === true ? ['saved'] : []),
    ...(file.dirty === true ? ['not saved: the user had unsaved text in it'] : []),
    ...(file.reason === undefined ? [] : [file.reason]),
  ];
  const line = `${file.state} ${file.path} (${facts.join(', ')})`;
  return file.changedOnSave === undefined ? line : `${line}\nChanged by the editor on save:\n${file.changedOnSave}`;
}
