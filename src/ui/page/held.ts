/**
 * Cards that ended, but not by the user who is at the page right now: they keep their place, so that nothing moves under
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
  const held = new Set<string>();
  const gone = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...held];
    held.clear();
    for (const id of ids) gone.add(id);
    if (ids.length > 0) released(ids);
  };
  return {
    has: (id) => held.has(id),
    hold(id) {
      if (held.has(id) || gone.has(id)) return;
      held.add(id);
      // All go with the first: were they to go one by one, what waits below would move, and be disarmed, again and again.
      timer ??= setTimeout(release, longest);
    },
    release,
  };
}
