/** The way through a change: from hunk to hunk, and from file to file. */
import type { GridRow } from './largeRows.ts';
import type { ChangeGrid, PageStore } from './store.ts';

/** Brings up the next hunk or the previous one, and puts the keyboard on it. */
export function goToChange(store: PageStore, direction: 1 | -1): void {
  if (store.grid) return goInGrid(store.grid, direction, 'changes');
  step('main .row.hunk', direction, (row) => row.querySelector<HTMLElement>('input, button') ?? row);
}

/** Brings up the next file or the previous one, and puts the keyboard on it. */
export function goToFile(store: PageStore, direction: 1 | -1): void {
  if (store.grid) return goInGrid(store.grid, direction, 'files');
  step('main .file', direction, (file) => file.querySelector<HTMLElement>('.twistie, .name') ?? file);
}

/** Moves the keyboard through the parts of the card that has it. Returns false when it is on no such part. */
export function moveInCard(direction: 1 | -1): boolean {
  const active = document.activeElement;
  const card = active?.closest('article.card');
  if (!active || !card || !active.matches('h3, .twistie, button.name, .row.hunk input, .row.hunk button, summary'))
    return false;
  const parts = [...card.querySelectorAll<HTMLElement>('h3, .twistie, .row.hunk, summary')].filter((part) =>
    part.checkVisibility(),
  );
  const at = parts.findIndex(
    (part) => part === active || part.contains(active) || part.parentElement?.contains(active),
  );
  const next = parts[at + direction];
  if (!next) return true;
  focusOn(next.matches('.row.hunk') ? (next.querySelector<HTMLElement>('input, button') ?? next) : next);
  return true;
}

/** Brings up the next row of a kind, or the previous one, of a change of which not all rows are drawn. */
function goInGrid({ current, places, show }: ChangeGrid, direction: 1 | -1, kind: 'changes' | 'files'): void {
  const { order } = places;
  const { file, row } = current();
  const rank = (each: GridRow): number => order.indexOf(each.file) * 1e7 + (each.row ?? -1);
  const now = rank({ file, row });
  const all = places[kind];
  const next = direction > 0 ? all.find((each) => rank(each) > now) : all.findLast((each) => rank(each) < now);
  if (next) show(next);
}

function step(selector: string, direction: 1 | -1, target: (found: HTMLElement) => HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)].filter((found) => found.checkVisibility());
  const active = document.activeElement;
  const current = all.findIndex((found) => found.contains(active));
  const view = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
  const firstInView = all.findIndex((found) => found.getBoundingClientRect().bottom > view + 1);
  const from = current >= 0 ? current : direction > 0 ? firstInView - 1 : firstInView;
  const next = all[from + direction];
  if (next) focusOn(target(next), 'start');
}

function focusOn(target: HTMLElement, block: ScrollLogicalPosition = 'nearest'): void {
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.scrollIntoView({ block });
  target.focus({ preventScroll: true });
}
