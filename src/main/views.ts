import * as vscode from 'vscode';
import { listAuditFiles } from '#audit/auditFiles.ts';
import { Emitter } from '#base/event.ts';
import { resolveAddress } from '#call/resolve.ts';
import { parseDiffUri } from '#changes/editor/diff/diffUris.ts';
import { DiffDocuments } from '#changes/editor/diffDocuments.ts';
import { SampleApprovals, withSamples } from '#changes/sampleApprovals.ts';
import { setUpAssistants } from '#connect/seenAssistants.ts';
import { addCommandTool } from '#editor/commands/addCommandTool.ts';
import { files } from '#files/editor/files.ts';
import { GuardsOffWatch } from '#home/guardsOffWatch.ts';
import { examineWindows } from '#home/windowHealth.ts';
import type { ServerSwitch } from '#mcp/serverSwitch.ts';
import { syntaxErrors } from '#syntax/checkedFile.ts';
import { judgedTools, tools } from '#tools/index.ts';
import { ActivityView } from '#ui/activity/activityView.ts';
import { type ApprovalsView, createApprovalsView } from '#ui/approvals/approvalsView.ts';
import { Attention } from '#ui/attention.ts';
import { ChangeMarks } from '#ui/changeMarks.ts';
import { type OtherWindow, otherWindowsOf, titleOfWindow } from '#ui/connections/otherWindowItem.ts';
import { createToken, revokeToken } from '#ui/connections/tokenCommands.ts';
import { WatchedRows } from '#ui/connections/watchedRows.ts';
import { createContextView } from '#ui/contextView.ts';
import { guardOffText, showGuardOff } from '#ui/guardOffNotice.ts';
import { HistoryView } from '#ui/history/historyView.ts';
import type { LateView } from '#ui/lateTree.ts';
import { createOutsideView } from '#ui/outside/outsideView.ts';
import { FirstSteps } from '#ui/firstSteps.ts';
import { Preparing } from '#ui/preparing.ts';
import { ProposalMarks } from '#ui/proposalMarks.ts';
import { pastCalls } from '#ui/rules/pastCalls.ts';
import { setUpRules } from '#ui/rules/rulesSetUp.ts';
import { warnOfCommandTools } from '#ui/tools/commandToolNotice.ts';
import type { Commands } from './commands.ts';
import { createConnectCommands } from './connectCommands.ts';
import { createConnections } from './connections.ts';
import { keepContextKeys } from './contextKeys.ts';
import { recordCommands } from './record.ts';
import type { Services } from './services.ts';
import type { Shell } from './shell.ts';
import { createTools } from './tools.ts';

