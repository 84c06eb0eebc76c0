import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import * as z from 'zod';
import { ApprovalQueue } from '../approvals/queue.ts';
import { CallLimits } from '../core/callLimits.ts';
import { type CoreDependencies } from '../core/callTool.ts';
import { judgeProposal } from '../core/judge.ts';
import { performAction } from '../core/performAction.ts';
import { recheckProposal } from '../core/recheck.ts';
import { repropose } from '../core/repropose.ts';
import { resolveAddress } from '../core/resolve.ts';
import { profileFor } from '../core/resultProfile.ts';
import { withKinds } from '../core/toolKinds.ts';
import { UnaskedBudget } from '../core/unaskedBudget.ts';
import { WindowCatalog } from '../core/windowCatalog.ts';
import type { PathRules } from '../policy/protectedPaths.ts';
import type { Changes } from '../ports/changes.ts';
import type { ClientInfo, Principal } from '../ports/principal.ts';
import { makeSecret } from '../server/auth.ts';
import { prompts } from '../prompts/index.ts';
import { resources } from '../resources/index.ts';
import { tools } from '../tools/index.ts';
import { FileAuditLog } from '../vscode/auditLog.ts';
import { systemClock } from '../server/systemClock.ts';
import { readEarlierCalls } from '../vscode/record/earlierCalls.ts';
import { watchEncodingSettings } from '../vscode/disk/encodingSettings.ts';
import { createCommands } from '../vscode/commands.ts';
import { createDiagnostics } from '../vscode/diagnostics.ts';
import { createEditorActions } from '../vscode/editorActions.ts';
import { createEditors } from '../vscode/editors.ts';
import { createEditorState } from '../vscode/editorState.ts';
import { edits } from '../vscode/edits.ts';
import type { RegisteredTools } from '../vscode/extensionApi.ts';
import { interruptedApplies } from '../vscode/edits/interruptedApplies.ts';
import { fileChanges } from '../vscode/fileChanges.ts';
import { files } from '../vscode/files.ts';
import { createImports } from '../vscode/imports.ts';
import { createLanguage } from '../vscode/language.ts';
import { createLanguageDetails } from '../vscode/languageDetails.ts';
import { AssistantMarks } from '../vscode/lineMarks.ts';
import { AssistantContext } from '../vscode/markedContext.ts';
import { createProblems } from '../vscode/problems.ts';
import { createRefactorings } from '../vscode/refactorings.ts';
import { sourceControl } from '../vscode/sourceControl.ts';
import { holdUntilEnabled } from '../vscode/heldWorkspace.ts';
import { FileHistory } from '../vscode/history.ts';
import { keepHistory } from '../vscode/keepHistory.ts';
import { installLauncher } from '../vscode/launcher.ts';
import { privateFolders } from '../vscode/privateFolders.ts';
import { Log, withLog } from '../vscode/record/log.ts';
import { Redactor, type Redact } from '../vscode/record/redaction.ts';
import { keepRetention } from '../vscode/record/retention.ts';
import { managedPolicyPath } from '../vscode/rules/managedPolicy.ts';
import { WindowPolicy } from '../vscode/rules/policy.ts';
import { tellModeEnd } from '../vscode/rules/ruleNotices.ts';
import { createSearch } from '../vscode/search.ts';
import { watchSettings } from '../vscode/settings.ts';
import { makePrivateFolder, stateFolder } from '../vscode/stateFolder.ts';
import { AccessTokens } from '../vscode/tokens.ts';
import { watchTyping } from '../vscode/typing.ts';
import { claimWindow } from '../vscode/windowClaim.ts';
import { createSymbols } from '../vscode/symbols.ts';
import { createWorkspace } from '../vscode/workspace.ts';
import { messageOf } from '../vscode/messageOf.ts';
import { createCommandTools } from './commandTools.ts';
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
  const workspace = holdUntilEnabled(editorWorkspace);
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

  const offer = followOffer({ approvals, catalog, editors, policy, settings, workspace });
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
