/**
 * The state of the listener for programs that speak HTTP themselves. The listener accepts access tokens only, keeps its port
 * for the workspace, and is open only while an access token exists (docs/connecting.md).
 */
export type HttpListenerState =
  /** There is no access token, or the server is starting. */
  | { readonly kind: 'closed' }
  /** The window has no folder, and so no port to keep. */
  | { readonly kind: 'noFolder' }
  /** `endpoint` is `http://127.0.0.1:<port>/mcp`. */
  | { readonly kind: 'open'; readonly endpoint: string }
  /** Another program holds the port, so the listener stays closed (threat row H14). */
  | { readonly kind: 'busy'; readonly port: number; readonly holder: PortHolder }
  /** The listener could not be opened; `message` gives the reason. */
  | { readonly kind: 'failed'; readonly message: string };

/** The program that holds the port. */
export type PortHolder =
  /** Another window of this user; `name` is the name of its workspace. */
  | { readonly kind: 'window'; readonly name: string }
  /** Another program, under the name that the program gives itself. */
  | { readonly kind: 'program'; readonly name: string; readonly pid: number }
  | { readonly kind: 'unknown' };
