/** Describes the parts of an interrupted change, whose files were compared with their texts from before and after it. */
import { textVersion } from '#audit/textVersion.ts';
import { changeOf, placeAfterMove } from './apply.ts';
import type { FileOutcome } from './approver.ts';
import { leftOut } from './halfDone.ts';
import type { History } from './history.ts';
import { keepText } from './keep.ts';
import type { KeptChange } from './record.ts';
import type { FoundPart } from './recovery.ts';
import type { ChangeRequest } from './requests.ts';

/** Returns the kept change with the texts that were found, which an undo or a redo must find. */
export function keepFound(
  kept: readonly KeptChange[],
  parts: readonly FoundPart[],
  history: History,
): Promise<KeptChange[]> {
  return Promise.all(
    kept.map(async (change, index) => {
      const part = parts.find((each) => each.index === index);
      if (part?.found !== 'after' || part.text === undefined) return change;
      const after = await keepText(part.text, history);
      return { ...change, after, ...(change.kind === 'create' && part.bytes !== undefined && { bytes: part.bytes }) };
    }),
  );
}

/** Returns what became of each file of a change, of which some parts were examined. */
export function outcomesOf({ approval }: Pick<ChangeRequest, 'approval'>, parts: readonly FoundPart[]): FileOutcome[] {
  const { files } = approval;
  // A move that was not made leaves its file where it was.
  const made = files.filter((_, index) => parts.some((part) => part.index === index && part.found === 'after'));
  return files.map((file, index) => {
    const part = parts.find((each) => each.index === index);
    const facts = changeOf(file);
    if (part === undefined) return approval.outcomes?.[index] ?? { ...facts, state: 'not_applied', reason: leftOut };
    if (part.found === 'before') return { ...facts, state: 'not_applied' };
    if (part.found === 'unknown') {
      return {
        ...facts,
        state: 'unknown',
        reason: 'Its content is neither the one from before the change nor the approved one.',
      };
    }
    const { text } = part;
    return {
      ...facts,
      state: 'applied',
      ...(file.change === 'edit' && placeAfterMove(file, made)),
      ...(text && { version: textVersion(text.text), saved: !text.unsaved, dirty: text.unsaved }),
    };
  });
}
