import { constants } from 'node:fs';

/**
 * Another program may replace a file between the look at its path and the opening of it. With these flags, opening fails for a link,
 * and does not wait for the other end of a named pipe. Windows has neither flag.
 */
const carefully = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The flags that open a file for reading. */
export const readFlags = constants.O_RDONLY | carefully;
/** The flags that open a file for reading, also through a link. */
export const readThroughLinkFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** The flags that open a file for appending, and create it when it is missing. */
export const appendFlags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | carefully;
