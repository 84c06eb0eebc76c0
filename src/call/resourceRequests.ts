import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { decide } from '#policy/decide.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { CallOrigin, CoreDependencies } from './callTool.ts';
import type { Catalog } from './catalog.ts';
import type { ResourceOutcome, WatchOutcome } from './outcomes.ts';
import { carryOutRequest, failureOf, type ReadingRequest } from './request.ts';
import type { Resource, ResourceData, Variables } from './resource.ts';
import type { BlobResource, TextResource } from './result.ts';
import { wellFormedData } from './sanitise.ts';
import type { ToolContext } from './tool.ts';

/** Answers `resources/read` as a call that is judged and recorded. Never throws. */
export async function readResource(
  uri: string,
  call: CallOrigin,
  dependencies: CoreDependencies,
): Promise<ResourceOutcome> {
  const addressed = resourceAt(uri, dependencies.catalog);
  const request = {
    ...requestFor(uri, addressed),
    name: 'read_resource',
    title: 'Read resource',
    async run(context: ToolContext, signal: AbortSignal): Promise<ResourceData> {
      if (addressed === undefined) throw new Error('A URI without a resource was admitted');
      return addressed.resource.read(addressed.variables, context, signal);
    },
    textOf: (data: ResourceData) => ('text' in data ? data.text : data.blob),
  };
  try {
    return { kind: 'contents', contents: [contentOf(uri, await carryOutRequest(request, call, dependencies))] };
  } catch (error) {
    return failureOf(error);
  }
}

/** Returns the content under the requested URI, which may be another name of the resource. */
function contentOf(uri: string, data: ResourceData): TextResource | BlobResource {
  const { mimeType } = data;
  return 'text' in data ? { uri, mimeType, text: wellFormedData(data.text) } : { uri, mimeType, blob: data.blob };
}

/**
 * Answers a subscription to a resource. Only a caller that may read the resource hears of its changes. Never throws.
 * @param changed called whenever the content may have changed, until the watch is disposed
 */
export async function watchResource(
  uri: string,
  call: CallOrigin,
  changed: () => void,
  dependencies: CoreDependencies,
): Promise<WatchOutcome> {
  const addressed = resourceAt(uri, dependencies.catalog);
  let targets: readonly ResolvedPath[] = [];
  const request = {
    ...requestFor(uri, addressed),
    name: 'watch_resource',
    title: 'Watch resource',
    // The other subscriptions of the same stream must not wait for the user.
    asksNobody: true,
    async run(context: ToolContext): Promise<void> {
      targets = context.targets;
    },
  };
  try {
    await carryOutRequest(request, call, dependencies);
    if (addressed === undefined) throw new Error('A URI without a resource was admitted');
    const { resource } = addressed;
    const notify = (): void => {
      if (isStillReadable(resource, targets, call, dependencies)) changed();
    };
    return { kind: 'watching', watch: resource.watch(dependencies.sources, targets, notify) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Rules, trust and mode may have changed since the watch began. */
function isStillReadable(
  { judgedAs, worksUntrusted = false }: Resource,
  paths: readonly ResolvedPath[],
  { principal }: CallOrigin,
  { ports: { workspace }, pathRules, policy }: CoreDependencies,
): boolean {
  const caller = { tool: judgedAs, principal };
  return decide({ workspace, pathRules, policy, caller, risk: 'read', worksUntrusted, paths }).effect === 'allow';
}

/** Maximum length of a URI in UTF-16 units. No system has longer file names. */
const maximumAddress = 16_384;

export interface AddressedResource {
  readonly resource: Resource;
  readonly variables: Variables;
}

/** Returns the first resource of the catalog that has this URI. */
export function resourceAt(uri: string, { resources }: Pick<Catalog, 'resources'>): AddressedResource | undefined {
  if (uri === '' || uri.length > maximumAddress) return undefined;
  for (const resource of resources) {
    const variables = resource.match(uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

type RequestForResource = Pick<
  ReadingRequest<unknown>,
  'arguments' | 'judgedAs' | 'needs' | 'worksWithoutFolder' | 'worksUntrusted' | 'targets'
>;

/** Returns the request that the policy judges. A request for an unknown URI is recorded too, and then refused. */
export function requestFor(uri: string, addressed: AddressedResource | undefined): RequestForResource {
  if (addressed === undefined) {
    return {
      arguments: { uri },
      judgedAs: 'read_resource',
      needs: [],
      worksWithoutFolder: true,
      worksUntrusted: true,
      targets() {
        throw noResource(uri);
      },
    };
  }
  const { resource, variables } = addressed;
  const { judgedAs, needs, worksWithoutFolder = false, worksUntrusted = false } = resource;
  return {
    arguments: { uri },
    judgedAs,
    needs,
    worksWithoutFolder,
    worksUntrusted,
    targets: () => resource.targets(variables),
  };
}

function noResource(uri: string): ToolError {
  if (uri === '' || uri.length > maximumAddress) {
    const message = `This is not a resource URI: it has ${uri.length} characters.`;
    return new ToolError('unsafe_path', message, 'Use the uri of a resource or of a resource link.');
  }
  return new ToolError(
    'not_found',
    `There is no resource ${quoted(uri)}.`,
    'Use resources/list and resources/templates/list to find resources.',
  );
}
