import { callTool, type CoreDependencies } from '../core/callTool.ts';
import { complete } from '../core/complete.ts';
import { getPrompt } from '../core/getPrompt.ts';
import { instructions } from '../core/instructions.ts';
import { listResources } from '../core/listResources.ts';
import { readResource } from '../core/readResource.ts';
import { watchResource } from '../core/watchResource.ts';
import { serverInfo } from '../server/capabilities.ts';
import type { Product } from '../server/product.ts';
import type { OfferChanges } from './offerChanges.ts';

/** What the protocol layer serves, made out of core. */
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
