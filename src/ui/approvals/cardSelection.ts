import type { Card, SelectionMessage } from '#ui/page/messages.ts';

/** Returns the parts of a card that change with the user's selection. */
export function selectionOf(
  { id, proposalHash, counts, approve, rules, emptyHint, files }: Card,
  own: boolean,
): SelectionMessage {
  return {
    type: 'selection',
    id,
    own,
    proposalHash,
    counts,
    ...(approve && { approve }),
    ...(rules && { rules }),
    ...(emptyHint !== undefined && { emptyHint }),
    files: files.map((file) => ({
      counts: file.counts,
      excluded: file.excluded,
      ...(file.included && { included: file.included }),
    })),
  };
}

/** What is left out of a card's frame: the selection, and rows, which follow from the number of the drawing. */
const changing = new Set(['proposalHash', 'counts', 'approve', 'rules', 'emptyHint', 'included', 'excluded', 'rows']);

/** The same for two cards of one approval that differ in nothing but the selection. */
export function frameOf(card: Card): string {
  return JSON.stringify(card, (key, value: unknown) => (changing.has(key) ? undefined : value));
}
