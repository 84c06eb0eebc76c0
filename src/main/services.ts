import { homedir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { keepRetention, type RetentionOptions } from '#audit/retention.ts';
import type { ClientInfo } from '#base/principal.ts';
import { systemClock } from '#base/clock.ts';
import { edits } from '#changes/editor/edits.ts';
import { CallLimits } from '#call/callLimits.ts';
import type { CoreDependencies } from '#call/callTool.ts';
import { FolderAccess } from '#call/folderAccess.ts';
import type { GuardLevel } from '#base/nativeCommand.ts';
import { NativeCommands } from '#call/nativeCommands.ts';
import { NativeEdits } from '#call/nativeEdits.ts';
import { profileFor } from '#call/resultProfile.ts';
import { resolveAddress } from '#call/resolve.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { Changes } from '#changes/changes.ts';
import { createOutsideSources } from '#changes/editor/outsideSources.ts';
import { FileHistory } from '#changes/history.ts';
import type { Resolve } from '#changes/keep.ts';
import { noted } from '#changes/outside/ownWrites.ts';
import { keepHistory } from '#changes/historyRetention.ts';
import type { RegisteredTools } from '#editor/extensionApi.ts';
import { restrictUntilEnabled } from '#editor/restrictedWorkspace.ts';
import { watchSettings } from '#editor/settings.ts';
import { createWorkspace } from '#editor/workspace.ts';
import { withWorktrees } from '#editor/workspaceWithWorktrees.ts';
import { watchEncodingSettings } from '#files/editor/encodingSettings.ts';
import { files, readSaved } from '#files/editor/files.ts';
import { nativeCommand } from '#tools/commands/nativeCommand.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { nativeUnseenEdit } from '#tools/edit/nativeUnseenEdit.ts';
import { realPathOf } from '#files/editor/foundFile.ts';
import { fileChanges } from '#files/editor/fileChanges.ts';
import { claimWindow } from '#home/editor/windowClaim.ts';
import { installLauncher } from '#home/launcher/installLauncher.ts';
import { makePrivateFolder, stateFolder } from '#home/stateFolder.ts';
import { privateFolders } from '#policy/editor/privateFolders.ts';
import { RememberedFolders } from '#policy/editor/rememberedFolders.ts';
import { pathOfFileUri } from '#policy/paths.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { createAccessTokens, withdrawRevoked } from './accessTokens.ts';
import { createEditorColours } from '#colours/editor/editorColours.ts';
import { createSyntaxParser } from '#syntax/syntaxParser.ts';
import { createCommandLines } from './commandLines.ts';
import { createApprovals } from './approvals.ts';
import { followOffer } from './offerChanges.ts';
import { createOfferedTools } from './offeredTools.ts';
import { logToolList } from './otherTools.ts';
import { createOutside } from './outside.ts';
import { createPorts } from './ports.ts';
import { createLogging, createRecord } from './record.ts';
import { useVersionKey } from './versionKey.ts';

/** Creates what the server and the views work with: the record, the workspace, the policy, the approvals and the calls. */
export async function createServices(context: vscode.ExtensionContext, registeredTools: RegisteredTools) {
  const version = z.object({ version: z.string() }).parse(context.extension.packageJSON).version;
  const clock = systemClock;
  const settings = watchSettings();
  const state = stateFolder();
  makePrivateFolder(state.home, state.home);
  const logging = createLogging();
  const { redactor, channel, log } = logging;
  const prepareLauncher = (): Promise<void> => {
    const { execPath, platform } = process;
    return installLauncher({ home: state.home, extensionPath: context.extensionPath, version, execPath, platform });
  };
  prepareLauncher().catch((error: unknown) =>
    log.error('The program that assistants start could not be put in place', error),
  );

  await useVersionKey(context.secrets, log);
  const windowClaim = await claimWindow({ storage: context.storageUri, home: state.home });
  const editorWorkspace = createWorkspace(windowClaim.windowId);
  const workspace = restrictUntilEnabled(editorWorkspace);
  const guardedWorkspace = withWorktrees(workspace);
  const record = await createRecord(logging, {
    state,
    windowId: workspace.windowId,
    clock,
    storage: context.secrets,
  });
  const { auditLog, fileAuditLog, heads } = record;

  const home = homedir();
  const pathRules: PathRules = { home, privateFolders: privateFolders(context, { state: state.home, home }) };
  const offered = createOfferedTools({
    home: state.home,
    registeredTools,
    settings,
    workspace,
    guardedWorkspace,
    auditLog,
    log,
    clock,
  });
  const { otherTools, relayed, commandTools, policy, catalog } = offered;
  const level = (assistant: string): GuardLevel => settings.current().guardLevels[assistant] ?? 'edits';
  const changes: Changes = { list: () => approvals.changes.list(), inverse: (id) => approvals.changes.inverse(id) };
  const history = new FileHistory(state, workspace.windowId);
  const sources = createOutsideSources((fsPath) => realPathOf(fsPath));
  const started = clock.now();
  // A parser starts its worker with the first text.
  const syntaxPlaces = {
    program: join(context.extensionPath, 'dist/syntaxWorker.cjs'),
    folder: join(context.extensionPath, 'dist/syntax'),
  };
  const parser = createSyntaxParser(syntaxPlaces);
  // It has a worker of its own, because a command line must not wait for the outlines of files.
  const syntax = createSyntaxParser(syntaxPlaces);
  const colours = createEditorColours(context.extensionPath);
  const commandLines = createCommandLines({
    parser,
    workspace: guardedWorkspace,
    pathRules,
    level,
    changedAt: (realPath) => outside.changedAt(realPath) ?? lastChangeOf(realPath, changes, started),
  });
  const {
    ports,
    typing,
    usesOf,
    disposables: ofPorts,
  } = createPorts({
    context,
    workspace,
    pathRules,
    settings,
    clock,
    otherTools,
    changes,
    commandLines,
    syntax,
    noteReads: (port) => sources.noteReads(port),
  });
  const { diagnostics, editors, lineMarks, markedContext } = ports;
  const proposing = {
    catalog,
    ports,
    clock,
    pathRules,
    policy,
    profileFor: (client: ClientInfo | undefined, revision: string | undefined) =>
      profileFor(client, settings.current().clients, revision),
    caps: () => ({ readBytes: settings.current().readBytes, maxResults: settings.current().maxResults }),
  };
  const resolve: Resolve = async (uri, purpose) => {
    // After a reload, no call has named the work tree of a change that is kept.
    guardedWorkspace.include([pathOfFileUri(uri)]);
    return resolveAddress(uri, { workspace: guardedWorkspace, files, pathRules, purpose });
  };
  const outside = createOutside({
    home: state.home,
    clock,
    workspace: guardedWorkspace,
    pathRules,
    history,
    edits,
    files,
    resolve,
    sources,
    isWanted: () => settings.current().listOutsideChanges,
    onDidChangeWanted: settings.onDidChange,
    onError: (error) => log.error('The list of outside changes met an error', error),
  });
  const approvals = createApprovals({
    proposing,
    workspace: guardedWorkspace,
    history,
    edits: noted(edits, outside.noteWritten),
    usesOf,
    resolve,
    auditLog,
    log,
  });
  const recovered = await approvals.restore();
  const tokens = createAccessTokens({ home: state.home, clock, redactor, log });
  // A token may have been revoked while this window was closed.
  withdrawRevoked(
    approvals,
    clock,
    ({ credential }, time) => credential !== 'window' && !tokens.stillHas(credential, time),
  );

  const rememberedFolders = new RememberedFolders({
    home: state.home,
    onError: (error) => log.error('The answers for folders of assistants met an error', error),
  });
  const folderAccess = new FolderAccess(workspace, rememberedFolders);
  folderAccess.follow(approvals);

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
    folderAccess,
    auditLog,
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
  };
  const nativeEdits = new NativeEdits({
    ...core,
    ports: { ...ports, workspace: guardedWorkspace },
    tool: nativeEdit,
    unseenTool: nativeUnseenEdit,
    writing: {
      clock,
      edits,
      files,
      readSaved,
      save: (path) => core.ports.editorActions.save(path),
      workspace: guardedWorkspace,
      pathRules,
      noteWritten: outside.noteWritten,
    },
    level,
    watch: outside.watch,
    includeWorktrees: (paths) => guardedWorkspace.include(paths),
    endTurnRules: (principal, present) => policy.file.endTurns(principal, present),
  });
  const nativeCommands = new NativeCommands({
    ...core,
    ports: { ...ports, workspace: guardedWorkspace },
    tool: nativeCommand,
    includeWorktrees: (paths) => guardedWorkspace.include(paths),
    endTurnRules: (principal, present) => policy.file.endTurns(principal, present),
    level,
    watch: outside.watch,
  });
  const retention: RetentionOptions = {
    state,
    fileAuditLog,
    heads,
    clock,
    retentionDays: () => settings.current().auditRetentionDays,
    leastDays: () => policy.managed.settings.audit.retentionDays ?? 0,
    onError: (error) => log.error('Old records could not be removed', error),
  };
  const disposables = [
    settings,
    parser,
    syntax,
    colours,
    ...outside.disposables,
    watchEncodingSettings(),
    channel,
    editorWorkspace,
    workspace,
    ...ofPorts,
    fileAuditLog,
    keepRetention(retention),
    keepHistory({
      history,
      clock,
      maxMegabytes: () => settings.current().historyMegabytes,
      onError: (error) => log.error('Old changes could not be removed from the history', error),
    }),
    tokens,
    rememberedFolders,
    policy,
    offer,
    commandTools,
    otherTools,
    relayed,
    logToolList(catalog, log),
  ];
  return {
    ...logging,
    ...record,
    ...offered,
    retention,
    version,
    clock,
    settings,
    state,
    parser,
    colours,
    usesOf,
    prepareLauncher,
    windowClaim,
    workspace,
    guardedWorkspace,
    approvals,
    history,
    recovered,
    lineMarks,
    markedContext,
    typing,
    tokens,
    core,
    nativeEdits,
    nativeCommands,
    outside,
    offer,
    disposables,
  };
}

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Returns when an assistant last changed a file in this run of the window; undefined when none did. */
function lastChangeOf(realPath: string, changes: Pick<Changes, 'list'>, since: number): number | undefined {
  const isOf = (uri: string): boolean => pathOfFileUri(uri) === realPath;
  // The newest change comes first.
  return changes
    .list()
    .find(
      ({ appliedAt, files: changed }) =>
        appliedAt >= since && changed.some(({ uri, movedTo }) => isOf(movedTo?.uri ?? uri)),
    )?.appliedAt;
}