/** Creates everything that the user sees: the views, the approvals page, diffs, marks and notices. */
export function createViews(
  { context, statusBar, views }: Shell,
  services: Services,
  server: ServerSwitch,
  editorConnectionId: string,
) {
  const { approvals, auditLog, clock, core, log, policy, recentCalls, settings, tokens, typing, workspace } = services;
  const { lineMarks, markedContext } = services;
  const statusChanged = new Emitter<void>();
  const guardsOff = new GuardsOffWatch(services.state.home, clock);
  const connect = createConnectCommands({ context }, services, server);
  const onError = (error: unknown): void => log.error('A view met an error', error);
  const samples = new SampleApprovals(clock);
  const shown = withSamples(approvals, samples.queue);
  const diffs = new DiffDocuments({ approvals: shown, changes: approvals.changes, clock, onError });
  const openDiff = (id: string, fileIndex?: number): Promise<void> =>
    diffs.openDiff(id, fileIndex).catch((error: unknown) => log.error('The diff could not be opened', error));
  const otherWindows = new WatchedRows<OtherWindow>({
    folder: services.state.windows,
    read: async () => otherWindowsOf(await examineWindows(services.state.home), process.pid),
    onError,
  });
  const proposing = new Set(tools.filter((tool) => 'propose' in tool).map(({ name }) => name));
  const preparing = new Preparing({ recentCalls, proposes: (tool) => proposing.has(tool), clock });
  const firstSteps = new FirstSteps({
    setUp: () => setUpAssistants(connect.configurations),
    hasCalled: () => recentCalls.all.length > 0,
    onError,
  });
  const approvalsView = createApprovalsView({
    extensionUri: context.extensionUri,
    memento: context.workspaceState,
    approvals,
    samples,
    clock,
    status: () => ({
      running: server.running !== undefined,
      connected: connect.connected.any || (server.running?.clients().length ?? 0) > 0,
      ...(firstSteps.names.length > 0 && { firstSteps: firstSteps.names }),
      hasFolder: workspace.folders().length > 0,
      trusted: workspace.isTrusted(),
      held: workspace.isHeld(),
      ...(guardsOff.until !== undefined && { guardOff: guardOffText(guardsOff.until) }),
      preparing: preparing.clients,
      otherWindows: otherWindows.all
        .filter(({ waiting }) => waiting > 0)
        .map((window) => ({ name: titleOfWindow(window), waiting: window.waiting })),
    }),
    onDidChangeStatus: statusChanged.event,
    openDiff: (id, fileIndex) => void openDiff(id, fileIndex),
    openText: (id) =>
      void diffs.openText(id).catch((error: unknown) => log.error('The change could not be opened as a text', error)),
    rules: policy.file,
    pastCalls: () => pastCalls(recentCalls, judgedTools, workspace.folders().length > 1),
    folders: () => services.guardedWorkspace.folders(),
    now: () => clock.now(),
    mode: () => ({ mode: policy.mode(), until: policy.windowMode.until }),
    onDidChangeMode: policy.windowMode.onDidChange,
    openInTab: () => settings.current().openInTab,
    usesOf: services.usesOf,
    colourCode: (text) => services.colours.of(text),
    onDidChangeColours: services.colours.onDidChange,
    syntaxErrors: (path, text, signal) => syntaxErrors(services.parser, path, text, signal),
    backToManual: () => policy.windowMode.set('manual'),
    showRule: (id) => void rules.commands.showRule(id).catch(onError),
  });
  const review = (id?: string): void => approvalsView.focusApproval(id);
  const folders = () => workspace.folders();
  const historyView = viewOf(views, 'drawbridge.history');
  const history = new HistoryView({
    treeView: historyView.view,
    tree: historyView.tree,
    changes: approvals.changes,
    onDidChange: approvals.changes.onDidChange,
    clock,
    memento: context.workspaceState,
    review,
  });
  const activity = viewOf(views, 'drawbridge.activity');
  const calls = new ActivityView({
    treeView: activity.view,
    tree: activity.tree,
    recentCalls,
    approvals,
    history,
    clock,
    openedOnce: policy.openedOnce,
    rules: policy.file,
    folders,
    review,
    openDiff,
  });
  const attention = new Attention({
    approvals,
    clock,
    review,
    window: {
      isViewVisible: () => approvalsView.visible && vscode.window.state.focused,
      notifies: () => settings.current().notify,
      reveals: () => settings.current().reveal,
      idleMilliseconds: () => typing.idleMilliseconds(),
      revealWithoutFocus: () => void calls.revealWithoutFocus(),
      showWaiting(waiting) {
        void server.running?.updateWindow();
        statusBar.update({ waiting: waiting.all, questions: waiting.questions });
        calls.showWaiting(waiting);
        void vscode.commands.executeCommand('setContext', 'drawbridge.hasPending', waiting.all > 0);
      },
      toast: (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons),
      // The editor cannot take away a single one.
      hideToasts: () => void vscode.commands.executeCommand('notifications.hideToasts'),
    },
  });
  let wasRestricted = false;
  const disposables = [
    diffs.register(),
    new ChangeMarks({ approvals, clock, isEnabled: () => settings.current().markChanges, onError }),
    new ProposalMarks({ approvals, clock, onError }),
    approvalsView,
    approvalsView.onDidChangeVisibility(() => {
      if (!approvalsView.visible) return otherWindows.unwatch();
      otherWindows.watch();
      void firstSteps.look();
      attention.viewShown();
    }),
    { dispose: () => otherWindows.unwatch() },
    otherWindows.onDidChange(() => statusChanged.fire()),
    preparing,
    preparing.onDidChange(() => {
      statusBar.update({ preparing: preparing.clients.length });
      statusChanged.fire();
    }),
    calls,
    history,
    attention,
    approvals.onDidChange(({ restrictions }) => {
      if (!restrictions) return;
      const isRestricted = approvals.restrictions.length > 0;
      if (isRestricted !== wasRestricted) {
        wasRestricted = isRestricted;
        void vscode.commands.executeCommand('setContext', 'drawbridge.restricted', isRestricted);
      }
    }),
    workspace.onDidChange(() => {
      void vscode.commands.executeCommand('setContext', 'drawbridge.held', workspace.isHeld());
      statusChanged.fire();
    }),
    server.onDidChange(() => {
      const clients = server.running?.clients() ?? [];
      statusBar.update({ server: server.state, clients: clients.length });
      lineMarks.showAssistants(clients);
      statusChanged.fire();
    }),
    guardsOff,
    guardsOff.onDidChange(() => {
      const { until } = guardsOff;
      statusBar.update({ guardOff: until === undefined ? undefined : guardOffText(until) });
      void vscode.commands.executeCommand('setContext', 'drawbridge.guardOff', until !== undefined);
      auditLog.event({ event: 'guard.change', ...(until === undefined ? { state: 'on' } : { state: 'off', until }) });
      if (until !== undefined) void showGuardOff(until);
      statusChanged.fire();
    }),
    connect.connected.onDidChange(() => {
      void firstSteps.look();
      statusChanged.fire();
    }),
    firstSteps.onDidChange(() => statusChanged.fire()),
    recentCalls.onDidChange(() => firstSteps.called()),
    ...keepContextKeys({
      changes: approvals.changes,
      lineMarks,
      recentCalls,
      tokens,
      server,
      auditFiles: listAuditFiles(services.state.audit),
      onError,
    }),
    ...connect.disposables,
  ];
  const rules = setUpRules({
    policy,
    workspace,
    pathRules: core.pathRules,
    tools: judgedTools,
    clock,
    view: viewOf(views, 'drawbridge.rules'),
    pastCalls: () => pastCalls(recentCalls, judgedTools, workspace.folders().length > 1),
    onDidChangeCalls: recentCalls.onDidChange,
    resolve: (address, purpose) => resolveAddress(address, { workspace, files, pathRules: core.pathRules, purpose }),
    warn: (text) => log.warn(text),
  });
  const showMode = (): void => statusBar.update({ mode: policy.mode() });
  showMode();
  disposables.push(...rules.disposables, policy.windowMode.onDidChange(showMode));
  const connections = createConnections({
    services,
    server,
    view: viewOf(views, 'drawbridge.connections'),
    statusBar,
    editorConnectionId,
    setUp: () => setUpAssistants(connect.configurations),
  });
  const outsideView = createOutsideView(services.outside.list, viewOf(views, 'drawbridge.outside'), onError);
  const contextView = createContextView(markedContext, viewOf(views, 'drawbridge.context'));
  disposables.push(...connections.disposables, ...contextView.disposables, ...outsideView.disposables);
  const toolsView = createTools(viewOf(views, 'drawbridge.tools'), services, onError);
  const commandToolNotice = warnOfCommandTools({
    entries: services.commandTools,
    commands: core.ports.commands,
    onError,
  });
  disposables.push(...toolsView.disposables, commandToolNotice);
  const commands: Commands = {
    ...rules.commands,
    createToken: () =>
      createToken({
        nameProblem: (name) => tokens.nameProblem(name),
        async create(name) {
          const secret = await tokens.create(name);
          auditLog.event({ event: 'token.change', name, state: 'created' });
          return secret;
        },
      }),
    revokeToken: (item) => revokeToken(tokens, clock, item),
    reviewNextApproval: () => approvalsView.focusApproval(),
    reviewPreviousApproval: () => approvalsView.ask('previous'),
    openReview: () => openReview(approvals, approvalsView),
    showSample: () => approvalsView.openSample(),
    openNativeDiff: () => approvalsView.ask('openDiff'),
    leaveOutHunk: () => approvalsView.ask('leaveOutHunk'),
    declineWithWords: () => approvalsView.ask('decline'),
    reviewThisApproval: (id) => approvalsView.focusApproval(typeof id === 'string' ? id : activeApproval()),
    ...connect.commands,
    ...connections.commands,
    ...toolsView.commands,
    ...calls.commands,
    ...history.commands,
    ...outsideView.commands,
    ...contextView.commands,
    clearMarks: () => lineMarks.clear(),
    guardAgain: () => guardsOff.guardAgain(),
    addCommandTool: () =>
      addCommandTool({
        commands: core.ports.commands,
        current: () => settings.current().commandTools,
        problemOf: (tool) => services.commandTools.problemOf(tool),
      }),
    ...recordCommands(services),
  };
  return { approvalsView, commands, disposables };
}

function viewOf(views: ReadonlyMap<string, LateView>, id: string): LateView {
  const view = views.get(id);
  if (view === undefined) throw new Error(`There is no view ${id}`);
  return view;
}

/** Opens the review tab of the approval whose diff is active, else of the one that owns the action bar of the view. */
function openReview(approvals: Services['approvals'], view: ApprovalsView): void {
  const id = activeApproval();
  if (id !== undefined && approvals.get(id)?.state === 'waiting') view.openReview(id);
  else view.ask('openReview');
}

/** The approval whose diff is in the active editor; the multi-file diff makes its first inner editor the active one. */
function activeApproval(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const inDiff = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  const uri = inDiff ?? vscode.window.activeTextEditor?.document.uri;
  return uri && parseDiffUri(uri)?.approvalId;
}
