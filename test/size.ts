/** True under DRAWBRIDGE_FULL=1, which `npm run nightly` sets. */
const isFull = process.env['DRAWBRIDGE_FULL'] === '1';

/** True in `npm test`: it skips a test whose promise other tests hold too, and which `npm run nightly` runs. */
export const isNightlyOnly = !isFull;

/**
 * The size of a test that is proved in full only by `npm run nightly`. Elsewhere the quick size proves that the same parts
 * work together: with the same generator and the same assertions.
 */
export function size<T>({ quick, full }: { readonly quick: T; readonly full: T }): T {
  return isFull ? full : quick;
}
