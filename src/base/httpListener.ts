/**
 * The listener for programs that speak HTTP themselves: it accepts access tokens only, its port stays the same for the
 * workspace, and it is there only while there is a token (docs/connecting.md).
 */
export type HttpListenerState =
  /** There is no access token, or the server is starting. */
  | { readonly kind: 'closed' }
  /** A window without a folder has no port that stays. */
  | { readonly kind: 'noFolder' }
  /** `endpoint` is `http://127.0.0.1:<port>/mcp`. */
  | { readonly kind: 'open'; readonly endpoint: string }
  /** Somebody else has the port, so it stays closed (threat row H14). */
  | { readonly kind: 'busy'; readonly port: number; readonly holder: PortHolder }
  /** There is no port to be had, for the reason that `message` tells. */
  | { readonly kind: 'failed'; readonly message: string };

export type PortHolder =
  /** Another window of this user; `name` is what it calls its workspace. */
  | { readonly kind: 'window'; readonly name: string }
  /** The name is the program's own claim. */
  | { readonly kind: 'program'; readonly name: string; readonly pid: number }
  | { readonly kind: 'unknown' };
