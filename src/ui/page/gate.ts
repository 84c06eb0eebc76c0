/** Says whether a decision may be taken now, and shows it on the buttons that take one. */
export interface Gate {
  /** @param approves the button also waits until the end of the change has been on screen, something is selected and confirmed */
  guard(button: HTMLButtonElement, approves: boolean): void;
  /**
   * Runs `decision` when it is allowed, and then nothing more until `settle`. An event must be a user's own: a script that
   * clicks for them is not heard (threat row A2).
   */
  take(event: Event | undefined, approves: boolean, decision: () => void): void;
  setArmed(armed: boolean): void;
  endReached(): void;
  /** Nothing is selected that could be approved. */
  setEmpty(isEmpty: boolean): void;
  /** The number that Approve waits for was typed, or is not there any more. */
  setConfirmed(isConfirmed: boolean): void;
  /** The decision did not count. */
  settle(): void;
}

/** @param tooEarly a user decided before the delay of the buttons was over */
export function createGate(hint: HTMLElement, mustReachEnd: boolean, tooEarly: () => void): Gate {
  const buttons = new Map<HTMLButtonElement, boolean>();
  let isArmed = false;
  let isBusy = false;
  let isEmpty = false;
  let isConfirmed = true;
  let isEndReached = !mustReachEnd;
  const mayApprove = (): boolean => isEndReached && !isEmpty && isConfirmed;
  const isOpen = (approves: boolean): boolean => isArmed && !isBusy && (!approves || mayApprove());
  const refresh = (): void => {
    // Not `disabled`: a button that cannot be focused is lost to the keyboard, and takes the focus with it.
    for (const [button, approves] of buttons) button.setAttribute('aria-disabled', String(!isOpen(approves)));
    hint.hidden = isEndReached;
  };
  return {
    guard(button, approves) {
      buttons.set(button, approves);
      refresh();
    },
    take(event, approves, decision) {
      if (event && !event.isTrusted) return;
      if (!isArmed && !isBusy) tooEarly();
      if (!isOpen(approves)) return;
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
    setConfirmed(confirmed) {
      isConfirmed = confirmed;
      refresh();
    },
    setEmpty(empty) {
      isEmpty = empty;
      refresh();
    },
    settle() {
      isBusy = false;
      refresh();
    },
  };
}
