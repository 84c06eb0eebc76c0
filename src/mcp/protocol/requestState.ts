import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';

/** What the server remembers of a call while the client answers its questions; the client carries it, sealed. */
export interface RequestState {
  /** A tool's or prompt's own. */
  readonly state?: string;
  /** The question was the server's own, for the client's roots. */
  readonly askedForRoots?: true;
}

/** A client may show a question to its user, who may be at lunch. */
const lifetimeSeconds = 60 * 60;

/**
 * Seals states with a key of this process, so that a call gets back only what it gave (MCP 2026-07-28, "Multi round-trip
 * requests").
 * @param bind tells whose call it is, and of what; a state is worth nothing in another call
 */
export function requestStates(bind: (context: ServerContext) => string): RequestStateCodec<RequestState> {
  return createRequestStateCodec<RequestState>({ key: randomBytes(32), ttlSeconds: lifetimeSeconds, bind });
}
