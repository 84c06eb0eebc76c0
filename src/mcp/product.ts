import type { Event } from '#base/event.ts';
import type { ClientInfo } from '#base/principal.ts';
import type { Asking, Call, CallOutcome } from '#call/callTool.ts';
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

/** What the protocol layer serves; the composition root makes it out of core. None of its methods rejects but for a bug. */
export interface Product {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly catalog: Catalog;
  /** @param revision of MCP, as negotiated; undefined counts as the newest */
  profileFor(client: ClientInfo | undefined, revision: string | undefined): ResultProfile;
  callTool(call: Call): Promise<CallOutcome>;
  listResources(cursor: string | undefined, call: Asking): Promise<ResourceListOutcome>;
  readResource(uri: string, call: Asking): Promise<ResourceOutcome>;
  /** @param changed called whenever the resource may hold something else, as often as it does, until the watch is disposed */
  watchResource(uri: string, call: Asking, changed: () => void): Promise<WatchOutcome>;
  getPrompt(name: string, given: Readonly<Record<string, string>>, call: Asking): Promise<PromptOutcome>;
  complete(request: CompletionRequest, call: Asking): Promise<CompletionOutcome>;
  /** `resources/list` would answer something else. */
  readonly onDidChangeResources: Event<void>;
  /** Another profile may be in force for some client. */
  readonly onDidChangeProfiles: Event<void>;
}
