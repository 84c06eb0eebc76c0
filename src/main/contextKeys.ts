import * as vscode from 'vscode';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import type { HttpListenerState } from '#base/httpListener.ts';
import type { AppliedChange } from '#changes/changes.ts';

/** A list whose rows the keys count. */
interface Counted {
  readonly all: readonly unknown[];
  readonly onDidChange: Event<void>;
}

export interface KeySources {
  readonly changes: {
    list(): readonly Pick<AppliedChange, 'canRevert'>[];
    readonly onDidChange: Event<unknown>;
  };
  readonly lineMarks: { readonly hasMarks: boolean; readonly onDidChange: Event<void> };
  readonly recentCalls: Counted;
  readonly tokens: Counted;
  readonly server: {
    readonly running: { clients(): readonly unknown[]; httpListener(): Pick<HttpListenerState, 'kind'> } | undefined;
    readonly onDidChange: Event<void>;
  };
  /** The audit files of all windows as of now. */
  readonly auditFiles: Promise<readonly unknown[]>;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps the context keys by which the Command Palette offers commands of maintenance only while they apply.
 * @returns the subscriptions that do so
 */
export function keepContextKeys(sources: KeySources): readonly Subscription[] {
  const { changes, lineMarks, recentCalls, tokens, server, auditFiles, onError } = sources;
  const listed = new Emitter<void>();
  let hasEarlierRecords = false;
  const look = async (): Promise<void> => {
    hasEarlierRecords = (await auditFiles).length > 0;
    listed.fire();
  };
  look().catch(onError);
  const hasRecords = (): boolean => hasEarlierRecords || recentCalls.all.length > 0;
  const isListenerClosed = (): boolean => ['busy', 'failed'].includes(server.running?.httpListener().kind ?? '');
  return [
    ...keep('drawbridge.hasRecords', hasRecords, [recentCalls.onDidChange, listed.event]),
    ...keep('drawbridge.hasTokens', () => tokens.all.length > 0, [tokens.onDidChange]),
    ...keep('drawbridge.hasMarks', () => lineMarks.hasMarks, [lineMarks.onDidChange]),
    ...keep('drawbridge.canUndo', () => changes.list().some(({ canRevert }) => canRevert), [changes.onDidChange]),
    ...keep('drawbridge.listenerClosed', isListenerClosed, [server.onDidChange]),
    ...keep('drawbridge.hasAssistants', () => (server.running?.clients().length ?? 0) > 0, [server.onDidChange]),
  ];
}

/** Sets a context key now, and again when its value has changed after one of the events. */
function keep(key: string, value: () => boolean, events: readonly Event<unknown>[]): readonly Subscription[] {
  let shown: boolean | undefined;
  const show = (): void => {
    const now = value();
    if (now !== shown) void vscode.commands.executeCommand('setContext', key, now);
    shown = now;
  };
  show();
  return events.map((event) => event(show));
}
