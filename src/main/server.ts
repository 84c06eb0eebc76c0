import * as vscode from 'vscode';
import { callTool } from '../core/callTool.ts';
import { instructions } from '../core/instructions.ts';
import { readResource } from '../core/readResource.ts';
import type { Workspace } from '../ports/workspace.ts';
import { makeSecret } from '../server/auth.ts';
import { startServer, type WindowDescription } from '../server/server.ts';
import { ServerSwitch } from '../server/serverSwitch.ts';
import { authFailureRecorder } from '../vscode/record/authFailures.ts';
import { messageOf, offerLog } from './offerLog.ts';
import type { Services } from './services.ts';

/** This window's endpoint, which is opened when it is started. */
export function createServer({
  version,
  clock,
  state,
  redactor,
  channel,
  log,
  workspace,
  auditLog,
  tokens,
  policy,
  core,
}: Services): ServerSwitch {
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
        namedTokens: () => tokens.credentials(),
        onNamedTokenUsed: (name) => tokens.used(name),
        onSession({ state: change, principal, client, protocolVersion, sessionId, endsPrincipal }) {
          const { credential } = principal;
          auditLog.event({ event: `session.${change}`, credential, sessionId, client, protocolVersion });
          if (endsPrincipal) policy.file.endPrincipal(principal);
        },
        onAuthenticationFailure: recordAuthFailure,
        onError: (error) => log.error('The server met an error', error),
      });
      auditLog.event({ event: 'server.start', endpoint: server.endpoint, version });
      return server;
    },
    beforeStop: () => auditLog.event({ event: 'server.stop' }),
    onFailure(error) {
      log.error('The server could not be started', error);
      void offerLog(channel, redactor.redact, vscode.l10n.t('Drawbridge could not start: {0}', messageOf(error)));
    },
  });
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
