/** Makes a proposal again for files that changed since: a three-way merge of each text. */
import type { Files } from '#base/files.ts';
import type { ChangesProposal, FileChange, Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { compose, hunksBetween, isSameHunk, meeting, touches } from './hunks.ts';
import type { Resolve } from './keep.ts';
import { currentText, type Choice } from './selection.ts';

export interface RebaseDependencies {
  readonly files: Pick<Files, 'readText' | 'canEncode'>;
  readonly resolve: Resolve;
}

/** In bytes, as for any edit: no user reviews a change of a larger file. */
const maximumBytes = 5 * 1024 * 1024;

/** A change that cannot be rebased; the message is a sentence for the user. */
export class RebaseConflict extends Error {
  override readonly name = 'RebaseConflict';
}

export interface Rebased {
  readonly proposal: ChangesProposal;
  /** The paths of the files that it leaves out. */
  readonly conflicts: readonly string[];
}

/**
 * Returns the same change, as the user had left it, for the present files: a three-way merge of each text, only when both sides
 * changed different lines (failure row F5). A file for which that is not possible is left out and named in `leftOut`, unless the
 * change is indivisible, or nothing else of it is left.
 * @throws RebaseConflict, ToolError when a file cannot be read or has gone
 */
export async function rebaseProposal(
  proposal: Proposal,
  choices: readonly Choice[],
  dependencies: RebaseDependencies,
): Promise<Rebased> {
  if (proposal.kind !== 'changes') throw new RebaseConflict('It changes no file.');
  const files: FileChange[] = [];
  const conflicts: { readonly path: string; readonly error: Error }[] = [];
  for (const [index, change] of proposal.files.entries()) {
    if (choices[index]?.included === false) continue;
    try {
      files.push(...(await rebaseChange(change, choices[index], dependencies)));
    } catch (error) {
      const isConflict = error instanceof RebaseConflict || error instanceof ToolError;
      if (!isConflict || proposal.indivisible === true) throw error;
      conflicts.push({ path: change.path.path, error });
    }
  }
  if (files.length === 0) throw conflicts[0]?.error ?? new RebaseConflict('The files already hold this change.');
  const paths = conflicts.map(({ path }) => path);
  const told = paths.length === 0 ? proposal : { ...proposal, leftOut: leftOutOf(proposal, paths) };
  return { proposal: { ...told, files }, conflicts: paths };
}

/** The most files that are named. */
const mostNamed = 20;

function leftOutOf({ leftOut }: ChangesProposal, conflicts: readonly string[]): string {
  const named = conflicts.slice(0, mostNamed);
  const more = conflicts.length > named.length ? ` and ${conflicts.length - named.length} more` : '';
  const words =
    `The user proposed your change again without ${named.join(', ')}${more}, which it no longer fits: ` +
    'read these files again, and send what is still needed there in a new change.';
  return leftOut === undefined ? words : `${leftOut} ${words}`;
}

async function rebaseChange(
  change: FileChange,
  choice: Choice | undefined,
  { files, resolve }: RebaseDependencies,
): Promise<FileChange[]> {
  const path = await resolve(change.path.uri, 'change');
  if (change.kind === 'create' && path.kind === 'missing') {
    return [{ ...change, path, result: { ...change.result, text: currentText(change, choice) ?? change.result.text } }];
  }
  if (change.kind !== 'edit') throw new RebaseConflict(`${change.path.path} is not as it was.`);
  const now = await files.readText(path, maximumBytes, change.base.encoding);
  if (now.encodingDoubt !== undefined)
    throw new RebaseConflict(`${change.path.path}: its encoding is not known any more.`);
  const text = mergeTexts(currentText(change, choice) ?? change.result.text, change.base.text, now.text);
  if (text === undefined) throw new RebaseConflict(`${change.path.path}: the same lines were changed.`);
  if (!(await files.canEncode(text, now.encoding))) {
    throw new RebaseConflict(`${change.path.path}: its encoding has changed.`);
  }
  if (text === now.text) return [];
  const { source, unsaved, unifiedLineEnds, encoding } = now;
  const base = { text: now.text, encoding, source, unsaved, unifiedLineEnds };
  return [{ ...change, path, base, result: { text, encoding } }];
}

/** Merges two changes of a text; undefined when they touch the same lines in different ways. */
export function mergeTexts(wanted: string, base: string, now: string): string | undefined {
  const theirs = hunksBetween(base, now).hunks;
  const all = hunksBetween(base, wanted).hunks;
  const same = new Set(meeting(all, theirs, isSameHunk));
  const own = all.filter((hunk) => !same.has(hunk));
  if (meeting(own, theirs, touches).length > 0) return undefined;
  return compose(
    base,
    [...own, ...theirs].toSorted((a, b) => a.baseStart - b.baseStart),
  );
}
