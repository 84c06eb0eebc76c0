import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PageStore } from './store.ts';

/**
 * Tells the host when a line comes on screen or moves, for its buttons work only half a second later (threat row A17).
 * @param key names the display: the id of an approval, or `group` and the id of a group
 * @param display tells the host
 */
export function useDisplayed(store: PageStore, key: string, isDecidable: boolean, display: () => void) {
  const line = useRef<HTMLDivElement>(null);
  const place = useRef<number | undefined>(undefined);
  const isVisible = useRef(false);
  const placeNow = (): number => {
    const top = line.current?.getBoundingClientRect().top ?? 0;
    return Math.round(top + (document.querySelector('main')?.scrollTop ?? 0));
  };
  const check = (): void => {
    if (!isDecidable || !isVisible.current || document.visibilityState !== 'visible') return;
    const now = placeNow();
    if (place.current !== undefined && Math.abs(now - place.current) <= 1 && store.displayOf(key) !== undefined) return;
    place.current = now;
    display();
  };
  useLayoutEffect(check);
  useEffect(() => {
    const target = line.current;
    if (!target || !isDecidable) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        isVisible.current = entries.at(-1)?.isIntersecting === true;
        if (!isVisible.current) {
          place.current = undefined;
          store.undisplay(key);
        }
        check();
      },
      { threshold: 0.9 },
    );
    observer.observe(target);
    return () => {
      observer.disconnect();
      store.undisplay(key);
    };
  }, [key, isDecidable]);
  return line;
}
