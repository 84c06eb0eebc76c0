import type { Members, Notification, Request } from './jsonRpc.ts';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** The revision that a message says it follows; only messages of the 2026 era say so. */
export function claimedRevision(params: Members): string | undefined {
  const meta = params['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  const revision: unknown = Object.getOwnPropertyDescriptor(meta, versionKey)?.value;
  return typeof revision === 'string' ? revision : undefined;
}

/** Which member a method's `Mcp-Name` header mirrors (SEP-2243, SEP-2663). */
const nameSources: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The headers that a message of the 2026 era must have over HTTP; they mirror its body. */
export function modernHeaders({ method, params }: Request | Notification): Record<string, string> {
  const name = params[nameSources.get(method) ?? ''];
  return {
    'MCP-Protocol-Version': headerValue(claimedRevision(params) ?? ''),
    'Mcp-Method': headerValue(method),
    ...(typeof name === 'string' && { 'Mcp-Name': headerValue(name) }),
  };
}

/** What is no plain header value goes as Base64 in a form that the specification gives for it. */
function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
