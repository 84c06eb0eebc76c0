import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { connectV1, connectV2, until, type WindowRecord } from './harness.ts';

export const eras = ['2025', '2026'] as const;
export type Era = (typeof eras)[number];

/** Something that the server said by itself. */
export interface Heard {
  /** `tools`, `resources`: that list changed; otherwise the address of the resource that did. */
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A client of either era, as tests use it. */
export interface ListeningClient {
  readonly heard: readonly Heard[];
  /** Hears `what` from now on; resolves with when it did. Call it before what makes the server say so. */
  hears(what: string): Promise<number>;
  tools(): Promise<readonly string[]>;
  resources(): Promise<readonly string[]>;
  templates(): Promise<readonly string[]>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  call(tool: string, given: Readonly<Record<string, unknown>>): Promise<string>;
  prompts(): Promise<readonly string[]>;
  /** All that a prompt says, as JSON. */
  prompt(name: string, given?: Readonly<Record<string, string>>): Promise<string>;
  complete(of: Completed, argument: string, typed: string): Promise<readonly string[]>;
  /** Subscribes to the addresses; returns those that the server accepted, and a function that unsubscribes. */
  watch(...uris: readonly string[]): Promise<{ readonly watched: readonly string[]; end(): Promise<void> }>;
  close(): Promise<void>;
}

export type Completed = { readonly prompt: string } | { readonly template: string };

type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };

function referenceOf(of: Completed): Reference {
  return 'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template };
}

const textContents = z.object({ contents: z.array(z.looseObject({ text: z.string() })) });

/** The methods that both SDKs have in common, with what only one of them does added by each. */
interface Sdk {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  listResources(): Promise<{ resources: readonly { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: readonly { uriTemplate: string }[] }>;
  readResource(of: { uri: string }): Promise<unknown>;
  callTool(of: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: readonly { name: string }[] }>;
  getPrompt(of: { name: string; arguments: Record<string, string> }): Promise<unknown>;
  complete(of: { ref: Reference; argument: { name: string; value: string } }): Promise<{
    completion: { values: readonly string[] };
  }>;
}

function common(client: Sdk, heard: readonly Heard[]): Omit<ListeningClient, 'watch' | 'close'> {
  return {
    heard,
    hears(what) {
      const from = heard.length;
      return until(() => heard.slice(from).find((each) => each.what === what)?.at, `${what} to be reported`);
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) =>
      textContents
        .parse(await client.readResource({ uri }))
        .contents.map(({ text }) => text)
        .join('\n'),
    call: async (name, given) => JSON.stringify(await client.callTool({ name, arguments: { ...given } })),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, given = {}) => JSON.stringify(await client.getPrompt({ name, arguments: { ...given } })),
    complete: async (of, argument, typed) =>
      (await client.complete({ ref: referenceOf(of), argument: { name: argument, value: typed } })).completion.values,
  };
}

/** Connects a client that hears of everything: in the 2026 era over a subscription of its own. */
export async function connectListening(record: WindowRecord, era: Era): Promise<ListeningClient> {
  return era === '2025' ? connect2025(record) : connect2026(record);
}

async function connect2025(record: WindowRecord): Promise<ListeningClient> {
  const heard: Heard[] = [];
  const hear = (what: string): void => void heard.push({ what, at: Date.now() });
  const connected = await connectV1(record, { name: 'listening' });
  const { client } = connected;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => hear('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => hear('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => hear('resources'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => hear(params.uri));
  return {
    ...common(client, heard),
    async watch(...uris) {
      const watched: string[] = [];
      for (const uri of uris) {
        const isWatched = await client.subscribeResource({ uri }).then(
          () => true,
          () => false,
        );
        if (isWatched) watched.push(uri);
      }
      return {
        watched,
        async end() {
          for (const uri of watched) await client.unsubscribeResource({ uri });
        },
      };
    },
    close: () => connected.close(),
  };
}

async function connect2026(record: WindowRecord): Promise<ListeningClient> {
  const heard: Heard[] = [];
  const hear = (what: string): void => void heard.push({ what, at: Date.now() });
  const { client, close } = await connectV2(record, { name: 'listening' });
  client.setNotificationHandler('notifications/tools/list_changed', () => hear('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => hear('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => hear('resources'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));
  await client.listen({ toolsListChanged: true, resourcesListChanged: true });
  return {
    ...common(client, heard),
    async watch(...uris) {
      const subscription = await client.listen({ resourceSubscriptions: [...uris] });
      return {
        watched: subscription.honoredFilter.resourceSubscriptions ?? [],
        end: () => subscription.close(),
      };
    },
    close,
  };
}
