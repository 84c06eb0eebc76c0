/**
 * Limits a check for changes to once per turn of the event loop, since one search decides on thousands of paths.
 * @returns a function that runs the check unless it already ran in this turn
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
