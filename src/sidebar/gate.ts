/** Says whether a decision may be taken now, and shows it on the buttons that take one. */
export interface Gate {
  /** @param needsEnd the button also waits until the end of the change has been on screen */
  guard(button: HTMLButtonElement, needsEnd: boolean): void;
  /**
   * Runs `decision` when it is allowed, and then nothing more until `settle`. An event must be a human's own: a script that
   * clicks for them is not heard (threat row A2).
   */
  take(event: Event | undefined, needsEnd: boolean, decision: () => void): void;
  setArmed(armed: boolean): void;
  endReached(): void;
  /** The decision did not count. */
  settle(): void;
}

/** @param tooEarly a human decided before the delay of the buttons was over */
export function createGate(hint: HTMLElement, mustReachEnd: boolean, tooEarly: () => void): Gate {
  const buttons = new Map<HTMLButtonElement, boolean>();
  let isArmed = false;
  let isBusy = false;
  let isEndReached = !mustReachEnd;
  const isOpen = (needsEnd: boolean): boolean => isArmed && !isBusy && (isEndReached || !needsEnd);
  const refresh = (): void => {
    // Not `disabled`: a button that cannot be focused is lost to the keyboard, and takes the focus with it.
    for (const [button, needsEnd] of buttons) button.setAttribute('aria-disabled', String(!isOpen(needsEnd)));
    hint.hidden = isEndReached;
  };
  return {
    guard(button, needsEnd) {
      buttons.set(button, needsEnd);
      refresh();
    },
    take(event, needsEnd, decision) {
      if (event && !event.isTrusted) return;
      if (!isArmed && !isBusy) tooEarly();
      if (!isOpen(needsEnd)) return;
      isBusy = true;
      refresh();
      decision();
    },
    setArmed(armed) {
      isArmed = armed;
      refresh();
    },
    endReached() {
      isEndReached = true;
      refresh();
    },
    settle() {
      isBusy = false;
      refresh();
    },
  };
}
