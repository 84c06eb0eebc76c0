/** The identity of a caller, on which permission depends. */
export interface Principal {
  /** `window` for the window's own secret, otherwise the name of an access token. */
  readonly credential: string;
  /** SHA-256 of the connection's own secret, or the id of a 2025-era session; absent when the caller shares its credential. */
  readonly connectionId?: string;
}

/** The name and version that the assistant gives itself. They are for display and result profiles, never for permission. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Returns whether a caller can be recognized in the next run of the window: it has a connection secret of its own. */
export function outlivesWindow({ connectionId }: Principal): boolean {
  return connectionId !== undefined && !connectionId.startsWith('session:');
}

/** Returns the key of a principal for limits, de-duplication and session rules. */
export function principalKey(principal: Principal): string {
  return JSON.stringify([principal.credential, principal.connectionId ?? null]);
}
