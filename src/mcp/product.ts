import type { Event } from '#base/event.ts';
import type { ClientInfo } from '#base/principal.ts';
import type { CallOrigin, Call, CallOutcome } from '#call/callTool.ts';
import type { Catalog } from '#call/catalog.ts';
import type {
  CompletionOutcome,
  CompletionRequest,
  PromptOutcome,
  ResourceListOutcome,
  ResourceOutcome,
  WatchOutcome,
} from '#call/outcomes.ts';
import type { ResultProfile } from '#call/resultProfile.ts';

/**
 * The tools, resources, prompts and completions that the protocol layer serves. `main/product.ts` makes it. Its methods
 * reject only because of a bug.
 */
export interface Product {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly catalog: Catalog;
  /** @param revision the negotiated MCP revision; undefined counts as the newest */
  profileFor(client: ClientInfo | undefined, revision: string | undefined): ResultProfile;
  callTool(call: Call): Promise<CallOutcome>;
  listResources(cursor: string | undefined, call: CallOrigin): Promise<ResourceListOutcome>;
  readResource(uri: string, call: CallOrigin): Promise<ResourceOutcome>;
  /** @param changed called at each possible change of the resource's content, until the watch is disposed */
  watchResource(uri: string, call: CallOrigin, changed: () => void): Promise<WatchOutcome>;
  getPrompt(name: string, given: Readonly<Record<string, string>>, call: CallOrigin): Promise<PromptOutcome>;
  complete(request: CompletionRequest, call: CallOrigin): Promise<CompletionOutcome>;
  /** Fires when the answer to `resources/list` changed. */
  readonly onDidChangeResources: Event<void>;
  /** Fires when the result profile of some client may have changed. */
  readonly onDidChangeProfiles: Event<void>;
}
