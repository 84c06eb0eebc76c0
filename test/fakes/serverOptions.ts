import { systemClock } from '#base/clock.ts';
import { makeSecret } from '#mcp/auth.ts';
import type { Product } from '#mcp/product.ts';
import type { ServerOptions } from '#mcp/server.ts';

/** Returns the options of a server for a window with one folder and without notifications. */
export function serverOptions(product: Product, drawbridgeHome: string): ServerOptions {
  return {
    product,
    drawbridgeHome,
    token: makeSecret(),
    clock: systemClock,
    window: () => ({
      windowId: 'window-1',
      folders: [{ name: 'one', path: '/one', uri: 'file:///one' }],
      workspaceName: 'one',
      trusted: true,
      extensionVersion: '0.0.0',
      editor: { name: 'Editor', version: '1.0.0' },
      focusedAt: 0,
    }),
    namedTokens: () => [],
    onNamedTokenUsed: () => undefined,
    onSession: () => undefined,
    answerHook: async () => ({ decision: 'none' }),
    isAwaited: () => false,
    httpPort: async () => undefined,
    onAuthenticationFailure: () => undefined,
    onForwarded: () => undefined,
    onError: () => undefined,
  };
}
