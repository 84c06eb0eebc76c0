/** The way through a change: from hunk to hunk, and from file to file. */

/** Brings up the next hunk or the previous one, and puts the keyboard on it. */
export function goToChange(direction: 1 | -1): void {
  step('main .row.hunk', direction, (row) => row.querySelector<HTMLElement>('input, button') ?? row);
}

/** Brings up the next file or the previous one, and puts the keyboard on it. */
export function goToFile(direction: 1 | -1): void {
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
