import type { Members, Notification, Request } from './jsonRpc.ts';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Returns the protocol revision that a message claims; only messages of the 2026 era claim one. */
export function claimedRevision(params: Members): string | undefined {
  const meta = params['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  const revision: unknown = Object.getOwnPropertyDescriptor(meta, versionKey)?.value;
  return typeof revision === 'string' ? revision : undefined;
}

/** The parameter that the `Mcp-Name` header mirrors, for each method (SEP-2243, SEP-2663). */
const nameSources: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Returns the HTTP headers of a message of the 2026 era; they mirror its body. */
export function modernHeaders({ method, params }: Request | Notification): Record<string, string> {
  const name = params[nameSources.get(method) ?? ''];
  return {
    'MCP-Protocol-Version': headerValue(claimedRevision(params) ?? ''),
    'Mcp-Method': headerValue(method),
    ...(typeof name === 'string' && { 'Mcp-Name': headerValue(name) }),
  };
}

/** Encodes a value that is no plain header value as Base64, in the form that MCP specifies. */
function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
