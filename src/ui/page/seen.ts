import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/**
 * Calls back each time when an element comes on screen. An element that is clipped does not count: this is what was really before
 * the eyes of the user.
 * @param key the element is watched anew when it changes
 */
export function useSeen<Watched extends Element>(
  key: unknown,
  seen: () => void,
  options: { readonly rootMargin?: string; readonly threshold?: number } = {},
): RefObject<Watched> {
  const ref = useRef<Watched>(null);
  const latest = useRef(seen);
  latest.current = seen;
  const { rootMargin, threshold } = options;
  useEffect(() => {
    const target = ref.current;
    if (!target) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting) && document.visibilityState === 'visible') latest.current();
      },
      {
        ...(rootMargin !== undefined && { rootMargin, root: document.querySelector('main') }),
        ...(threshold !== undefined && { threshold }),
      },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [key, rootMargin, threshold]);
  return ref;
}
