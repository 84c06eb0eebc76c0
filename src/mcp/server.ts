import type { Clock } from '#base/clock.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { HttpListenerState } from '#base/httpListener.ts';
import type { NativeMoment } from '#base/nativeCommand.ts';
import type { UnknownTool } from '#base/nativeEdit.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { publishWindow, type WindowDescription } from '#home/publishedWindow.ts';
import { sweepWindowFiles } from '#home/windowFiles.ts';
import { credentialOf, FailureGuard, type Credential, type FailureLimits } from './auth.ts';
import type { BodyLimits } from './requestBody.ts';
import { Clients, type ConnectedClient } from './clients.ts';
import { SocketLimit, startListener, type ListenerOptions } from './listener.ts';
import type { AnswerHook } from './hook.ts';
import { HttpClientListener } from './httpClientListener.ts';
import { findPortHolder } from './portHolder.ts';
import type { Product } from './product.ts';
import { McpEndpoint } from './protocol/mcpEndpoint.ts';
import type { SessionEvent } from './protocol/sessionEra.ts';
import type { SessionLimits } from './sessions.ts';

export interface ServerOptions {
  readonly product: Product;
  readonly clock: Clock;
  /** This window's secret from `makeSecret`, new at each start. */
  readonly token: string;
  /** The state folder of this user, absolute. */
  readonly drawbridgeHome: string;
  /** Read when the server starts and at each `updateWindow`. */
  readonly window: () => WindowDescription;
  /** Returns the accepted named tokens. Read at each request, so that a revoked token is refused at once. */
  readonly namedTokens: () => readonly Credential[];
  /** Called when a request came with this named token. */
  readonly onNamedTokenUsed: (name: string) => void;
  readonly onSession: (session: SessionEvent) => void;
  /** Answers the hook programs of assistants. */
  readonly answerHook: AnswerHook;
  /** Called when a hook program reports a tool of an assistant that it does not know. */
  readonly onUnknownTool?: (tool: UnknownTool) => void;
  /** Called when a hook program reports the beginning or end of a session or turn of an assistant. */
  readonly onMoment?: (moment: NativeMoment) => void;
  /** Returns whether an approval of the principal waits for the user, so that its session must not end meanwhile. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** Returns the port of the listener for HTTP clients, chosen at the first call; undefined for none. */
  readonly httpPort: () => Promise<number | undefined>;
  /** Called when a request had no credential or a wrong one. */
  readonly onAuthenticationFailure: () => void;
  /** Called when a request was refused because it came through a forwarded port or a proxy (threat row H15). */
  readonly onForwarded: () => void;
  /** Called with an unexpected error, for the log. No client is told. */
  readonly onError: (error: unknown) => void;
  readonly limits?: {
    readonly failures?: FailureLimits;
    readonly sessions?: SessionLimits;
    readonly body?: BodyLimits;
    readonly sockets?: number;
    readonly headersMilliseconds?: number;
    /** Items per page of the lists held in memory. */
    readonly pageSize?: number;
    /** Time that calls wait for a client's answer to `roots/list`. */
    readonly rootsMilliseconds?: number;
  };
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly endpoint: string;
  readonly token: string;
  readonly windowFile: string;
  clients(): readonly ConnectedClient[];
  /** Returns the number of open 2025-era sessions. */
  sessionCount(): number;
  /** Returns the state of the listener that accepts named tokens only. */
  httpListener(): HttpListenerState;
  /** Returns the number of refused requests since the server started, by reason. */
  refused(): { readonly forwarded: number; readonly credentials: number };
  /** Fires when a client connects or disconnects, or the state of the listener for HTTP clients changes. */
  readonly onDidChange: Event<void>;
  /** Ends the calls, streams and sessions of a revoked named token. */
  closeCredential(name: string): Promise<void>;
  /** Ends the calls, streams and sessions of an assistant that the user disconnected. It may connect again. */
  closePrincipal(principal: Principal): Promise<void>;
  /** Opens or closes the listener for HTTP clients after named tokens were made or revoked. */
  updateHttpListener(): Promise<void>;
  /** Tries again to open the listener for HTTP clients. */
  retryHttpListener(): Promise<void>;
  /** Writes the window file anew after a change of folders, their names, trust or focus. */
  updateWindow(): Promise<void>;
  /** Removes the window file, ends calls, streams and sessions, cuts connections. */
  stop(): Promise<void>;
}

/** Starts this window's MCP server, and publishes its endpoint in the window file for this user's programs. */
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
  const { answerHook, onUnknownTool, onMoment } = options;
  const hooks = { answerHook, onUnknownTool, onMoment };
  const listener = await startListener({ ...shared, ...hooks, credentials: () => [own, ...namedTokens()] });
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

/** Returns the options that both listeners share, since limits hold for the window, not for each listener (threat row H8). */
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
