/** Who is calling, as far as permission goes. */
export interface Principal {
  /** `window` for the window's own secret, otherwise the name of a token. */
  readonly credential: string;
  /** SHA-256 of the connection's own secret, or the id of a 2025-era session; absent when the caller shares its credential. */
  readonly connectionId?: string;
}

/** What the caller says it is. For display and result profiles, never for permission. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** The key of limits, de-duplication and session rules. */
export function principalKey(principal: Principal): string {
  return JSON.stringify([principal.credential, principal.connectionId ?? null]);
}
