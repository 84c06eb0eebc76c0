/** The keyboard is in this element. */
export function hasKeyboard(part: HTMLElement): boolean {
  return document.hasFocus() && part.contains(document.activeElement);
}

/** Pointer or keyboard are in this element. */
export function isOccupied(part: HTMLElement): boolean {
  return part.matches(':hover') || hasKeyboard(part);
}
