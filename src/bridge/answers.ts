import type { WindowRecord } from '#home/windowFiles.ts';
import { capabilities, serverInfo } from '#mcp/wire/capabilities.ts';
import { serverIcons } from '#mcp/wire/icons.ts';
import { instructions } from '#mcp/wire/instructions.ts';
import { featuresOf, modernRevision, sessionRevisions } from '#mcp/wire/revisions.ts';
import { printable } from './chooseWindow.ts';
import { errorText, isMembers, type Members, type Request, resultText } from './jsonRpc.ts';
import { claimedRevision } from './modernHeaders.ts';
import type { Era, PendingRequest } from './pendingRequests.ts';

/** JSON-RPC leaves this code to the implementation; the server of a window uses it for its refusals, too. */
const unavailableCode = -32000;
/** The code of SEP-2575 for a protocol version that the server does not support. */
const unsupportedRevisionCode = -32022;
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

const rememberedMethods: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/unsubscribe']);

/** The error text of a tool call whose connection broke. */
const brokenMessage = 'The editor window was reloaded or closed while this call ran.';
const brokenHint =
  'Call again. If the call proposed a change, read its files first: the user may have applied it just before.';

/** Explains why no window can answer a request. */
interface Situation {
  /** The folder that a window must have open, in words such as "the folder /work/shop". */
  readonly wanted: string;
  readonly open: readonly WindowRecord[];
  /** The window that fits, but does not answer. */
  readonly silent: WindowRecord | undefined;
}

/** Makes every answer that the bridge gives without a window, in the form of either protocol era. */
export class Answers {
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  /** Returns the answer to `initialize` that the server of a window of this version would give. */
  initialize({ id, params }: Request): string {
    const asked = params['protocolVersion'];
    const protocolVersion = sessionRevisions.find((revision) => revision === asked) ?? sessionRevisions[0];
    const { icons } = featuresOf(typeof asked === 'string' ? asked : undefined);
    return resultText(id, {
      protocolVersion,
      capabilities,
      serverInfo: { ...serverInfo(this.#version), ...(icons && { icons: serverIcons }) },
      instructions,
    });
  }

  /** Returns the answer to `server/discover`. */
  discover({ id, params }: Request): string {
    const requested = claimedRevision(params);
    if (requested !== modernRevision) {
      const data = { supported: [modernRevision], requested };
      return errorText(id, unsupportedRevisionCode, `Unsupported protocol version: ${requested}`, data);
    }
    const supported = { supportedVersions: [modernRevision], capabilities, instructions };
    const result = this.#list('2026', supported);
    const meta = { [serverInfoKey]: { ...serverInfo(this.#version), icons: serverIcons } };
    return resultText(id, { ...result, _meta: meta });
  }

  /** Returns the answer that ends a subscription without any notification to send. */
  subscriptionEnded({ id }: Request, meta: Members): string {
    return resultText(id, this.#result('2026', {}, meta));
  }

  /** Returns the answer to a request whose connection broke before the window answered. */
  broken({ request, era }: PendingRequest): string {
    return this.#failed(request, era, 'session_closed', brokenMessage, brokenHint);
  }

  /**
   * Returns the answer to a request that the window refused with an HTTP error; keeps the JSON-RPC error of the window
   * if it sent one.
   */
  refused({ request }: PendingRequest, status: number, body: string): string {
    const error = errorOf(body);
    if (error !== undefined) return JSON.stringify({ jsonrpc: '2.0', id: request.id, error });
    const hint = status === 429 || status === 503 ? ' Try again later.' : '';
    return errorText(request.id, unavailableCode, `The editor window refused this with HTTP status ${status}.${hint}`);
  }

  /** Returns the answer to a request when no window is available: an empty list, or an error. */
  withoutWindow({ request, era }: PendingRequest, situation: Situation, toolList: Members): string {
    const { id, method } = request;
    if (method === 'tools/list') return resultText(id, this.#list(era, toolList));
    if (method === 'resources/list') return resultText(id, this.#list(era, { resources: [] }));
    if (method === 'resources/templates/list') return resultText(id, this.#list(era, { resourceTemplates: [] }));
    if (method === 'prompts/list') return resultText(id, this.#list(era, { prompts: [] }));
    if (method === 'completion/complete') return resultText(id, this.#result(era, { completion: { values: [] } }));
    // The bridge remembers the log level and the subscriptions for the next window.
    if (era === '2025' && rememberedMethods.has(method)) return resultText(id, {});
    const { message, hint } = describeWindows(situation);
    return this.#failed(request, era, 'workspace_unavailable', message, hint);
  }

  #failed(request: Request, era: Era, code: string, message: string, hint: string): string {
    const text = `${message} ${hint} [${code}]`;
    if (request.method !== 'tools/call') return errorText(request.id, unavailableCode, text, { code, message, hint });
    return resultText(request.id, this.#result(era, { content: [{ type: 'text', text }], isError: true }));
  }

  /** @param list may change at any moment, so the answer tells the client not to cache it */
  #list(era: Era, list: Members): Members {
    return this.#result(era, era === '2025' ? list : { ...list, ttlMs: 0, cacheScope: 'private' });
  }

  #result(era: Era, result: Members, meta: Members = {}): Members {
    if (era === '2025') return result;
    const allMeta = { ...meta, [serverInfoKey]: serverInfo(this.#version) };
    return { ...result, resultType: 'complete', _meta: allMeta };
  }
}

function errorOf(body: string): Members | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    if (!isMembers(answer) || !isMembers(answer['error'])) return undefined;
    return answer['error'];
  } catch {
    return undefined;
  }
}

const maximumWindows = 8;
const maximumFolders = 4;

/** Returns one sentence that says why no window is available, and one that says what the user can do. */
function describeWindows({ wanted, open, silent }: Situation): { message: string; hint: string } {
  if (silent !== undefined) {
    return {
      message: `The editor window with ${describeFolders(silent)} does not answer.`,
      hint: 'Ask the user to reload or reopen that window, then call again; nothing has to be reconnected.',
    };
  }
  const windows = open.slice(0, maximumWindows).map(describeFolders);
  if (open.length > maximumWindows) windows.push(`${open.length - maximumWindows} more`);
  const others = windows.length === 0 ? 'no window with Drawbridge is open' : `open are: ${windows.join('; ')}`;
  return {
    message: `No editor window with Drawbridge has ${wanted} open (${others}).`,
    hint: 'Ask the user to open it in the editor, or to run the command "Drawbridge: Start" in the window that has it open, then call again; nothing has to be reconnected.',
  };
}

function describeFolders({ folders }: WindowRecord): string {
  if (folders.length === 0) return 'no folder';
  const paths = folders.slice(0, maximumFolders).map(({ path }) => printable(path));
  if (folders.length > maximumFolders) paths.push(`${folders.length - maximumFolders} more`);
  return paths.join(', ');
}
