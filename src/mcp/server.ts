import type { Clock } from '#base/clock.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { HttpListenerState } from '#base/httpListener.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { publishWindow, type WindowDescription } from '#home/publishedWindow.ts';
import { sweepWindowFiles } from '#home/windows.ts';
import { credentialOf, FailureGuard, type Credential, type FailureLimits } from './auth.ts';
import type { BodyLimits } from './requestBody.ts';
import { Clients, type ConnectedClient } from './clients.ts';
import { SocketLimit, startListener, type ListenerOptions } from './listener.ts';
import { HttpClientListener } from './httpClientListener.ts';
import { findPortHolder } from './portHolder.ts';
import type { Product } from './product.ts';
import { McpEndpoint } from './protocol/mcpEndpoint.ts';
import type { SessionEvent } from './protocol/sessionEra.ts';
import type { SessionLimits } from './sessions.ts';

export interface ServerOptions {
  readonly product: Product;
  readonly clock: Clock;
  /** This window's secret, from `makeSecret`; a new one at each start. */
  readonly token: string;
  /** The state folder of this user, absolute. */
  readonly drawbridgeHome: string;
  /** Read when the server starts and at each `updateWindow`. */
  readonly window: () => WindowDescription;
  /** The named tokens that are accepted; read at each request, so that one that is revoked is refused at once. */
  readonly namedTokens: () => readonly Credential[];
  /** A request came with this named token. */
  readonly onNamedTokenUsed: (name: string) => void;
  readonly onSession: (session: SessionEvent) => void;
  /** Whether something that a principal asked for is with the human, so that its session must not end meanwhile. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** The port of the listener for HTTP clients, chosen when it is first asked for; undefined for none. */
  readonly httpPort: () => Promise<number | undefined>;
  /** Somebody presented no credential or a wrong one. */
  readonly onAuthenticationFailure: () => void;
  /** A request came through a forwarded port or a proxy, and was refused (threat row H15). */
  readonly onForwarded: () => void;
  /** A bug of ours, for the log; no client hears of it. */
  readonly onError: (error: unknown) => void;
  readonly limits?: {
    readonly failures?: FailureLimits;
    readonly sessions?: SessionLimits;
    readonly body?: BodyLimits;
    readonly sockets?: number;
    readonly headersMilliseconds?: number;
    /** Items of a page of the lists that are whole in memory. */
    readonly pageSize?: number;
    /** How long calls wait for a client to tell its roots. */
    readonly rootsMilliseconds?: number;
  };
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly endpoint: string;
  readonly token: string;
  readonly windowFile: string;
  clients(): readonly ConnectedClient[];
  /** Open 2025-era sessions. */
  sessionCount(): number;
  /** The listener that accepts named tokens only. */
  httpListener(): HttpListenerState;
  /** Requests that were refused since the server started, by reason. */
  refused(): { readonly forwarded: number; readonly credentials: number };
  /** A client came or went, or the state of the listener for HTTP clients is another one. */
  readonly onDidChange: Event<void>;
  /** A named token was revoked: ends its calls, streams and sessions. */
  closeCredential(name: string): Promise<void>;
  /** The human sent an assistant away: ends its calls, streams and sessions. It is let in again when it comes back. */
  closePrincipal(principal: Principal): Promise<void>;
  /** Named tokens were made or revoked: opens or closes the listener for HTTP clients. */
  updateHttpListener(): Promise<void>;
  /** Tries again to open it. */
  retryHttpListener(): Promise<void>;
  /** Folders, their names, trust or focus changed: writes the window file anew. */
  updateWindow(): Promise<void>;
  /** Removes the window file, ends calls, streams and sessions, cuts connections. */
  stop(): Promise<void>;
}

/** Opens this window's endpoint and tells this user's programs where it is. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, limits, onError, token, drawbridgeHome, window, namedTokens } = options;
  const own = credentialOf('window', token);
  const clients = new Clients(clock);
  const mcp = new McpEndpoint({
    product: options.product,
    clock,
    clients,
    onError,
    onSession: options.onSession,
    isAwaited: options.isAwaited,
    ...(limits?.sessions === undefined ? {} : { sessionLimits: limits.sessions }),
    ...(limits?.pageSize === undefined ? {} : { pageSize: limits.pageSize }),
    ...(limits?.rootsMilliseconds === undefined ? {} : { rootsMilliseconds: limits.rootsMilliseconds }),
  });
  const refused = { forwarded: 0, credentials: 0 };
  const shared = sharedByListeners(options, own, mcp, refused);
  const listener = await startListener({ ...shared, credentials: () => [own, ...namedTokens()] });
  const http = new HttpClientListener({
    isWanted: () => namedTokens().length > 0,
    port: options.httpPort,
    listen: (port) => startListener({ ...shared, port, credentials: namedTokens }),
    findHolder: (port) => findPortHolder(port, drawbridgeHome, window().windowId),
  });
  const changed = new Emitter<void>();
  clients.onDidChange(() => changed.fire());
  const shutDown = async (): Promise<void> => {
    await mcp.stop();
    clients.clear();
    await Promise.all([listener.stop(), http.stop()]);
  };
  try {
    const file = await publishWindow(options, {
      endpoint: listener.endpoint,
      httpEndpoint: () => endpointOf(http.state),
    });
    http.onDidChange(() => {
      file.update().catch(onError);
      changed.fire();
    });
    http.update().catch(onError);
    sweepWindowFiles(drawbridgeHome).catch(onError);
    return {
      endpoint: listener.endpoint,
      token,
      windowFile: file.path,
      clients: () => clients.list(),
      sessionCount: () => mcp.sessionCount,
      httpListener: () => http.state,
      refused: () => ({ ...refused }),
      onDidChange: changed.event,
      closeCredential: (name) => mcp.closeOf(({ credential }) => credential === name),
      closePrincipal(principal) {
        const key = principalKey(principal);
        return mcp.closeOf((other) => principalKey(other) === key);
      },
      updateHttpListener: () => http.update(),
      retryHttpListener: () => http.retry(),
      updateWindow: () => file.update(),
      async stop() {
        await file.remove();
        await shutDown();
      },
    };
  } catch (error) {
    await shutDown();
    throw error;
  }
}

/** Limits are for the window, not for each of its listeners (threat row H8). */
function sharedByListeners(
  options: ServerOptions,
  own: Credential,
  mcp: McpEndpoint,
  refused: { forwarded: number; credentials: number },
): Omit<ListenerOptions, 'credentials'> {
  const { clock, limits, onAuthenticationFailure, onForwarded, onNamedTokenUsed, onError } = options;
  return {
    guard: new FailureGuard(clock, limits?.failures),
    sockets: new SocketLimit(limits?.sockets),
    serve: (exchange) => mcp.serve(exchange),
    onAuthenticationFailure() {
      refused.credentials += 1;
      onAuthenticationFailure();
    },
    onForwarded() {
      refused.forwarded += 1;
      onForwarded();
    },
    onAuthenticated(credential) {
      if (credential !== own) onNamedTokenUsed(credential.name);
    },
    onError,
    ...(limits?.body === undefined ? {} : { bodyLimits: limits.body }),
    ...(limits?.headersMilliseconds === undefined ? {} : { headersMilliseconds: limits.headersMilliseconds }),
  };
}

function endpointOf(state: HttpListenerState): string | undefined {
  return state.kind === 'open' ? state.endpoint : undefined;
}
