import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { Emitter } from '#base/event.ts';
import type { ClientInfo } from '#base/principal.ts';
import type { CallOrigin, Call, CallOutcome } from '#call/callTool.ts';
import type {
  CompletionOutcome,
  CompletionRequest,
  PromptOutcome,
  RequestFailure,
  ResourceListOutcome,
  ResourceOutcome,
  WatchOutcome,
} from '#call/outcomes.ts';
import { definePrompt } from '#call/prompt.ts';
import { defineResource } from '#call/resource.ts';
import { defaultProfile, type ResultProfile } from '#call/resultProfile.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import type { Product } from '#mcp/product.ts';
import { startServer, type RunningServer, type ServerOptions } from '#mcp/server.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { serverOptions } from '../fakes/serverOptions.ts';
import { initialize, jsonHeaders, send } from './rawHttp.ts';

export * from './rawHttp.ts';

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Answers with its argument.',
  toolset: 'workspace',
  risk: 'read',
  needs: [],
  input: inputFromZod(z.strictObject({ text: z.string() })),
  output: outputFromZod(z.object({ text: z.string() })),
  targets: () => [],
  run: async ({ text }) => ({ text }),
  render: ({ text }) => ({ text }),
});

const wait = defineTool({
  ...echo,
  name: 'wait',
  title: 'Wait',
  hasLongResults: true,
  description: 'Ends when it is cancelled or released.',
});

const workspaceFile = defineResource({
  address: { uriTemplate: 'file:///{+path}' },
  name: 'workspace_file',
  title: 'File of the workspace',
  description: 'A file.',
  judgedAs: 'echo',
  needs: [],
  match: () => undefined,
  targets: () => [],
  read: () => Promise.reject(new Error('The product answers by itself')),
  watch: () => ({ dispose: () => undefined }),
});

const greet = definePrompt({
  name: 'greet_someone',
  title: 'Greet someone',
  description: 'Says hello.',
  arguments: [{ name: 'who', title: 'Who', description: 'Whom to greet.', required: true }],
  judgedAs: 'echo',
  needs: [],
  targets: () => [],
  messages: () => Promise.reject(new Error('The product answers by itself')),
});

/** One watch of a test's resource. */
interface Watcher {
  readonly uri: string;
  readonly call: CallOrigin;
  readonly changed: () => void;
}

/** A fake product. Tests can read and await its requests, and await the abort of a waiting call. */
export class FakeProduct implements Product {
  readonly serverInfo = { name: 'drawbridge', title: 'Drawbridge', version: '0.0.0-test' };
  readonly instructions = 'Use echo.';
  readonly catalog = new FakeCatalog([echo, wait], [workspaceFile], [greet]);
  readonly calls: Call[] = [];
  /** The requests other than tool calls, by what they asked for. */
  readonly asked: { readonly what: string; readonly call: CallOrigin }[] = [];
  readonly watchers = new Set<Watcher>();
  readonly changedResources = new Emitter<void>();
  readonly onDidChangeResources = this.changedResources.event;
  readonly changedProfiles = new Emitter<void>();
  readonly onDidChangeProfiles = this.changedProfiles.event;
  profile: Partial<ResultProfile> = {};
  /** Answers calls of tools that the fake does not implement. */
  answerOther: (call: Call) => Promise<CallOutcome> | CallOutcome = ({ tool }) => ({
    kind: 'unknown_tool',
    message: `There is no tool ${tool}.`,
  });
  running = 0;
  readonly #waiting: ((call: Call) => void)[] = [];
  readonly #released: (() => void)[] = [];

  async callTool(call: Call): Promise<CallOutcome> {
    this.calls.push(call);
    this.running++;
    try {
      return await this.#answer(call);
    } finally {
      this.running--;
    }
  }

  profileFor(client: ClientInfo | undefined): ResultProfile {
    return { ...defaultProfile, ...(client?.name === 'plain' && { structured: false }), ...this.profile };
  }

  async listResources(cursor: string | undefined, call: CallOrigin): Promise<ResourceListOutcome> {
    this.asked.push({ what: `list ${cursor}`, call });
    if (cursor === undefined) {
      const annotations = { audience: ['user'], priority: 0.5 } as const;
      return {
        kind: 'resources',
        resources: [{ uri: 'file:///here.txt', name: 'here', annotations }],
        nextCursor: '2',
      };
    }
    if (cursor !== '2') return { kind: 'invalid_params', message: 'Invalid cursor' };
    return { kind: 'resources', resources: [{ uri: 'test://last', name: 'last', size: 4 }] };
  }

