import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { logLevels, type Log, type LogLevel } from '#base/toolError.ts';

/**
 * Returns a log that sends messages of a call to its client, on the stream of the call.
 * @param least returns the client's minimum level, or undefined to send nothing; read at each message, since a session may
 *   change it
 */
export function clientLog(context: ServerContext, least: () => LogLevel | undefined): Log {
  return (level, message) => {
    const wanted = least();
    if (wanted === undefined || logLevels.indexOf(level) < logLevels.indexOf(wanted)) return;
    const params = { level, logger: 'drawbridge', data: message };
    // The stream may have closed. The signal of the call reports that, where the revision requires it.
    context.mcpReq.notify({ method: 'notifications/message', params }).catch(() => undefined);
  };
}

/** The resources whose changes a session at level `debug` sees in its log, so that its client can follow the user. */
export const followedResources: readonly string[] = ['drawbridge://selection', 'drawbridge://diagnostics'];
/** These changes occur at each keystroke: at `info`, which clients set by themselves, they would fill the logs. */
export const followingLevel: LogLevel = 'debug';

/**
 * Logs the change of a resource in a session, outside of any call.
 * @param least the client's minimum level at present
 */
export async function logChange(server: Server, uri: string, least: LogLevel | undefined): Promise<void> {
  if (least !== followingLevel) return;
  const params = { level: followingLevel, logger: 'drawbridge', data: { changed: uri } };
  await server.notification({ method: 'notifications/message', params });
}
