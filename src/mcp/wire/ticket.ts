/**
 * The field of a result's `_meta` that is present when a call ends with `pending_approval` only because the window closes or reloads.
 * It has the id of the approval and the milliseconds that the call would have gone on waiting. The bridge waits on for the client.
 */
export const ticketKey = 'drawbridge/ticket';
