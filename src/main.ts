import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { ApprovalFile } from './approvals/approval.ts';
import { ApprovalQueue } from './approvals/queue.ts';
import { callTool, type CoreDependencies } from './core/callTool.ts';
import { instructions } from './core/instructions.ts';
import { judgeProposal } from './core/judge.ts';
import { readResource } from './core/readResource.ts';
import { recheckProposal } from './core/recheck.ts';
import { repropose } from './core/repropose.ts';
import { resolveAddress } from './core/resolve.ts';
import { profileFor } from './core/resultProfile.ts';
import type { ToolCatalog } from './core/tool.ts';
import { folderContaining } from './policy/paths.ts';
import type { PathRules } from './policy/protectedPaths.ts';
import type { Clock } from './ports/clock.ts';
import { Emitter, type Subscription } from './ports/event.ts';
import type { ClientInfo } from './ports/principal.ts';
import type { Workspace } from './ports/workspace.ts';
import { makeSecret } from './server/auth.ts';
import { startServer, type WindowDescription } from './server/server.ts';
import { ServerSwitch } from './server/serverSwitch.ts';
import { tools } from './tools/index.ts';
import { ActivityView } from './vscode/activityView.ts';
import { createApprovalsView, type ApprovalsView } from './vscode/approvalsView/approvalsView.ts';
import { Attention } from './vscode/attention.ts';
import { FileAuditLog } from './vscode/auditLog.ts';
import { authFailureRecorder } from './vscode/record/authFailures.ts';
import { systemClock } from './vscode/clock.ts';
import { ChangeMarks } from './vscode/changeMarks.ts';
import { parseDiffUri } from './vscode/diff/diffUris.ts';
import { DiffDocuments } from './vscode/diffDocuments.ts';
import { readEarlierCalls } from './vscode/record/earlierCalls.ts';
import { watchEncodingSettings } from './vscode/disk/encodingSettings.ts';
import { edits } from './vscode/edits.ts';
import { files } from './vscode/files.ts';
import { createImports } from './vscode/imports.ts';
import { createProblems } from './vscode/problems.ts';
import { sourceControl } from './vscode/sourceControl.ts';
import { holdUntilEnabled } from './vscode/heldWorkspace.ts';
import { FileHistory } from './vscode/history.ts';
import type { LateTree } from './vscode/lateTree.ts';
import { Log, withLog } from './vscode/record/log.ts';
import { Redactor } from './vscode/record/redaction.ts';
import { createSearch } from './vscode/search.ts';
import { watchSettings } from './vscode/settings.ts';
import { makePrivateFolder, stateFolder } from './vscode/stateFolder.ts';
import type { StatusBar } from './vscode/statusBar.ts';
import { createWorkspace } from './vscode/workspace.ts';

/** What activation made before this chunk was loaded. */
export interface Shell {
  readonly context: vscode.ExtensionContext;
  readonly statusBar: StatusBar;
  readonly activity: LateTree;
  readonly activityView: vscode.TreeView<vscode.TreeItem>;
}

