import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Log, withLog } from '#audit/editor/log.ts';
import { FileAuditLog } from '#audit/fileAuditLog.ts';
import { readEarlierCalls } from '#audit/recentCalls.ts';
import { type Redact, Redactor } from '#audit/redactor.ts';
import { keepRetention } from '#audit/retention.ts';
import { messageOf } from '#base/messageOf.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { systemClock } from '#base/systemClock.ts';
import { CallLimits } from '#call/callLimits.ts';
import type { CoreDependencies } from '#call/callTool.ts';
import { performAction } from '#call/performAction.ts';
import { recheckProposal } from '#call/recheck.ts';
import { judgeProposal, repropose } from '#call/repropose.ts';
import { resolveAddress } from '#call/resolve.ts';
import { profileFor } from '#call/resultProfile.ts';
import { withKinds } from '#call/toolKinds.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import { WindowCatalog } from '#call/windowCatalog.ts';
import type { Changes } from '#changes/changes.ts';
import { interruptedApplies } from '#changes/editor/apply/interruptedApplies.ts';
import { edits } from '#changes/editor/edits.ts';
import { sourceControl } from '#changes/editor/sourceControl.ts';
import { FileHistory } from '#changes/history.ts';
import { keepHistory } from '#changes/historyRetention.ts';
import { ApprovalQueue } from '#changes/queue.ts';
import { createCommands } from '#editor/commands.ts';
import { createEditorActions } from '#editor/editorActions.ts';
import { createEditorState } from '#editor/editorState.ts';
import { createEditors } from '#editor/editors.ts';
import type { RegisteredTools } from '#editor/extensionApi.ts';
import { AssistantMarks } from '#editor/lineMarks.ts';
import { AssistantContext } from '#editor/markedContext.ts';
import { restrictUntilEnabled } from '#editor/restrictedWorkspace.ts';
import { watchSettings } from '#editor/settings.ts';
import { watchTyping } from '#editor/typing.ts';
import { createWorkspace } from '#editor/workspace.ts';
import { watchEncodingSettings } from '#files/editor/encodingSettings.ts';
import { fileChanges } from '#files/editor/fileChanges.ts';
import { files } from '#files/editor/files.ts';
import { AccessTokens } from '#home/editor/accessTokens.ts';
import { claimWindow } from '#home/editor/windowClaim.ts';
import { installLauncher } from '#home/launcher/installLauncher.ts';
import { makePrivateFolder, stateFolder } from '#home/stateFolder.ts';
import { createDiagnostics } from '#language/editor/diagnostics.ts';
import { createImports } from '#language/editor/imports.ts';
import { createLanguage } from '#language/editor/language.ts';
import { createLanguageDetails } from '#language/editor/languageDetails.ts';
import { createProblems } from '#language/editor/problems.ts';
import { createRefactorings } from '#language/editor/refactorings.ts';
import { createSymbols } from '#language/editor/symbols.ts';
import { makeSecret } from '#mcp/auth.ts';
import { managedPolicyPath } from '#policy/editor/managedPolicy.ts';
import { WindowPolicy } from '#policy/editor/policy.ts';
import { privateFolders } from '#policy/editor/privateFolders.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { createSearch } from '#search/editor/createSearch.ts';
import { createCommandTools } from '#tools/commands/commandTools.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';
import { tellModeEnd } from '#ui/rules/ruleNotices.ts';
import { followOffer } from './offerChanges.ts';
import { offerLog } from './offerLog.ts';
import { createRelay, logToolList } from './otherTools.ts';

