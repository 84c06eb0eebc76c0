import type { HttpListenerState } from '#base/httpListener.ts';
import type { WindowHealth } from '#home/windowHealth.ts';
import type { DisabledHooks } from '../hooks/hooksDisabledBy.ts';
import type { HookTrust } from '../hookTrust.ts';
import type { Namesake } from '../namesakes.ts';
import type { SeenAssistant } from '../seenAssistants.ts';

/** The result of starting the launcher, which assistants start, and asking for its version. */
export type LauncherState =
  | { readonly kind: 'works'; readonly version: string }
  | { readonly kind: 'missing' }
  /** `why`: the error output of the program, or that it gave no answer. */
  | { readonly kind: 'fails'; readonly why: string };

/** The result of starting the hook program, which assistants run before their own edits. */
export type HookState = { readonly kind: 'works' } | Exclude<LauncherState, { readonly kind: 'works' }>;

/** Everything that Doctor judges by. Holds no secret. */
export interface DoctorFacts {
  /** The id of this window. */
  readonly windowId: string;
  readonly version: string;
  readonly server: 'stopped' | 'starting' | 'running' | 'failed';
  readonly endpoint: string | undefined;
  readonly start: 'whenConnected' | 'always' | 'manual';
  readonly hasFolder: boolean;
  /** Whether the editor trusts the workspace; `isHeld` may still keep assistants from editing. */
  readonly isTrusted: boolean;
  /** The workspace is trusted now, but assistants can only read until the user enables edits. */
  readonly isHeld: boolean;
  /** The number of requests without a valid token since the server started. */
  readonly wrongTokens: number;
  /** The number of requests over a forwarded port since the server started. */
  readonly forwarded: number;
  /** The name of the remote machine that holds the folder; undefined when the folder is on the user's own machine. */
  readonly remoteMachine: string | undefined;
  /** The state of all window files of this user, this window's included. */
  readonly windows: readonly WindowHealth[];
  readonly launcherPath: string;
  readonly launcher: LauncherState;
  /** The result of starting the hook program by the launcher. */
  readonly hook: HookState;
  /** The settings files that switch hooks off in this window. The key is the id of the assistant. */
  readonly hooksDisabledBy: ReadonlyMap<string, DisabledHooks>;
  /** The trust in our hooks of each assistant that runs trusted hooks only. The key is the id of the assistant. */
  readonly hookTrust: ReadonlyMap<string, HookTrust>;
  /** The end of the time for which the user switched the guard off, in milliseconds since the epoch; undefined while it is on. */
  readonly guardsOffUntil: number | undefined;
  /** Servers of our name in the folders of this window that start another program. */
  readonly namesakes: readonly Namesake[];
  /** The times of the last own edit of each assistant in this window, in milliseconds since the epoch. The key is its name. */
  readonly nativeEdits: ReadonlyMap<string, number>;
  /** The times when the programs of assistants were installed or updated, in milliseconds since the epoch. The key is the id. */
  readonly programChanges: ReadonlyMap<string, number>;
  /** True when the editor has an agent that finds Drawbridge by itself. */
  readonly editorHasAgent: boolean;
  readonly assistants: readonly SeenAssistant[];
  /** When each assistant last called a window of this user, in milliseconds since the epoch. The key is its id. */
  readonly lastSeen: ReadonlyMap<string, number>;
  /** True when the user set a program up by hand, with "Something Else". */
  readonly hasSomethingElse: boolean;
  readonly tokens: { readonly count: number; readonly path: string; readonly problem: string | undefined };
  readonly httpListener: HttpListenerState;
  /** Names of environment variables that send requests to this machine through a proxy. */
  readonly proxyVariables: readonly string[];
  /** The absolute path of the state folder, and why it cannot be written to. */
  readonly state: { readonly path: string; readonly problem: string | undefined };
  /** Why tool calls cannot be recorded; they are refused then. */
  readonly recordProblem: string | undefined;
  /** The user's home folder. */
  readonly home: string;
}

const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Returns the environment variables that send `http://127.0.0.1` to a proxy; none when `NO_PROXY` excludes it. */
export function proxyVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const exceptions = [environment['no_proxy'], environment['NO_PROXY']]
    .flatMap((value) => (value ?? '').split(/[\s,]+/))
    .filter(Boolean);
  if (exceptions.some(exceptsLoopback)) return [];
  return proxies.filter((name) => environment[name] !== undefined && environment[name] !== '');
}

/** Returns whether an entry of `NO_PROXY` covers 127.0.0.1; the name `localhost` does not. */
function exceptsLoopback(exception: string): boolean {
  return /^(\*|127\.0\.0\.1(:\d+)?|127\.0\.0\.0\/8|127\.\*|127\.)$/.test(exception);
}
