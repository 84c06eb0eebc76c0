import type { Clock } from '../ports/clock.ts';
import type { Event } from '../ports/event.ts';
import { credentialOf, FailureGuard, type Credential, type FailureLimits } from './auth.ts';
import type { BodyLimits } from './body.ts';
import { Clients, type ConnectedClient } from './clients.ts';
import { startListener, type Listener } from './http.ts';
import { Mcp, type Product, type SessionEvent } from './mcp.ts';
import type { SessionLimits } from './sessions.ts';
import { hostIdentity, removeWindowFile, sweepWindowFiles, writeWindowFile, type WindowRecord } from './windows.ts';

/** The part of the window file that the editor knows. */
export type WindowDescription = Pick<
  WindowRecord,
  'windowId' | 'folders' | 'workspaceName' | 'trusted' | 'extensionVersion' | 'editor'
>;

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
  /** Somebody presented no credential or a wrong one. */
  readonly onAuthenticationFailure: () => void;
  /** A bug of ours, for the log; no client hears of it. */
  readonly onError: (error: unknown) => void;
  readonly limits?: {
    readonly failures?: FailureLimits;
    readonly sessions?: SessionLimits;
    readonly body?: BodyLimits;
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
  /** A client came or went. */
  readonly onDidChange: Event<void>;
  /** A named token was revoked: ends its calls, streams and sessions. */
  closeCredential(name: string): Promise<void>;
  /** Folders, their names or trust changed: writes the window file anew. */
  updateWindow(): Promise<void>;
  /** Removes the window file, ends calls, streams and sessions, cuts connections. */
  stop(): Promise<void>;
}

/** Opens this window's endpoint and tells this user's programs where it is. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, onError, onAuthenticationFailure, limits, token } = options;
  const own = credentialOf('window', token);
  const clients = new Clients(clock);
  const mcp = new Mcp({
    product: options.product,
    clock,
    clients,
    onError,
    onSession: options.onSession,
    ...(limits?.sessions === undefined ? {} : { sessionLimits: limits.sessions }),
  });
  const listener = await startListener({
    credentials: () => [own, ...options.namedTokens()],
    guard: new FailureGuard(clock, limits?.failures),
    serve: (exchange) => mcp.serve(exchange),
    onAuthenticationFailure,
    onAuthenticated(credential) {
      if (credential !== own) options.onNamedTokenUsed(credential.name);
    },
    onError,
    ...(limits?.body === undefined ? {} : { bodyLimits: limits.body }),
  });
  const shutDown = async (): Promise<void> => {
    await mcp.stop();
    clients.clear();
    await listener.stop();
  };
  try {
    const file = await publishWindow(options, listener, token);
    sweepWindowFiles(options.drawbridgeHome).catch(onError);
    return {
      endpoint: listener.endpoint,
      token,
      windowFile: file.path,
      clients: () => clients.list(),
      sessionCount: () => mcp.sessionCount,
      onDidChange: clients.onDidChange,
      closeCredential: (name) => mcp.closeCredential(name),
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

interface PublishedWindow {
  readonly path: string;
  update(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes go one after the other, and none after the removal. */
async function publishWindow(options: ServerOptions, listener: Listener, token: string): Promise<PublishedWindow> {
  const identity = await hostIdentity();
  const startedAt = options.clock.now();
  const { windowId } = options.window();
  let removed = false;
  const write = (): Promise<string> =>
    writeWindowFile(options.drawbridgeHome, {
      version: 1,
      ...options.window(),
      ...identity,
      windowId,
      endpoint: listener.endpoint,
      token,
      pid: process.pid,
      startedAt,
    });
  let described: string;
  let path: string;
  // Nobody can ask for an update before the server is there: what changed while the file was written goes into another one.
  do {
    described = JSON.stringify(options.window());
    path = await write();
  } while (described !== JSON.stringify(options.window()));
  let last: Promise<unknown> = Promise.resolve();
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    path,
    update: () => queue(async () => void (removed || (await write()))),
    remove() {
      removed = true;
      return queue(() => removeWindowFile(options.drawbridgeHome, windowId, token));
    },
  };
}
