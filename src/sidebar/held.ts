/**
 * Cards that ended, but not by the human who is at the page right now: they keep their place, so that nothing moves under
 * the pointer (threat row A17), but only for a moment: an ended card must not hide those that still wait.
 */
export interface Held {
  has(id: string): boolean;
  /** Does nothing for a card that was released before. */
  hold(id: string): void;
  /** Lets all of them go. */
  release(): void;
}

/** Milliseconds. */
const longest = 10_000;

export function createHeld(released: (ids: readonly string[]) => void): Held {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const gone = new Set<string>();
  const letGo = (ids: readonly string[]): void => {
    for (const id of ids) {
      clearTimeout(timers.get(id));
      timers.delete(id);
      gone.add(id);
    }
    if (ids.length > 0) released(ids);
  };
  return {
    has: (id) => timers.has(id),
    hold(id) {
      if (timers.has(id) || gone.has(id)) return;
      timers.set(
        id,
        setTimeout(() => letGo([id]), longest),
      );
    },
    release: () => letGo([...timers.keys()]),
  };
}
