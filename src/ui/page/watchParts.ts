import type { PageMessage } from './fromPage.ts';

/** Milliseconds for which half of a part must be visible before it counts as seen. */
const seenTime = 300;

/** Tells the host which parts with a warning were before the eyes of the user: only in a page with the focus (threat row A39). */
export function watchParts(send: (message: PageMessage) => void): void {
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio } of entries) {
        clearTimeout(timers.get(target));
        if (intersectionRatio >= 0.5) timers.set(target, setTimeout(seen, seenTime, target));
      }
    },
    { threshold: 0.5 },
  );
  const seen = (element: HTMLElement): void => {
    const id = element.closest<HTMLElement>('article')?.dataset['approval'];
    if (id !== undefined && document.hasFocus()) send({ type: 'partSeen', id, part: Number(element.dataset['part']) });
  };
  /** Begins anew with the parts that are drawn now: what was on screen while the user was elsewhere does not count. */
  const restart = (): void => {
    timers.forEach(clearTimeout);
    timers.clear();
    observer.disconnect();
    for (const element of document.querySelectorAll('[data-part]')) observer.observe(element);
  };
  addEventListener('focus', restart);
  new MutationObserver(restart).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-part'],
  });
}
