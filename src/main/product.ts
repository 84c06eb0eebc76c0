import { callTool, type CoreDependencies } from '#call/callTool.ts';
import { complete } from '#call/completion.ts';
import { listResources } from '#call/listResources.ts';
import { getPrompt } from '#call/prompt.ts';
import { readResource, watchResource } from '#call/resourceRequests.ts';
import type { Product } from '#mcp/product.ts';
import { serverInfo } from '#mcp/wire/capabilities.ts';
import { instructions } from '#mcp/wire/instructions.ts';
import type { OfferChanges } from './offerChanges.ts';

/** Creates the product that the protocol layer serves, from the core. */
export function createProduct(
  version: string,
  core: CoreDependencies,
  offer: Pick<OfferChanges, 'onDidChangeResources' | 'onDidChangeProfiles'>,
): Product {
  return {
    serverInfo: serverInfo(version),
    instructions,
    catalog: core.catalog,
    profileFor: core.profileFor,
    callTool: (call) => callTool(call, core),
    listResources: (cursor, call) => listResources(cursor, call, core),
    readResource: (uri, call) => readResource(uri, call, core),
    watchResource: (uri, call, changed) => watchResource(uri, call, changed, core),
    getPrompt: (name, given, call) => getPrompt(name, given, call, core),
    complete: (request, call) => complete(request, call, core),
    onDidChangeResources: offer.onDidChangeResources,
    onDidChangeProfiles: offer.onDidChangeProfiles,
  };
}