/** What everything else is made of: the state on disk, the record, the window, and the core with its ports. */
export async function createServices(context: vscode.ExtensionContext, registeredTools: RegisteredTools) {
  const version = z.object({ version: z.string() }).parse(context.extension.packageJSON).version;
  const clock = systemClock;
  const settings = watchSettings();
  const state = stateFolder();
  makePrivateFolder(state.home, state.home);
  const redactor = new Redactor();
  const channel = vscode.window.createOutputChannel('Drawbridge', { log: true });
  const log = new Log(channel, redactor.redact);
  const { extensionPath } = context;
  installLauncher({
    home: state.home,
    extensionPath,
    version,
    execPath: process.execPath,
    platform: process.platform,
  }).catch((error: unknown) => log.error('The program that assistants start could not be put in place', error));

  const windowClaim = await claimWindow({ storage: context.storageUri, home: state.home });
  const editorWorkspace = createWorkspace(windowClaim.windowId);
  const workspace = restrictUntilEnabled(editorWorkspace);
  const fileAuditLog = new FileAuditLog({
    state,
    windowId: workspace.windowId,
    instanceId: randomBytes(8).toString('hex'),
    clock,
    redactor,
    onFailure: (error) => void reportUnrecorded(log, channel, redactor.redact, error),
    recentCalls: await readEarlierCalls(state.audit, workspace.windowId),
  });
  const auditLog = withLog(fileAuditLog, log, redactor);

  const home = homedir();
  const pathRules: PathRules = { home, privateFolders: privateFolders(context, { state: state.home, home }) };
  const resolving = { workspace, files, pathRules };
  const search = createSearch(workspace, pathRules, extensionPath);
  const roots = () =>
    Promise.all(workspace.folders().map(({ uri }) => resolveAddress(uri, { ...resolving, purpose: 'read' })));
  const { otherTools, relayed } = createRelay({ registered: registeredTools, settings, auditLog, log, clock });
  const ownNames = new Set(withKinds(tools).map(({ name }) => name));
  const isTaken = (name: string): boolean => ownNames.has(name);
  const commandTools = createCommandTools(settings, isTaken, (message) => log.warn(message));
  const sources = [commandTools, relayed];
  const policy = new WindowPolicy({
    home: state.home,
    managedPath: managedPolicyPath(),
    clock,
    auditLog,
    workspace,
    tools: () => [...ownNames, ...sources.flatMap((source) => source.tools).map(({ name }) => name)],
    onModeEnd: tellModeEnd,
    onError: (error) => log.error('The rules met an error', error),
  });
  const commands = createCommands({ workspace, clock, allowed: () => settings.current().allowedCommands });
  const catalog = new WindowCatalog({
    tools,
    sources,
    resources,
    prompts,
    choices: () => settings.current().toolsets,
    mode: () => policy.mode(),
    isTrusted: () => workspace.isTrusted(),
  });
  const diagnostics = createDiagnostics(workspace);
  const editors = createEditors(workspace);
  const editorState = createEditorState(workspace);
  const lineMarks = new AssistantMarks();
  const markedContext = new AssistantContext(context.workspaceState, workspace);
  const typing = watchTyping(clock);
  const changes: Changes = { list: () => approvals.changes.list(), inverse: (id) => approvals.changes.inverse(id) };
  const proposing = {
    catalog,
    ports: {
      changes,
      commands,
      diagnostics,
      editorActions: createEditorActions(typing),
      editors,
      editorState,
      files,
      workspace,
      search,
      imports: createImports(search, roots),
      language: createLanguage(workspace),
      languageDetails: createLanguageDetails(workspace),
      lineMarks,
      markedContext,
      refactorings: createRefactorings(workspace),
      otherTools,
      sourceControl,
      symbols: createSymbols(workspace, search, roots),
    },
    clock,
    pathRules,
    policy,
    profileFor: (client: ClientInfo | undefined, revision: string | undefined) =>
      profileFor(client, settings.current().clients, revision),
    caps: () => ({ readBytes: settings.current().readBytes, maxResults: settings.current().maxResults }),
  };
  const history = new FileHistory(state, workspace.windowId);
  const approvals = new ApprovalQueue({
    edits,
    files,
    history,
    interrupted: interruptedApplies,
    clock,
    auditLog,
    problems: createProblems(workspace, pathRules),
    recheck: (tool, proposal, principal, isApproved) =>
      recheckProposal(tool, proposal, principal, { ...resolving, catalog, policy }, isApproved),
    repropose: (call) => repropose(call, proposing),
    judge: (tool, proposal, principal) =>
      judgeProposal(tool, proposal, principal, { workspace, pathRules, catalog, policy }),
    resolve: (uri, purpose) => resolveAddress(uri, { ...resolving, purpose }),
    act: (tool, proposal, signal) =>
      performAction(tool, proposal, signal, {
        ...proposing,
        onBug: (error) => log.error(`What ${tool} does met an error`, error),
      }),
  });
  const recovered = await approvals.restore();
  const tokens = createTokens(state.home, redactor, log);
  // What a token asked for that was revoked while this window was closed.
  withdrawRevoked(approvals, ({ credential }, time) => credential !== 'window' && !tokens.stillHas(credential, time));

  const offer = followOffer({ changes: approvals.changes, catalog, editors, policy, settings, workspace });
  const core: CoreDependencies = {
    ...proposing,
    sources: {
      diagnostics,
      editors,
      fileChanges,
      workspace,
      onDidChangeChanges: offer.onDidChangeChanges,
      onDidChangeMode: policy.windowMode.onDidChange,
    },
    approver: approvals,
    auditLog,
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
  };
  const disposables = [
    settings,
    watchEncodingSettings(),
    channel,
    editorWorkspace,
    workspace,
    diagnostics,
    editors,
    editorState,
    lineMarks,
    markedContext,
    typing,
    fileAuditLog,
    keepRetention({
      state,
      fileAuditLog,
      clock,
      retentionDays: () => settings.current().auditRetentionDays,
      leastDays: () => policy.managed.settings.audit.retentionDays ?? 0,
      onError: (error) => log.error('Old records could not be removed', error),
    }),
    keepHistory({
      history,
      clock,
      maxMegabytes: () => settings.current().historyMegabytes,
      onError: (error) => log.error('Old changes could not be removed from the history', error),
    }),
    tokens,
    policy,
    offer,
    commands,
    commandTools,
    otherTools,
    relayed,
    logToolList(catalog, log),
  ];
  const { recentCalls } = fileAuditLog;
  return {
    version,
    clock,
    settings,
    state,
    redactor,
    channel,
    log,
    windowClaim,
    workspace,
    auditLog,
    fileAuditLog,
    recentCalls,
    approvals,
    history,
    recovered,
    lineMarks,
    markedContext,
    typing,
    tokens,
    policy,
    catalog,
    commandTools,
    otherTools,
    relayed,
    core,
    offer,
    disposables,
  };
}

function createTokens(home: string, redactor: Redactor, log: Log): AccessTokens {
  return new AccessTokens({
    home,
    clock: systemClock,
    makeSecret() {
      const secret = makeSecret();
      redactor.add(secret);
      return secret;
    },
    onError: (error) => log.error('The file of the access tokens met an error', error),
  });
}

/** @param isRevoked whether what a principal proposed at a time came with a token that is gone */
export function withdrawRevoked(
  approvals: ApprovalQueue,
  isRevoked: (principal: Principal, time: number) => boolean,
): void {
  approvals.withdraw(
    ({ principal, requestedAt }) => isRevoked(principal, requestedAt),
    vscode.l10n.t('Its access token was revoked; nothing was changed.'),
  );
  approvals.withdrawReads((principal) => isRevoked(principal, systemClock.now()));
}

export type Services = Awaited<ReturnType<typeof createServices>>;

async function reportUnrecorded(
  log: Log,
  channel: vscode.LogOutputChannel,
  redact: Redact,
  error: unknown,
): Promise<void> {
  log.error('Calls cannot be recorded, so they are refused', error);
  const message = vscode.l10n.t('Drawbridge cannot record calls, so it refuses them: {0}', messageOf(error));
  await offerLog(channel, redact, message);
}
