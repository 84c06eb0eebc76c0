import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
import { modernPipe, pipe } from '../bridge/relayPipes.ts';
import type { TestRelay } from '../bridge/relaySetUp.ts';
import type { ShippedWindow } from './protocol/shippedWindow.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly message?: string | undefined }) => void;
}

/** The common interface of the clients of both SDKs. */
interface SdkClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  listResources(): Promise<{ resources: readonly { uri: string }[] }>;
  listPrompts(): Promise<{ prompts: readonly { name: string }[] }>;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  prompt(name: string, given: Record<string, string>): Promise<unknown>;
  complete(uriTemplate: string, argument: string, typed: string): Promise<unknown>;
  /** Listens to one resource and to the tool list, in the way of the client's era. */
  subscribe(uri: string): Promise<void>;
  /** `tools`, or the URI of the updated resource. */
  readonly heard: string[];
}

export const modes = ['v1', 'v2 legacy', 'v2 auto', 'v2 pinned to 2026-07-28'] as const;
type Mode = (typeof modes)[number];
function requestInit({ token }: ShippedWindow): RequestInit {
  return { headers: { Authorization: `Bearer ${token}` } };
}

async function connectFirst(window: ShippedWindow, relay: TestRelay | undefined): Promise<SdkClient> {
  const client = new Client({ name: 'v1', version: '1.0.0' });
  const url = new URL(window.server.endpoint);
  const overHttp = new StreamableHTTPClientTransport(url, { requestInit: requestInit(window) });
  const heard: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  await client.connect(relay === undefined ? overHttp : pipe(relay));
  onTestFinished(() => client.close());
  return {
    heard,
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    listPrompts: () => client.listPrompts(),
    call: (name, input, options) => client.callTool({ name, arguments: input }, undefined, options),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, given) => client.getPrompt({ name, arguments: given }),
    complete: (uri, name, value) => client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }),
    subscribe: async (uri) => void (await client.subscribeResource({ uri })),
  };
}

async function connectSecond(mode: Mode, window: ShippedWindow, relay: TestRelay | undefined): Promise<SdkClient> {
  const isLegacy = mode === 'v2 legacy';
  const pinned = { pin: '2026-07-28' };
  const negotiation = { mode: isLegacy ? ('legacy' as const) : mode === 'v2 auto' ? ('auto' as const) : pinned };
  const client = new ModernClient({ name: mode, version: '2.0.0' }, { versionNegotiation: negotiation });
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  const overHttp = new ModernTransport(new URL(window.server.endpoint), { requestInit: requestInit(window) });
  await client.connect(relay === undefined ? overHttp : modernPipe(relay));
  onTestFinished(() => client.close());
  return {
    heard,
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    listPrompts: () => client.listPrompts(),
    call: (name, input, options) => client.callTool({ name, arguments: input }, options),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, given) => client.getPrompt({ name, arguments: given }),
    complete: (uri, name, value) => client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }),
    async subscribe(uri) {
      if (isLegacy) await client.subscribeResource({ uri });
      else {
        const filter = { toolsListChanged: true, resourceSubscriptions: [uri] };
        expect((await client.listen(filter)).honoredFilter).toEqual(filter);
      }
    },
  };
}

/**
 * Connects a client of an SDK; closed after the test.
 * @param relay the bridge to connect through; without it the client speaks HTTP to the window
 */
export async function connectSdkClient(mode: Mode, window: ShippedWindow, relay?: TestRelay): Promise<SdkClient> {
  return mode === 'v1' ? connectFirst(window, relay) : connectSecond(mode, window, relay);
}
