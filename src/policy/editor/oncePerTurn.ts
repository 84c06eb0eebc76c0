/**
 * A look at something that may have changed, at most once in a turn of the event loop: one search judges thousands of paths.
 * @returns a function that looks unless this turn has
 */
export function oncePerTurn(look: () => void): () => void {
  let hasLooked = false;
  return () => {
    if (hasLooked) return;
    hasLooked = true;
    setImmediate(() => (hasLooked = false));
    look();
  };
}
