import * as vscode from 'vscode';
import { authFailureRecorder } from '#audit/authFailures.ts';
import { messageOf } from '#base/messageOf.ts';
import { isCommand } from '#base/nativeCommand.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import type { Workspace } from '#base/workspace.ts';
import { awaitsUser } from '#changes/halfDone.ts';
import { nameWindowInTerminals } from '#editor/terminals.ts';
import type { WindowFocus } from '#editor/windowFocus.ts';
import type { WindowDescription } from '#home/publishedWindow.ts';
import { makeSecret } from '#mcp/auth.ts';
import { startServer } from '#mcp/server.ts';
import { ServerSwitch } from '#mcp/serverSwitch.ts';
import { forwardedNotice } from '#ui/forwardedNotice.ts';
import { unknownToolNotice } from '#ui/unknownTools.ts';
import { offerLog } from './record.ts';
import { createProduct } from './product.ts';
import type { Services } from './services.ts';

/** Creates the switch of this window's MCP server; starting it opens the endpoint. */
export function createServer(
  {
    version,
    clock,
    state,
    redactor,
    channel,
    log,
    workspace,
    auditLog,
    tokens,
    approvals,
    policy,
    core,
    offer,
    windowClaim,
    nativeEdits,
    nativeCommands,
    outside,
  }: Services,
  context: vscode.ExtensionContext,
  focus: WindowFocus,
): ServerSwitch {
  const recordAuthFailure = authFailureRecorder({
    clock,
    auditLog,
    notify: () =>
      void offerLog(
        channel,
        redactor.redact,
        vscode.l10n.t('A program without the right token tried to reach Drawbridge in this window. It was refused.'),
      ),
  });
  const tellForwarded = forwardedNotice(clock);
  const tellUnknownTool = unknownToolNotice(auditLog);
  const server = new ServerSwitch({
    async open() {
      workspace.restrict();
      const { environmentVariableCollection: variables, storageUri } = context;
      nameWindowInTerminals(variables, workspace.windowId, storageUri !== undefined);
      const token = makeSecret();
      redactor.add(token);
      const started = await startServer({
        token,
        product: createProduct(version, core, offer),
        clock,
        drawbridgeHome: state.home,
        window: () => ({
          ...describeWindow(workspace, version),
          focusedAt: focus.focusedAt,
          waiting: approvals.all.filter(awaitsUser).length + approvals.waitingReads.length,
        }),
        namedTokens: () => tokens.credentials(),
        onNamedTokenUsed: (name) => tokens.used(name),
        onSession({ state: change, principal, client, protocolVersion, sessionId, endsPrincipal }) {
          const { credential } = principal;
          auditLog.event({ event: `session.${change}`, credential, sessionId, client, protocolVersion });
          if (endsPrincipal) policy.file.endPrincipal(principal);
        },
        answerHook: (call, signal) =>
          isCommand(call) ? nativeCommands.answer(call, signal) : nativeEdits.answer(call, signal),
        onUnknownTool: tellUnknownTool,
        onMoment: outside.moment,
        isAwaited: (principal) => isAwaited(principal, approvals),
        httpPort: () => windowClaim.httpPort(),
        onAuthenticationFailure: recordAuthFailure,
        onForwarded: tellForwarded,
        onError: (error) => log.error('The server met an error', error),
      });
      auditLog.event({ event: 'server.start', endpoint: started.endpoint, version });
      return started;
    },
    beforeStop: () => auditLog.event({ event: 'server.stop' }),
    onFailure(error) {
      log.error('The server could not be started', error);
      void offerLog(channel, redactor.redact, vscode.l10n.t('Drawbridge could not start: {0}', messageOf(error)));
    },
  });
  server.onDidChange(() => {
    if (server.state === 'stopped') outside.endSessions();
  });
  return server;
}

/** Tells whether the user has yet to answer a request of a principal. */
function isAwaited(principal: Principal, { all, waitingReads }: Services['approvals']): boolean {
  const key = principalKey(principal);
  const isOwn = (card: { readonly principal: Principal }): boolean => principalKey(card.principal) === key;
  return all.some((card) => card.state === 'waiting' && isOwn(card)) || waitingReads.some(isOwn);
}

function describeWindow(workspace: Workspace, version: string): Omit<WindowDescription, 'focusedAt' | 'waiting'> {
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
