import * as vscode from 'vscode';
import { type Subscription } from '#base/event.ts';
import type { ApprovalFile } from '#changes/approval.ts';
import type { ServerAccess } from '#connect/editor/mcpProvider.ts';
import { WindowFocus } from '#editor/windowFocus.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import { folderContaining } from '#policy/paths.ts';
import { type ApprovalsView } from '#ui/approvals/approvalsView.ts';
import { showRecovered } from '#ui/recoveryNotice.ts';
import { withdrawRevoked } from './accessTokens.ts';
import type { Commands } from './commands.ts';
import { createEditorConnection } from './editorConnection.ts';
import { WindowGuard } from '#home/windowGuard.ts';
import { createHttpListener } from './httpListener.ts';
import { createServer } from './server.ts';
import { createServices } from './services.ts';
import type { Shell } from './shell.ts';
import { createViews } from './views.ts';

/** The extension, once something needs it. */
export interface Main {
  readonly approvalsView: ApprovalsView;
  /** Carries out a command of the manifest. */
  run(command: string, parameters: readonly unknown[]): unknown;
  /** Starts the server as `drawbridge.start` says, but not before the workspace is trusted. */
  startByItself(): Promise<void>;
  /** Connects the editor's own agent. The message of an error is for the user. */
  connectEditor(): Promise<ServerAccess>;
  dispose(): Promise<void>;
}

export async function createMain(shell: Shell): Promise<Main> {
  const services = await createServices(shell.context, shell.registeredTools);
  const { workspace, guardedWorkspace, approvals, auditLog, channel, log, policy, tokens } = services;
  const focus = new WindowFocus(services.clock);
  const server = createServer(services, shell.context, focus);
  const guard = new WindowGuard({
    home: services.state.home,
    clock: services.clock,
    workspace,
    server,
    onError: (error) => log.error('The guard record could not be written', error),
  });
  const httpListener = createHttpListener(services, server);
  const editor = createEditorConnection(services, server);
  const {
    approvalsView,
    commands: viewCommands,
    disposables: views,
  } = createViews(shell, services, server, editor.connectionId);
  void showRecovered(services.recovered, (id) => approvalsView.focusApproval(id));
  const disposables: Subscription[] = [
    ...views,
    ...httpListener.disposables,
    focus,
    focus.onDidGain(() => void server.running?.updateWindow()),
    server.onDidChange(() => shell.mcpProvider.showEndpoint(server.running?.endpoint)),
    tokens.onDidRevoke((name) => {
      auditLog.event({ event: 'token.change', name, state: 'revoked' });
      withdrawRevoked(approvals, services.clock, ({ credential }) => credential === name);
      policy.file.endCredential(name);
      server.running
        ?.closeCredential(name)
        .catch((error: unknown) => log.error('What a revoked token had open could not be closed', error));
    }),
    workspace.onDidChange(() => {
      const folders = guardedWorkspace.folders();
      const isInside = ({ realPath, to }: ApprovalFile): boolean =>
        [realPath, to?.realPath ?? realPath].every((path) => folderContaining(path, folders) !== undefined);
      approvals.withdraw(
        ({ files: changed }, places) =>
          !changed.every(isInside) || places.some((uri) => foundFile(vscode.Uri.parse(uri), folders) === undefined),
        vscode.l10n.t('Its folder was removed from the workspace; nothing was changed.'),
      );
      void server.running?.updateWindow();
    }),
    ...services.disposables,
  ];
  const commands: Commands = {
    ...viewCommands,
    ...httpListener.commands,
    start: () => server.start(),
    stop() {
      approvals.withdraw(() => true, vscode.l10n.t('Drawbridge was stopped; nothing was changed.'));
      approvals.withdrawReads(() => true);
      return server.stop();
    },
    restart: () => server.restart(),
    showLog: () => channel.show(),
    enableEdits: () => workspace.enableEdits(),
    resumeAssistants() {
      for (const { id } of approvals.restrictions) approvals.lift(id);
    },
  };
  return {
    approvalsView,
    run(command, parameters) {
      const carryOut = commands[command.replace(/^drawbridge\./, '')];
      if (carryOut === undefined) throw new Error(`There is no command ${command}`);
      return carryOut(...parameters);
    },
    connectEditor: editor.connect,
    async startByItself() {
      if (vscode.workspace.isTrusted) return server.start();
      disposables.push(vscode.workspace.onDidGrantWorkspaceTrust(() => void server.start()));
    },
    async dispose() {
      await guard.end().catch((error: unknown) => log.error('The guard record could not be closed', error));
      // Hooks that wait see the connection close, and ask the window again after a reload.
      services.nativeEdits.suspend();
      services.nativeCommands.suspend();
      approvals.suspend();
      services.windowClaim.release();
      await server.stop();
      await Promise.all([approvals.settled(), policy.file.flush()]);
      for (const disposable of disposables) disposable.dispose();
      await services.headKeeper.end();
    },
  };
}
