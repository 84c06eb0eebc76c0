import { drawnChip } from './cardParts.ts';
import { element } from './element.ts';
import type { Row } from './messages.ts';

/** Changed lines that can be left out together. Its rows may stand in several chunks. */
export interface Hunk {
  /** What its header shows around the text. */
  header(text: readonly Node[]): Node[];
  /** The element in a chunk that takes its rows. */
  extend(chunk: HTMLElement): HTMLElement;
  exclude(isExcluded: boolean): void;
}

interface HunkSurroundings {
  readonly select: ((hunk: number, included: boolean) => void) | undefined;
  readonly leftOut: string;
}

export function createHunk(
  { index, selectLabel, chips }: NonNullable<Row['hunk']>,
  { select, leftOut }: HunkSurroundings,
): Hunk {
  const parts: HTMLElement[] = [];
  const word = element('span', { class: 'chip', hidden: '' }, leftOut);
  const box =
    select && selectLabel !== undefined
      ? createCheckBox(selectLabel, `hunk-${index}`, (included) => select(index, included))
      : undefined;
  if (box) box.checked = true;
  return {
    header: (text) => [
      ...(box ? [box] : []),
      element('span', { class: 'where' }, ...text),
      word,
      ...chips.map(drawnChip),
    ],
    extend(chunk) {
      const part = element('div', { class: parts[0]?.className ?? 'hunk-rows', role: 'presentation' });
      parts.push(part);
      chunk.append(part);
      return part;
    },
    exclude(isExcluded) {
      for (const part of parts) part.classList.toggle('out', isExcluded);
      word.hidden = !isExcluded;
      if (box) box.checked = !isExcluded;
    },
  };
}

/**
 * A check box that only a user changes: a script that clicks for them is not heard (threat row A2).
 * @param control names it among the controls of its card, whenever that is drawn
 */
export function createCheckBox(
  label: string,
  control: string,
  changed: (isChecked: boolean) => void,
): HTMLInputElement {
  const box = element('input', { type: 'checkbox', 'aria-label': label, 'data-control': control });
  box.addEventListener('click', (event) => {
    if (event.isTrusted) changed(box.checked);
    else event.preventDefault();
  });
  return box;
}