  async watchResource(uri: string, call: CallOrigin, changed: () => void): Promise<WatchOutcome> {
    this.asked.push({ what: `watch ${uri}`, call });
    if (uri.startsWith('file:///secret')) return refusal(uri);
    if (uri.startsWith('crash:')) throw new Error('secret detail of a bug');
    const watcher: Watcher = { uri, call, changed };
    this.watchers.add(watcher);
    return { kind: 'watching', watch: { dispose: () => void this.watchers.delete(watcher) } };
  }

  /** Reports a change of a resource's content. */
  touch(uri: string): void {
    for (const watcher of this.watchers) if (watcher.uri === uri) watcher.changed();
  }

  async getPrompt(name: string, given: Readonly<Record<string, string>>, call: CallOrigin): Promise<PromptOutcome> {
    this.asked.push({ what: `prompt ${name}`, call });
    if (name === 'secret') return refusal(name);
    const { who } = given;
    if (who === undefined) return { kind: 'invalid_params', message: 'who is missing' };
    if (who === '?' && call.clientInput?.state === undefined) {
      return { kind: 'input_required', requests: { who: { method: 'roots/list' } }, state: 'asked' };
    }
    const text = `Hello ${who}`;
    return { kind: 'prompt', description: 'A greeting', messages: [{ role: 'user', content: { type: 'text', text } }] };
  }

  async complete(asked: CompletionRequest, call: CallOrigin): Promise<CompletionOutcome> {
    this.asked.push({ what: `complete ${JSON.stringify(asked)}`, call });
    if (asked.argument === 'nosuch') return { kind: 'invalid_params', message: 'There is no argument nosuch.' };
    return { kind: 'completion', values: [`${asked.typed}1`, `${asked.typed}2`], total: 7, hasMore: true };
  }

  async readResource(uri: string, call: CallOrigin): Promise<ResourceOutcome> {
    this.asked.push({ what: `read ${uri}`, call });
    if (uri === 'file:///here.txt')
      return { kind: 'contents', contents: [{ uri, mimeType: 'text/plain', text: 'here' }] };
    return refusal(uri);
  }

  /** Resolves with the next call of `wait` once it runs. */
  nextWait(): Promise<Call> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    for (const done of this.#released.splice(0)) done();
  }

  async #answer(call: Call): Promise<CallOutcome> {
    if (call.tool === 'crash') throw new Error('secret detail of a bug');
    if (call.tool === 'wait') return this.#wait(call);
    if (call.tool !== 'echo') return this.answerOther(call);
    const parsed = z.strictObject({ text: z.string() }).safeParse(call.arguments);
    if (!parsed.success) return { kind: 'invalid_arguments', message: `text: ${parsed.error.issues[0]?.message}` };
    const { text } = parsed.data;
    return { kind: 'result', result: { content: [{ type: 'text', text }], structuredContent: { text } } };
  }

  async #wait(call: Call): Promise<CallOutcome> {
    const ended = new Promise<void>((resolve) => {
      this.#released.push(resolve);
      call.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const resolve of this.#waiting.splice(0)) resolve(call);
    await ended;
    return {
      kind: 'result',
      result: { content: [{ type: 'text', text: 'done' }], structuredContent: { text: 'done' } },
    };
  }
}

function refusal(what: string): RequestFailure {
  return { kind: 'error', code: 'not_found', message: `There is no ${what}.`, hint: 'List the folder first.' };
}

/** Makes a new folder, which is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestServer {
  readonly server: RunningServer;
  readonly product: FakeProduct;
  readonly port: number;
  readonly errors: unknown[];
}

const manyFailures = { failures: 10_000, windowMilliseconds: 60_000, lockMilliseconds: 60_000 };

/** Starts a server on a real socket, stopped after the test. It delays wrong credentials only when the limits say so. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const product = new FakeProduct();
  const errors: unknown[] = [];
  const server = await startServer({
    ...serverOptions(product, await temporaryFolder()),
    onError: (error) => void errors.push(error),
    limits: { failures: manyFailures },
    ...options,
  });
  onTestFinished(() => server.stop());
  return { server, product, port: Number(new URL(server.endpoint).port), errors };
}

/** Opens a 2025-era session without an SDK. Returns the headers for its later requests. */
export async function openSession(
  { server, port }: TestServer,
  protocolVersion = '2025-11-25',
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const headers = jsonHeaders(server.token, more);
  const answer = await send(port, 'POST', headers, initialize(protocolVersion));
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`No session: ${answer.status} ${answer.text}`);
  const session = { ...headers, 'Mcp-Session-Id': id };
  await send(port, 'POST', session, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return session;
}

export function callEcho(id: number, text: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  });
}

/** Waits until a condition holds. Use it only for state that no event reports to a client. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It never happened.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
