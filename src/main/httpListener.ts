import type { Subscription } from '#base/event.ts';
import type { HttpListenerState } from '#base/httpListener.ts';
import type { ServerSwitch } from '#mcp/serverSwitch.ts';
import {
  copyHttpUrl,
  retryHttpListener,
  tellClosed,
  type HttpListenerAccess,
} from '#ui/connections/httpListenerCommands.ts';
import type { Commands } from './commands.ts';
import type { Services } from './services.ts';

/** Creates the commands of the listener for HTTP clients, and tells the user when it could not be opened. */
export function createHttpListener({ tokens, log }: Services, server: ServerSwitch) {
  const state = (): HttpListenerState | undefined => server.running?.httpListener();
  const access: HttpListenerAccess = {
    state,
    settle: async () => {
      await server.start();
      await server.running?.updateHttpListener();
    },
    retry: async () => server.running?.retryHttpListener(),
  };
  let shownState: HttpListenerState | undefined;
  const disposables: Subscription[] = [
    tokens.onDidChange(() => {
      server.running
        ?.updateHttpListener()
        .catch((error: unknown) => log.error('The listener for HTTP clients met an error', error));
    }),
    server.onDidChange(() => {
      const now = state();
      if (now === shownState) return;
      shownState = now;
      if (now?.kind === 'busy' || now?.kind === 'failed') void tellClosed(now);
    }),
  ];
  const commands: Commands = {
    copyHttpUrl: () => copyHttpUrl(access),
    retryHttpListener: () => retryHttpListener(access),
  };
  return { commands, disposables };
}
