import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { logLevels, type LogLevel } from '#base/toolError.ts';
import type { CallOrigin } from '#call/callTool.ts';
import type { Inbound } from '../inbound.ts';
import type { ResourceWatches } from '../resourceWatches.ts';
import { clientLog } from './clientLog.ts';
import type { SessionRoots } from './clientRoots.ts';

/** The state that a 2025-era session keeps between its requests. */
export interface SessionState {
  /** First 16 hex digits of the SHA-256 of the session id. */
  readonly hashedId: string;
  readonly roots: SessionRoots;
  /** The resources that the client subscribed to. */
  readonly watches: ResourceWatches;
  /** The resources whose changes the session's log reports. */
  readonly followed: ResourceWatches;
  /** The client's minimum level of `notifications/message`; undefined until the client sets it. */
  logLevel: LogLevel | undefined;
}

/** The client of one SDK Server, and its protocol era. */
export interface Peer {
  readonly era: '2025' | '2026';
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** The folder in which the client works, unless something else says that it means this window. */
  readonly worksIn: string | undefined;
  /** Absent in the 2026 era. */
  readonly session?: SessionState;
  /** Returns the negotiated revision, or undefined before the negotiation. */
  protocolVersion(): string | undefined;
  /** Returns the capabilities that the client declared. */
  capabilities(context: ServerContext): object;
  /** Called before each request; the returned function is called when the request has settled. */
  started(context: ServerContext): () => void;
}

/** Returns the sender and context of a request for the call room, without the client's roots and answers. */
export function callOriginOf(peer: Peer, context: ServerContext, inbound: Inbound | undefined): CallOrigin {
  const { mcpReq } = context;
  const log = logOf(peer, context);
  const progress = progressOf(context);
  return {
    principal: peer.principal,
    client: peer.client,
    ...(peer.worksIn !== undefined && { worksIn: peer.worksIn }),
    era: peer.era,
    protocolVersion: peer.protocolVersion(),
    requestId: String(mcpReq.id),
    ...(peer.session !== undefined && { sessionId: peer.session.hashedId }),
    ...(inbound?.remotePort !== undefined && { remotePort: inbound.remotePort }),
    signal: mcpReq.signal,
    ...(progress !== undefined && { progress }),
    ...(log !== undefined && { log }),
  };
}

/** Returns the log of a call. A session sets its level once; a 2026-era request carries its own. */
function logOf({ session }: Peer, context: ServerContext): CallOrigin['log'] {
  if (session !== undefined) return clientLog(context, () => session.logLevel);
  const level = logLevelOf(context);
  return level === undefined ? undefined : clientLog(context, () => level);
}

function progressOf({ mcpReq }: ServerContext): CallOrigin['progress'] {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    if (mcpReq.signal.aborted) return;
    const params = { progressToken, progress: ++progress, message };
    // The stream may have closed. The signal of the call reports that, where the revision requires it.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Returns the minimum level of `notifications/message` that a 2026-07-28 request asks for, or undefined for none. */
function logLevelOf(context: ServerContext): LogLevel | undefined {
  const value = valueOf(context, LOG_LEVEL_META_KEY);
  return logLevels.find((level) => level === value);
}

/** Returns the capabilities that the client of a 2026-07-28 request declares. */
export function declaredCapabilities(context: ServerContext): object {
  const declared = valueOf(context, CLIENT_CAPABILITIES_META_KEY);
  return typeof declared === 'object' && declared !== null ? declared : {};
}

/** Returns one value of the request's envelope, whose SDK type has no keys. */
function valueOf({ mcpReq }: ServerContext, key: string): unknown {
  return Object.entries<unknown>(mcpReq.envelope ?? {}).find(([each]) => each === key)?.[1];
}