/** The extension once it is needed. */
export interface Main {
  readonly approvalsView: ApprovalsView;
  start(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  showLog(): void;
  reviewNextApproval(): void;
  /** Shows the card of the diff that is open in the active editor. */
  reviewThisApproval(): void;
  /** Lets assistants edit a workspace that was trusted after they met it. */
  enableEdits(): void;
  /** Lets assistants change files again that the human paused, or whose changes are declined by themselves. */
  resumeAssistants(): void;
  /** `drawbridge.start` asks for it: starts, but never by itself in a workspace that is not trusted. */
  startByItself(): Promise<void>;
  dispose(): Promise<void>;
}

/** What everything else is made of: the state on disk, the record, the window, and the core with its ports. */
async function createServices(context: vscode.ExtensionContext) {
  const version = z.object({ version: z.string() }).parse(context.extension.packageJSON).version;
  const clock = systemClock;
  const settings = watchSettings();
  const state = stateFolder();
  makePrivateFolder(state.home, state.home);
  const redactor = new Redactor();
  const channel = vscode.window.createOutputChannel('Drawbridge', { log: true });
  const log = new Log(channel, redactor.redact);

  const editorWorkspace = await createWorkspace(context);
  const workspace = holdUntilEnabled(editorWorkspace);
  const fileAuditLog = new FileAuditLog({
    state,
    windowId: workspace.windowId,
    instanceId: randomBytes(8).toString('hex'),
    clock,
    redact: redactor.redact,
    onFailure: (error) => void reportUnrecorded(log, channel, error),
    recentCalls: await readEarlierCalls(state.audit, workspace.windowId),
  });
  const auditLog = withLog(fileAuditLog, log, redactor.redact);

  const catalog: ToolCatalog = { tools, version: 1 };
  const pathRules: PathRules = { home: homedir(), privateFolders: privateFolders(context, state.home) };
  const resolving = { workspace, files, pathRules };
  const search = createSearch(workspace, pathRules, context.extensionPath);
  const roots = () =>
    Promise.all(workspace.folders().map(({ uri }) => resolveAddress(uri, { ...resolving, purpose: 'read' })));
  const proposing = {
    catalog,
    ports: { files, workspace, search, imports: createImports(search, roots), sourceControl },
    clock,
    pathRules,
    profileFor: (client: ClientInfo | undefined) => profileFor(client, settings.current().clients),
    caps: () => ({ readBytes: settings.current().readBytes, maxResults: settings.current().maxResults }),
  };
  const approvals = new ApprovalQueue({
    edits,
    files,
    history: new FileHistory(state, workspace.windowId),
    clock,
    auditLog,
    problems: createProblems(workspace),
    recheck: (tool, proposal) => recheckProposal(tool, proposal, { ...resolving, catalog }),
    repropose: (call) => repropose(call, proposing),
    judge: (tool, proposal) => judgeProposal(tool, proposal, { workspace, pathRules, catalog }),
    resolve: (uri, purpose) => resolveAddress(uri, { ...resolving, purpose }),
  });
  await approvals.restore();

  const core: CoreDependencies = { ...proposing, approver: approvals, auditLog };
  const disposables = [settings, watchEncodingSettings(), channel, editorWorkspace, workspace, fileAuditLog];
  const { recentCalls } = fileAuditLog;
  return {
    version,
    clock,
    settings,
    state,
    redactor,
    channel,
    log,
    workspace,
    auditLog,
    recentCalls,
    approvals,
    core,
    disposables,
  };
}

type Services = Awaited<ReturnType<typeof createServices>>;

function createServer({
  version,
  clock,
  state,
  redactor,
  channel,
  log,
  workspace,
  auditLog,
  core,
}: Services): ServerSwitch {
  const recordAuthFailure = authFailureRecorder({
    clock,
    auditLog,
    notify: () =>
      void offerLog(
        channel,
        vscode.l10n.t('A program without the right token tried to reach Drawbridge in this window. It was refused.'),
      ),
  });
  return new ServerSwitch({
    async open() {
      workspace.hold();
      const token = makeSecret();
      redactor.add(token);
      const server = await startServer({
        token,
        product: {
          serverInfo: { name: 'drawbridge', title: 'Drawbridge', version },
          instructions,
          catalog: core.catalog,
          callTool: (call) => callTool(call, core),
          readResource: (uri, call) => readResource(uri, call, core),
        },
        clock,
        drawbridgeHome: state.home,
        window: () => describeWindow(workspace, version),
        onAuthenticationFailure: recordAuthFailure,
        onError: (error) => log.error('The server met an error', error),
      });
      auditLog.event({ event: 'server.start', endpoint: server.endpoint, version });
      return server;
    },
    beforeStop: () => auditLog.event({ event: 'server.stop' }),
    onFailure(error) {
      log.error('The server could not be started', error);
      void offerLog(channel, vscode.l10n.t('Drawbridge could not start: {0}', messageOf(error)));
    },
  });
}

/** Everything the human sees of it. */
function createViews({ context, statusBar, activity, activityView }: Shell, services: Services, server: ServerSwitch) {
  const { approvals, clock, log, recentCalls, settings, workspace } = services;
  const statusChanged = new Emitter<void>();
  const onError = (error: unknown): void => log.error('A view met an error', error);
  const diffs = new DiffDocuments({ approvals, clock, onError });
  const openDiff = (id: string, fileIndex?: number): Promise<void> =>
    diffs.openDiff(id, fileIndex).catch((error: unknown) => log.error('The diff could not be opened', error));
  const approvalsView = createApprovalsView({
    extensionUri: context.extensionUri,
    approvals,
    status: () => ({
      running: server.running !== undefined,
      hasFolder: workspace.folders().length > 0,
      trusted: workspace.isTrusted(),
      held: workspace.isHeld(),
    }),
    onDidChangeStatus: statusChanged.event,
    windowName: () => workspace.name(),
    openDiff: (id, fileIndex) => void openDiff(id, fileIndex),
  });
  const review = (id?: string): void => approvalsView.focusApproval(id);
  const folders = () => workspace.folders();
  const tree = activity;
  const calls = new ActivityView({
    treeView: activityView,
    tree,
    recentCalls,
    approvals,
    clock,
    folders,
    review,
    openDiff,
  });
  const typing = watchTyping(clock);
  const attention = new Attention({
    approvals,
    clock,
    review,
    window: {
      isViewVisible: () => approvalsView.visible && vscode.window.state.focused,
      hasShown: (approval) => approvalsView.hasShown(approval),
      notifies: () => settings.current().notify,
      reveals: () => settings.current().reveal,
      idleMilliseconds: typing.idleMilliseconds,
      revealWithoutFocus: () => void calls.revealWithoutFocus(),
      showWaiting(waiting) {
        statusBar.update({ waiting });
        calls.showWaiting(waiting);
        void vscode.commands.executeCommand('setContext', 'drawbridge.hasPending', waiting > 0);
      },
      toast: (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons),
    },
  });
  let wasRestricted = false;
  const disposables = [
    diffs.register(),
    new ChangeMarks({ approvals, clock, isEnabled: () => settings.current().markChanges, onError }),
    approvalsView,
    calls,
    attention,
    typing,
    approvals.onDidChange(() => {
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
      statusBar.update({ server: server.state, clients: server.running?.clients().length ?? 0 });
      statusChanged.fire();
    }),
  ];
  return { approvalsView, disposables };
}

export async function createMain(shell: Shell): Promise<Main> {
  const services = await createServices(shell.context);
  const { workspace, approvals, channel } = services;
  const server = createServer(services);
  const { approvalsView, disposables: views } = createViews(shell, services, server);
  const disposables: Subscription[] = [
    ...views,
    workspace.onDidChange(() => {
      const isInside = ({ realPath, to }: ApprovalFile): boolean =>
        [realPath, to?.realPath ?? realPath].every((path) => folderContaining(path, workspace.folders()) !== undefined);
      approvals.withdraw(
        ({ files: changed }) => !changed.every(isInside),
        vscode.l10n.t('Its folder was removed from the workspace; nothing was changed.'),
      );
      void server.running?.updateWindow();
    }),
    ...services.disposables,
  ];
  return {
    approvalsView,
    start: () => server.start(),
    stop() {
      approvals.withdraw(() => true, vscode.l10n.t('Drawbridge was stopped; nothing was changed.'));
      return server.stop();
    },
    restart: () => server.restart(),
    showLog: () => channel.show(),
    reviewNextApproval: () => approvalsView.focusApproval(),
    reviewThisApproval: () => approvalsView.focusApproval(activeApproval()),
    enableEdits: () => workspace.enableEdits(),
    resumeAssistants() {
      for (const { id } of approvals.restrictions) approvals.lift(id);
    },
    async startByItself() {
      if (vscode.workspace.isTrusted) return server.start();
      disposables.push(vscode.workspace.onDidGrantWorkspaceTrust(() => void server.start()));
    },
    async dispose() {
      approvals.suspend();
      await server.stop();
      await approvals.settled();
      for (const disposable of disposables) disposable.dispose();
    },
  };
}

/** Our own state and the editor's: its user data holds settings, and with them the power to run programs. */
function privateFolders(context: vscode.ExtensionContext, home: string): readonly string[] {
  const globalStorage = dirname(context.globalStorageUri.fsPath);
  const userData = dirname(globalStorage);
  return [home, userData, dirname(context.extensionPath)];
}

function describeWindow(workspace: Workspace, version: string): WindowDescription {
  const name = workspace.name();
  return {
    windowId: workspace.windowId,
    folders: workspace.folders().map(({ name: folderName, fsPath, uri }) => ({ name: folderName, path: fsPath, uri })),
    ...(name !== undefined && { workspaceName: name }),
    trusted: workspace.isTrusted(),
    extensionVersion: version,
    editor: { name: workspace.editor.name, version: workspace.editor.version },
  };
}

/** The approval whose diff is in the active editor; the multi-file diff makes its first inner editor the active one. */
function activeApproval(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const inDiff = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  const uri = inDiff ?? vscode.window.activeTextEditor?.document.uri;
  return uri && parseDiffUri(uri)?.approvalId;
}

/** When the human last typed or moved a cursor. */
function watchTyping(clock: Clock): vscode.Disposable & { readonly idleMilliseconds: () => number } {
  let last = -Infinity;
  const subscription = vscode.window.onDidChangeTextEditorSelection(() => (last = clock.monotonic()));
  return { idleMilliseconds: () => clock.monotonic() - last, dispose: () => void subscription.dispose() };
}

async function reportUnrecorded(log: Log, channel: vscode.LogOutputChannel, error: unknown): Promise<void> {
  log.error('Calls cannot be recorded, so they are refused', error);
  await offerLog(channel, vscode.l10n.t('Drawbridge cannot record calls, so it refuses them: {0}', messageOf(error)));
}

async function offerLog(channel: vscode.LogOutputChannel, message: string): Promise<void> {
  const show = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, show)) === show) channel.show();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
