import { describe, expect, it } from 'vitest';
import { keepVersionKey } from '#audit/textVersion.ts';
import { tools } from '#tools/index.ts';
import { endless, startShippedWindow, type ShippedWindow } from './protocol/shippedWindow.ts';
import { Transcript } from './transcript.ts';

const clientInfo = { name: 'transcript', version: '1.0.0' };
const readme = 'file:///w/readme.md';
const rootsAnswer = { roots: [{ uri: 'file:///w', name: 'w' }] };

/** Two tools are enough, since a new tool does not change the protocol. The snapshots of `toolLaws.test.ts` hold the others. */
const twoTools = tools.filter(({ name }) => name === 'search_code' || name === 'read_file');

/** The connection of the client's requests. Without one, the server asks no client for roots. */
const connection = '0123456789abcdef0123456789abcdef';

/** The requests of a client of either era, with their purpose. */
const calls = [
  ['a result', 'tools/call', { name: 'read_file', arguments: { path: 'readme.md' } }],
  ['an error inside a tool', 'tools/call', { name: 'read_file', arguments: { path: 'none.md' } }],
  ['invalid arguments', 'tools/call', { name: 'read_file', arguments: { path: 7 } }],
  ['an unknown tool', 'tools/call', { name: 'nosuch', arguments: {} }],
] as const;

const lists = [
  ['the tools', 'tools/list', {}],
  ['a cursor that is none', 'tools/list', { cursor: 'none' }],
  ['the resources', 'resources/list', {}],
  ['a cursor of resources that is none', 'resources/list', { cursor: 'none' }],
  ['the templates', 'resources/templates/list', {}],
  ['a resource', 'resources/read', { uri: readme }],
  ['a resource that is not there', 'resources/read', { uri: 'file:///w/none.md' }],
  ['the prompts', 'prompts/list', {}],
  ['a prompt', 'prompts/get', { name: 'make_change', arguments: { goal: 'Greet in French' } }],
  ['a prompt without what it needs', 'prompts/get', { name: 'make_change', arguments: {} }],
  ['an unknown prompt', 'prompts/get', { name: 'nosuch' }],
  [
    'completion of a path',
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'drawbridge://files/{+path}' }, argument: { name: 'path', value: 'gre' } },
  ],
  [
    'completion for an unknown prompt',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'nosuch' }, argument: { name: 'x', value: '' } },
  ],
] as const;

const endlessCall = { name: 'search_code', arguments: { query: endless } };

/** A client of the 2025 era, which speaks in a session. */
class SessionClient {
  readonly transcript: Transcript;
  readonly #window: ShippedWindow;
  readonly #revision: string;
  #headers: Record<string, string> = {};
  #id = 0;

  constructor(window: ShippedWindow, revision: string) {
    this.transcript = new Transcript(window);
    this.#window = window;
    this.#revision = revision;
  }

  get headers(): Record<string, string> {
    return this.#headers;
  }

