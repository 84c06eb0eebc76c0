/**
 * A decision is a trusted click that began on the same button, when the page showed the same thing. Between the press and the
 * click the state may be replaced, and the click would then count for something that the user did not see (threat row A17).
 */
interface Press {
  readonly target: EventTarget | null;
  readonly token: string;
}

let press: Press | undefined;

/** Attributes of a button that decides. */
export interface DecidingProps {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
}

/**
 * Makes a button that decides.
 * @param token names all that the decision depends on: what is shown, its hash and its display
 * @param decide runs for a click of the user that began with the same token
 */
export function deciding(token: string, decide: () => void): DecidingProps {
  const begin = (event: Event): void => {
    if (event.isTrusted) press = { target: event.currentTarget, token };
  };
  return {
    onPointerDown: begin,
    onKeyDown(event) {
      if (event.key === 'Enter' || event.key === ' ') begin(event);
    },
    onClick(event) {
      const begun = press;
      press = undefined;
      if (!event.isTrusted) return;
      // Assistive technology clicks without a press: there is no time between the two.
      const isAlone = event.detail === 0 && begun === undefined;
      if (isAlone || (begun?.target === event.currentTarget && begun.token === token)) decide();
    },
  };
}
