/**
 * Remembers where the user was in a card that is about to be drawn anew: which of its controls had the keyboard, and how
 * far its changes were scrolled.
 * @returns puts them back in the new one
 */
export function rememberPlace(article: HTMLElement): (now: HTMLElement) => void {
  const control = nameOf(article, document.activeElement);
  const scrolled = regionsOf(article).map((region) => region.scrollTop);
  return (now) => {
    for (const [index, region] of regionsOf(now).entries()) region.scrollTop = scrolled[index] ?? 0;
    if (control === undefined) return;
    const same = [...now.querySelectorAll<HTMLElement>('[data-control]')].find((each) => nameOf(now, each) === control);
    same?.focus({ preventScroll: true });
  };
}

/** A control by its file and its own name; undefined for anything else. */
function nameOf(article: HTMLElement, control: Element | null): string | undefined {
  if (!(control instanceof HTMLElement) || !article.contains(control)) return undefined;
  const name = control.dataset['control'];
  const files = [...article.querySelectorAll('.file')];
  return name === undefined ? undefined : `${files.findIndex((file) => file.contains(control))} ${name}`;
}

function regionsOf(article: HTMLElement): HTMLElement[] {
  return [...article.querySelectorAll<HTMLElement>('.changes')];
}
