import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { logLevels, type Log, type LogLevel } from '#base/toolError.ts';

/**
 * Sends remarks of a call to its client, on the stream of the call.
 * @param least the level that the client asked for; read at each remark, since a session may change it. Undefined: none is sent.
 */
export function clientLog(context: ServerContext, least: () => LogLevel | undefined): Log {
  return (level, message) => {
    const wanted = least();
    if (wanted === undefined || logLevels.indexOf(level) < logLevels.indexOf(wanted)) return;
    const params = { level, logger: 'drawbridge', data: message };
    // The stream may be gone; the call itself is told so by its signal, where the revision wants that.
    context.mcpReq.notify({ method: 'notifications/message', params }).catch(() => undefined);
  };
}

/** What a session whose log has everything is told the changes of, so that its client can follow the user. */
export const followedResources: readonly string[] = ['drawbridge://selection', 'drawbridge://diagnostics'];
/** With every key that is typed: at `info`, which clients set by themselves, it would fill their logs. */
export const followingLevel: LogLevel = 'debug';

/** Says in a session's log, outside of any call, that a resource holds something else. @param least as the client wants it now */
export async function logChange(server: Server, uri: string, least: LogLevel | undefined): Promise<void> {
  if (least !== followingLevel) return;
  const params = { level: followingLevel, logger: 'drawbridge', data: { changed: uri } };
  await server.notification({ method: 'notifications/message', params });
}
