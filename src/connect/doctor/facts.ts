import type { HttpListenerState } from '#base/httpListener.ts';
import type { WindowHealth } from '#home/windowHealth.ts';
import type { SeenAssistant } from '../seenAssistants.ts';

/** What the program that assistants start came to when it was asked for its version. */
export type LauncherState =
  | { readonly kind: 'works'; readonly version: string }
  | { readonly kind: 'missing' }
  /** `why`: its last words, or that it gave no answer. */
  | { readonly kind: 'fails'; readonly why: string };

/** Everything that Doctor judges by; nothing secret is in it. */
export interface DoctorFacts {
  /** This window's. */
  readonly windowId: string;
  readonly version: string;
  readonly server: 'stopped' | 'starting' | 'running' | 'failed';
  readonly endpoint: string | undefined;
  readonly start: 'whenConnected' | 'always' | 'manual';
  readonly hasFolder: boolean;
  /** By the editor, whatever assistants may do. */
  readonly isTrusted: boolean;
  /** Trusted by now, but assistants only read until the human enables edits. */
  readonly isHeld: boolean;
  /** Requests since the server started, without a token or with a wrong one. */
  readonly wrongTokens: number;
  /** Requests since the server started, which came over a forwarded port. */
  readonly forwarded: number;
  /** Name of the machine that the folder is on; undefined when it is the one that the human sits at. */
  readonly remoteMachine: string | undefined;
  /** All window files of this user, this window's included. */
  readonly windows: readonly WindowHealth[];
  readonly launcherPath: string;
  readonly launcher: LauncherState;
  readonly assistants: readonly SeenAssistant[];
  /** Something was connected by hand. */
  readonly hasSomethingElse: boolean;
  readonly tokens: { readonly count: number; readonly path: string; readonly problem: string | undefined };
  readonly httpListener: HttpListenerState;
  /** Names of variables that send requests to this very machine through a proxy. */
  readonly proxyVariables: readonly string[];
  /** The state folder, absolute, and why it cannot be written to. */
  readonly state: { readonly path: string; readonly problem: string | undefined };
  /** Why calls cannot be recorded, so that they are refused. */
  readonly recordProblem: string | undefined;
  /** The user's home folder. */
  readonly home: string;
}

const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Names of the variables by which programs ask a proxy for `http://127.0.0.1`; none when `NO_PROXY` leaves it out. */
export function proxyVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const exceptions = [environment['no_proxy'], environment['NO_PROXY']]
    .flatMap((value) => (value ?? '').split(/[\s,]+/))
    .filter(Boolean);
  if (exceptions.some(exceptsLoopback)) return [];
  return proxies.filter((name) => environment[name] !== undefined && environment[name] !== '');
}

/** `localhost` is a name of its own, and does not cover the address. */
function exceptsLoopback(exception: string): boolean {
  return /^(\*|127\.0\.0\.1(:\d+)?|127\.0\.0\.0\/8|127\.\*|127\.)$/.test(exception);
}
