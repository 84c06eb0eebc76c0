import type { WindowRecord } from '#home/windows.ts';
import { capabilities, modernRevision, serverInfo, sessionRevisions } from '#mcp/wire/capabilities.ts';
import { serverIcons } from '#mcp/wire/icons.ts';
import { instructions } from '#mcp/wire/instructions.ts';
import { featuresOf } from '#mcp/wire/revisions.ts';
import { printable } from './chooseWindow.ts';
import { errorText, isMembers, type Members, type Request, resultText } from './jsonRpc.ts';
import { claimedRevision } from './modernHeaders.ts';
import type { Era, PendingRequest } from './pendingRequests.ts';

/** JSON-RPC leaves this code to the implementation; the window's own server uses it for its refusals too. */
const unavailableCode = -32000;
/** SEP-2575. */
const unsupportedRevisionCode = -32022;
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

const rememberedMethods: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/unsubscribe']);

/** What a call hears whose connection broke. */
const brokenMessage = 'The editor window was reloaded or closed while this call ran.';
const brokenHint = 'Call it again; if it was a change that waits for the user, the same call joins it.';

/** Why there is no window to ask. */
interface Situation {
  /** In words, such as "the folder /work/shop". */
  readonly wanted: string;
  readonly open: readonly WindowRecord[];
  /** The window that would be the right one, were it to answer. */
  readonly silent: WindowRecord | undefined;
}

/** Every answer that the bridge gives by itself, in the words of either era. */
export class Answers {
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  /** The answer to `initialize`, as a window's server of this version gives it. */
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

  /** The answer to `server/discover`. */
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

  /** The end of a subscription that has nothing to tell. */
  subscriptionEnded({ id }: Request, meta: Members): string {
    return resultText(id, this.#result('2026', {}, meta));
  }

  /** A request whose answer was lost on the way. */
  broken({ request, era }: PendingRequest): string {
    return this.#failed(request, era, 'session_closed', brokenMessage, brokenHint);
  }

  /** A request that the window refused on the level of HTTP; the window's own words where it has some for this request. */
  refused({ request }: PendingRequest, status: number, body: string): string {
    const error = errorOf(body);
    if (error !== undefined) return JSON.stringify({ jsonrpc: '2.0', id: request.id, error });
    const hint = status === 429 || status === 503 ? ' Try again later.' : '';
    return errorText(request.id, unavailableCode, `The editor window refused this with HTTP status ${status}.${hint}`);
  }

  /** A request while no window is there. */
  withoutWindow({ request, era }: PendingRequest, situation: Situation, toolList: Members): string {
    const { id, method } = request;
    if (method === 'tools/list') return resultText(id, this.#list(era, toolList));
    if (method === 'resources/list') return resultText(id, this.#list(era, { resources: [] }));
    if (method === 'resources/templates/list') return resultText(id, this.#list(era, { resourceTemplates: [] }));
    if (method === 'prompts/list') return resultText(id, this.#list(era, { prompts: [] }));
    if (method === 'completion/complete') return resultText(id, this.#result(era, { completion: { values: [] } }));
    // The bridge remembers these by itself, for the next window.
    if (era === '2025' && rememberedMethods.has(method)) return resultText(id, {});
    const { message, hint } = describeWindows(situation);
    return this.#failed(request, era, 'workspace_unavailable', message, hint);
  }

  #failed(request: Request, era: Era, code: string, message: string, hint: string): string {
    const text = `${message} ${hint} [${code}]`;
    if (request.method !== 'tools/call') return errorText(request.id, unavailableCode, text, { code, message, hint });
    return resultText(request.id, this.#result(era, { content: [{ type: 'text', text }], isError: true }));
  }

  /** @param list it may be another one at any moment, so nobody keeps it */
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

/** Says why no window is there and what the user can do, in a sentence each. */
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
