import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { logLevels, type LogLevel } from '#base/toolError.ts';

/** The least level of `notifications/message` that a 2026-07-28 request asks for; undefined when it asks for none. */
export function logLevelOf(context: ServerContext): LogLevel | undefined {
  const asked = valueOf(context, LOG_LEVEL_META_KEY);
  return logLevels.find((level) => level === asked);
}

/** The capabilities that the client of a 2026-07-28 request declares. */
export function declaredCapabilities(context: ServerContext): object {
  const declared = valueOf(context, CLIENT_CAPABILITIES_META_KEY);
  return typeof declared === 'object' && declared !== null ? declared : {};
}

/** The SDK's type of the envelope knows none of its keys. */
function valueOf({ mcpReq }: ServerContext, key: string): unknown {
  return Object.entries<unknown>(mcpReq.envelope ?? {}).find(([each]) => each === key)?.[1];
}
