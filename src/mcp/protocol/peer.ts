import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { logLevels, type LogLevel } from '#base/toolError.ts';
import type { Asking } from '#call/callTool.ts';
import type { Inbound } from '../inbound.ts';
import type { ResourceWatches } from '../resourceWatches.ts';
import { clientLog } from './clientLog.ts';
import type { SessionRoots } from './clientRoots.ts';

/** What a 2025-era session keeps between its requests. */
export interface SessionState {
  /** First 16 hex digits of the SHA-256 of its id. */
  readonly hashedId: string;
  readonly roots: SessionRoots;
  /** What it subscribed to. */
  readonly watches: ResourceWatches;
  /** What its log tells the changes of. */
  readonly followed: ResourceWatches;
  /** The least level of `notifications/message` that the client wants; undefined until it says so. */
  logLevel: LogLevel | undefined;
}

/** One client's side of a Server: who it is and how it speaks. */
export interface Peer {
  readonly era: '2025' | '2026';
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** Absent in the 2026 era. */
  readonly session?: SessionState;
  /** The negotiated revision; undefined before there is one. */
  protocolVersion(): string | undefined;
  /** What the client declared that it can do. */
  capabilities(context: ServerContext): object;
  /** Called around each request; the returned function when it has settled. */
  started(context: ServerContext): () => void;
}

/** A request as core wants it, but for the client's roots and answers. */
export function askingOf(peer: Peer, context: ServerContext, inbound: Inbound | undefined): Asking {
  const { mcpReq } = context;
  const log = logOf(peer, context);
  const progress = progressOf(context);
  return {
    principal: peer.principal,
    client: peer.client,
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

/** A session sets a level once; the 2026 era says it with each request. */
function logOf({ session }: Peer, context: ServerContext): Asking['log'] {
  if (session !== undefined) return clientLog(context, () => session.logLevel);
  const level = logLevelOf(context);
  return level === undefined ? undefined : clientLog(context, () => level);
}

function progressOf({ mcpReq }: ServerContext): Asking['progress'] {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    if (mcpReq.signal.aborted) return;
    const params = { progressToken, progress: ++progress, message };
    // The stream may be gone; the call itself is told so by its signal, where the revision wants that.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** The least level of `notifications/message` that a 2026-07-28 request asks for; undefined when it asks for none. */
function logLevelOf(context: ServerContext): LogLevel | undefined {
  const asked = valueOf(context, LOG_LEVEL_META_KEY);
  return logLevels.find((level) => level === asked);
}

/** The capabilities that the client of a 2026-07-28 request declares. */
export function declaredCapabilities(context: ServerContext): object {
  const declared = valueOf(context, CLIENT_CAPABILITIES_META_KEY);
  return typeof declared === 'object' && declared !== null ? declared : {};
}

/** The SDK's type of the envelope knows none of its keys. */
function valueOf({ mcpReq }: ServerContext, key: string): unknown {
  return Object.entries<unknown>(mcpReq.envelope ?? {}).find(([each]) => each === key)?.[1];
}
