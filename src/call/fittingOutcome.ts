import type { ChangeOutcome, FileOutcome } from '#changes/approver.ts';
import { printable } from './sanitise.ts';

/** Maximum length of the message of one problem, in UTF-16 units. */
const messageLength = 300;

/**
 * Returns an outcome that fits into one result. First the output of an action is cut, then the diffs (at a line end), and at last
 * files are counted instead of named, those without anything special first. The record keeps the whole outcome.
 * @param maxBytes UTF-8 bytes of its JSON with escaped control characters, which is the longer of its two forms
 */
export function fittingOutcome(outcome: ChangeOutcome, maxBytes: number): ChangeOutcome {
  if (bytesOf(outcome) <= maxBytes) return outcome;
  const short = withShortOutput(withShortMessages(outcome), maxBytes);
  if (bytesOf(short) <= maxBytes) return short;
  for (let diffBytes = maxBytes; diffBytes > 100; diffBytes = Math.floor(diffBytes / 2)) {
    const cut = { ...short, files: short.files.map((file) => withShortDiffs(file, diffBytes)) };
    if (bytesOf(cut) <= maxBytes) return cut;
  }
  return withFewerFiles({ ...short, files: short.files.map((file) => withShortDiffs(file, 0)) }, maxBytes);
}

function withFewerFiles(outcome: ChangeOutcome, maxBytes: number): ChangeOutcome {
  const notableFirst = outcome.files.toSorted((one, other) => rank(one) - rank(other));
  let room = maxBytes - bytesOf({ ...outcome, files: [], moreFiles: outcome.files.length });
  const named: FileOutcome[] = [];
  for (const file of notableFirst) {
    room -= bytesOf(file) + 1;
    if (room < 0) break;
    named.push(file);
  }
  const more = outcome.files.length - named.length;
  return { ...outcome, files: named, ...(more === 0 ? {} : { moreFiles: more }) };
}

/** Files that failed come first, then files whose text differs from the proposal. */
function rank({ state, dirty, reason, differenceFromProposal, changedOnSave }: FileOutcome): number {
  if (state !== 'applied' || reason !== undefined) return 0;
  return dirty === true || differenceFromProposal !== undefined || changedOnSave !== undefined ? 1 : 2;
}

function withShortDiffs(file: FileOutcome, maxBytes: number): FileOutcome {
  const { changedOnSave, differenceFromProposal } = file;
  return {
    ...file,
    ...(changedOnSave === undefined ? {} : { changedOnSave: cutDiff(changedOnSave, maxBytes) }),
    ...(differenceFromProposal === undefined
      ? {}
      : { differenceFromProposal: cutDiff(differenceFromProposal, maxBytes) }),
  };
}

function cutDiff(diff: string, maxBytes: number): string {
  if (Buffer.byteLength(diff) <= maxBytes) return diff;
  const lines = diff.split('\n');
  let bytes = 0;
  const fits = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > maxBytes);
  return [...lines.slice(0, fits), `(${lines.length - fits} more lines; read the file for them)`].join('\n');
}

/** The output gets the room that the rest leaves, and at least a quarter of all. */
function withShortOutput(outcome: ChangeOutcome, maxBytes: number): ChangeOutcome {
  const { output } = outcome;
  if (output === undefined) return outcome;
  const room = Math.max(maxBytes - bytesOf({ ...outcome, output: '' }), maxBytes / 4);
  let kept = output;
  while (kept !== '' && bytesOf(kept + cutNote(output, kept)) > room) {
    kept = output.slice(0, Math.floor(kept.length * 0.9)).toWellFormed();
  }
  return kept === output ? outcome : { ...outcome, output: kept + cutNote(output, kept) };
}

function cutNote(output: string, kept: string): string {
  return kept === output ? '' : `\n(cut here; ${output.length - kept.length} more characters)`;
}

function withShortMessages(outcome: ChangeOutcome): ChangeOutcome {
  if (outcome.problems === undefined) return outcome;
  const found = outcome.problems.new.map((problem) => ({ ...problem, message: cutMessage(problem.message) }));
  return { ...outcome, problems: { ...outcome.problems, new: found } };
}

function cutMessage(message: string): string {
  return message.length <= messageLength ? message : `${message.slice(0, messageLength).toWellFormed()}…`;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(printable(JSON.stringify(value)));
}