  async open(): Promise<void> {
    const { transcript } = this;
    transcript.step('initialize');
    const params = { protocolVersion: this.#revision, capabilities: { roots: { listChanged: true } }, clientInfo };
    const answer = await transcript.exchange('POST', {}, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const session = String(answer['mcp-session-id']);
    transcript.name(session, '<session>');
    this.#headers = {
      'Mcp-Session-Id': session,
      // The header came with 2025-06-18.
      ...(this.#revision >= '2025-06-18' && { 'MCP-Protocol-Version': this.#revision }),
    };
    await this.tell('notifications/initialized');
  }

  async tell(method: string, params?: object): Promise<void> {
    await this.post({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
  }

  async ask(method: string, params?: object): Promise<void> {
    await this.begin(method, params).rest();
  }

  begin(method: string, params?: object) {
    const message = { jsonrpc: '2.0', id: ++this.#id, method, ...(params !== undefined && { params }) };
    return this.transcript.begin('POST', this.#headers, message);
  }

  get lastId(): number {
    return this.#id;
  }

  async post(body: Parameters<Transcript['begin']>[2]): Promise<void> {
    await this.transcript.exchange('POST', this.#headers, body);
  }

  /** Sends the first call of a client with roots, and answers the server's question for them. */
  async callAndTellRoots(): Promise<void> {
    this.transcript.step('a call, and the roots that it is asked for');
    const call = this.begin('tools/call', { name: 'search_code', arguments: { query: 'Greetings' } });
    const { id } = await call.next();
    await this.post({ jsonrpc: '2.0', id, result: rootsAnswer });
    await call.rest();
  }

  async callAndCancel(): Promise<void> {
    this.transcript.step('a call that takes long, and is cancelled');
    const begun = new Promise((resolve) => this.#window.search.onBegin(resolve));
    const call = this.begin('tools/call', { ...endlessCall, _meta: { progressToken: 'p' } });
    const id = this.lastId;
    await begun;
    this.transcript.happens('A second goes by.');
    this.#window.clock.advance(1000);
    await call.next();
    await this.tell('notifications/cancelled', { requestId: id, reason: 'Enough' });
    await call.rest();
  }

  async subscribe(): Promise<void> {
    const { transcript } = this;
    transcript.step('the stream on which the server speaks by itself');
    const stream = transcript.begin('GET', this.#headers);
    await stream.begun();
    await this.ask('resources/subscribe', { uri: readme });
    transcript.happens('readme.md changes.');
    this.#window.fileChanges.change('/w/readme.md');
    await stream.next();
    await this.ask('resources/unsubscribe', { uri: readme });
    await this.ask('resources/subscribe', { uri: 'file:///w/../etc/passwd' });
    transcript.happens('A tool is turned off.');
    const [first] = this.#window.catalog.tools;
    if (first !== undefined) this.#window.catalog.turnOff(first);
    await stream.next();
    stream.abort();
  }
}

// A fixed key makes the versions in the transcripts the same each time.
keepVersionKey(Buffer.alloc(32, 1));

describe('the messages on the wire, as a text', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'match the transcript of revision %s',
    async (revision) => {
      const window = await startShippedWindow({}, twoTools);
      const client = new SessionClient(window, revision);
      const { transcript } = client;
      await client.open();
      transcript.step('ping');
      await client.ask('ping');
      await client.callAndTellRoots();
      for (const [title, method, params] of [...calls, ...lists]) {
        transcript.step(title);
        await client.ask(method, params);
      }
      transcript.step('levels of the log');
      await client.ask('logging/setLevel', { level: 'debug' });
      await client.ask('logging/setLevel', { level: 'loud' });
      await client.callAndCancel();
      await client.subscribe();
      transcript.step('a batch');
      await client.post([
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: calls[0][2] },
      ]);
      transcript.step('what is none of it');
      await client.ask('nosuch/method');
      await client.post('{');
      await client.post({ jsonrpc: '2.0', id: 'x' });
      await transcript.exchange('POST', { ...client.headers, 'MCP-Protocol-Version': '1999-01-01' }, ping);
      await transcript.exchange('POST', {}, ping);
      await transcript.exchange('POST', { 'Mcp-Session-Id': 'nosuch' }, ping);
      transcript.step('the end of the session');
      await transcript.exchange('DELETE', client.headers);
      await client.post(ping);
      await expect(transcript.text).toMatchFileSnapshot(`transcripts/${revision}.txt`);
      expect(window.errors).toEqual([]);
    },
  );

  it('match the transcript of revision 2026-07-28', async () => {
    const window = await startShippedWindow({}, twoTools);
    const client = new ModernClient(window);
    const { transcript } = client;
    transcript.step('server/discover');
    await client.ask('server/discover', {});
    await client.callAndTellRoots();
    for (const [title, method, params] of [...calls, ...lists]) {
      transcript.step(title);
      await client.ask(method, params);
    }
    await client.callAndCancel();
    await client.listen();
    transcript.step('what is none of it');
    await client.ask('nosuch/method', {});
    await client.ask('ping', {});
    await client.ask('tools/list', {}, { 'Mcp-Method': 'tools/call' });
    await client.ask('tools/list', {}, { 'MCP-Protocol-Version': '2031-01-01' }, '2031-01-01');
    await client.post([ping, ping]);
    await client.post('{');
    await transcript.exchange('GET', { 'MCP-Protocol-Version': '2026-07-28' });
    await transcript.exchange('DELETE', { 'MCP-Protocol-Version': '2026-07-28' });
    await expect(transcript.text).toMatchFileSnapshot('transcripts/2026-07-28.txt');
    expect(window.errors).toEqual([]);
  });
});

const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' } as const;

/** A client of the 2026 era, whose requests are independent of each other. */
class ModernClient {
  readonly transcript: Transcript;
  readonly #window: ShippedWindow;
  #id = 0;

  constructor(window: ShippedWindow) {
    this.transcript = new Transcript(window);
    this.#window = window;
  }

  async ask(method: string, params: object, headers = {}, revision = '2026-07-28'): Promise<void> {
    await this.begin(method, params, headers, revision).rest();
  }

  async post(body: Parameters<Transcript['begin']>[2]): Promise<void> {
    await this.transcript.exchange('POST', { 'MCP-Protocol-Version': '2026-07-28' }, body);
  }

  begin(method: string, given: object, headers = {}, revision = '2026-07-28') {
    const { _meta: more = {}, ...params }: { _meta?: object; name?: string; uri?: string } = given;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
      ...more,
    };
    const name = params.name ?? params.uri;
    return this.transcript.begin(
      'POST',
      {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        'Drawbridge-Connection': connection,
        ...(name !== undefined && { 'Mcp-Name': name }),
        ...headers,
      },
      { jsonrpc: '2.0', id: ++this.#id, method, params: { ...params, _meta: meta } },
    );
  }

  /** Sends the first call of a client with roots, which returns a question, and sends it again with the answer. */
  async callAndTellRoots(): Promise<void> {
    this.transcript.step('a call, and the roots that it is asked for');
    const call = { name: 'search_code', arguments: { query: 'Greetings' } };
    const first = this.begin('tools/call', call);
    const { result } = await first.next();
    await first.rest();
    const { inputRequests = {}, requestState }: { inputRequests?: object; requestState?: string } = result ?? {};
    if (requestState !== undefined) this.transcript.name(requestState, '<state>');
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, rootsAnswer]));
    await this.ask('tools/call', { ...call, inputResponses, ...(requestState !== undefined && { requestState }) });
  }

  async listen(): Promise<void> {
    const { transcript } = this;
    transcript.step('a stream on which the server speaks by itself');
    const stream = this.begin('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions: [readme, 'file:///w/../etc/passwd'] },
    });
    await stream.next();
    transcript.happens('readme.md changes.');
    this.#window.fileChanges.change('/w/readme.md');
    await stream.next();
    transcript.happens('A tool is turned off.');
    const [first] = this.#window.catalog.tools;
    if (first !== undefined) this.#window.catalog.turnOff(first);
    await stream.next();
    stream.abort();
  }

  async callAndCancel(): Promise<void> {
    this.transcript.step('a call that takes long, and is cancelled');
    const begun = new Promise<AbortSignal>((resolve) => void this.#window.search.onBegin(resolve));
    const call = this.begin('tools/call', { ...endlessCall, _meta: { progressToken: 'p' } });
    const signal = await begun;
    this.transcript.happens('A second goes by.');
    this.#window.clock.advance(1000);
    await call.next();
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    call.abort();
    await aborted;
  }
}
