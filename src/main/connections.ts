import * as vscode from 'vscode';
import { Emitter } from '#base/event.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { examineWindows } from '#home/windowHealth.ts';
import type { SetUpAssistant } from '#connect/seenAssistants.ts';
import type { ConnectedClient } from '#mcp/clients.ts';
import type { ServerSwitch } from '#mcp/serverSwitch.ts';
import type { ConnectedAssistant, Way } from '#ui/connections/assistantItem.ts';
import { clientProfiles } from '#ui/connections/clientProfiles.ts';
import { connectionCommands } from '#ui/connections/connectionCommands.ts';
import { ConnectionsView } from '#ui/connections/connectionsView.ts';
import { type OtherWindow, otherWindowsOf } from '#ui/connections/otherWindowItem.ts';
import { WatchedRows } from '#ui/connections/watchedRows.ts';
import type { LateView } from '#ui/lateTree.ts';
import type { StatusBar } from '#ui/statusBar.ts';
import type { Services } from './services.ts';

export interface ConnectionsOptions {
  readonly services: Pick<
    Services,
    'approvals' | 'clock' | 'log' | 'policy' | 'recentCalls' | 'settings' | 'state' | 'tokens'
  >;
  readonly server: ServerSwitch;
  readonly view: LateView;
  readonly statusBar: StatusBar;
  /** The connection id of the editor's own MCP client. */
  readonly editorConnectionId: string;
  /** Reads which assistants are set up on this machine. */
  readonly setUp: () => Promise<readonly SetUpAssistant[]>;
}

/** Creates the Connections view, the commands of its rows, and the count in the status bar. */
export function createConnections({
  services,
  server,
  view,
  statusBar,
  editorConnectionId,
  setUp,
}: ConnectionsOptions) {
  const { approvals, clock, log, policy, recentCalls, settings, state, tokens } = services;
  const profiles = clientProfiles(() => settings.current().clients);
  const assistants = (): readonly ConnectedAssistant[] =>
    // The order stays the same while assistants call.
    (server.running?.clients() ?? [])
      .toSorted((a, b) => a.since - b.since)
      .map((client) => ({
        ...connectedAssistant(client, services),
        way: wayOf(client.principal, editorConnectionId),
        profile: profiles.inForce(client.client),
        isProfileChanged: profiles.isChanged(client.client),
      }));
  const changed = new Emitter<void>();
  const changeOften = new Emitter<void>();
  const otherWindows = new WatchedRows<OtherWindow>({
    folder: state.windows,
    read: async () => otherWindowsOf(await examineWindows(state.home), process.pid),
    onError: (error) => log.error('The other windows could not be looked for', error),
  });
  const setUpRows = new WatchedRows<SetUpAssistant>({
    folder: state.home,
    read: setUp,
    onError: (error) => log.error('The assistants that are set up could not be read', error),
  });
  const connectionsView = new ConnectionsView({
    view,
    server: () => ({
      state: server.state,
      endpoint: server.running?.endpoint,
      http: server.running?.httpListener() ?? { kind: 'closed' },
      mode: policy.mode(),
      assistants: assistants(),
    }),
    onDidChangeServer: changed.event,
    onDidChangeWork: changeOften.event,
    tokens,
    otherWindows,
    setUp: setUpRows,
    clock,
  });
  const paused = (): number => approvals.restrictions.filter(({ kind }) => kind === 'paused').length;
  return {
    disposables: [
      server.onDidChange(() => changed.fire()),
      policy.windowMode.onDidChange(() => changed.fire()),
      settings.onDidChange(() => changed.fire()),
      recentCalls.onDidChange(() => changeOften.fire()),
      approvals.onDidChange(({ restrictions }) => {
        if (restrictions) statusBar.update({ paused: paused() });
        changeOften.fire();
      }),
      connectionsView,
    ],
    commands: connectionCommands({
      assistants,
      pause: (principal, client) => approvals.pause(principal, client),
      resume(principal) {
        const id = approvals.pauseOf(principal);
        if (id !== undefined) approvals.lift(id);
      },
      disconnect: (principal) => disconnect(principal, services, server),
      profiles,
    }),
  };
}

type AssistantState = Omit<ConnectedAssistant, 'way' | 'profile' | 'isProfileChanged'>;

function connectedAssistant(client: ConnectedClient, { approvals }: Pick<Services, 'approvals'>): AssistantState {
  const { principal } = client;
  const key = principalKey(principal);
  const isOwn = (other: { readonly principal: Principal }): boolean => principalKey(other.principal) === key;
  const cards = approvals.all.filter((approval) => approval.state === 'waiting' && isOwn(approval));
  return {
    ...client,
    waiting: cards.length + approvals.waitingReads.filter(isOwn).length,
    isPaused: approvals.pauseOf(principal) !== undefined,
  };
}

/** Tells how an assistant is connected. The bridge and the editor, which both use the window's secret, name their connection. */
function wayOf({ credential, connectionId }: Principal, editorConnectionId: string): Way {
  if (credential !== 'window') return 'token';
  if (connectionId === editorConnectionId) return 'editor';
  return connectionId === undefined || connectionId.startsWith('session:') ? 'window' : 'bridge';
}

/** Disconnects an assistant: withdraws its approvals and ends the rules of its session. */
async function disconnect(
  principal: Principal,
  { approvals, log, policy }: Pick<Services, 'approvals' | 'log' | 'policy'>,
  server: ServerSwitch,
): Promise<void> {
  const key = principalKey(principal);
  approvals.withdraw(
    (approval) => principalKey(approval.principal) === key,
    vscode.l10n.t('You disconnected this assistant; nothing was changed.'),
  );
  approvals.withdrawReads((other) => principalKey(other) === key);
  policy.file.endPrincipal(principal);
  await server.running
    ?.closePrincipal(principal)
    .catch((error: unknown) => log.error('What an assistant had open could not be closed', error));
}
