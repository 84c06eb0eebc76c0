import type { ServerContext } from '@modelcontextprotocol/server';
import { logLevels, type Log, type LogLevel } from '../core/tool.ts';

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
