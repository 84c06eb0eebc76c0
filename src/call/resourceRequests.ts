import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { decide } from '#policy/decide.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { Asking, CoreDependencies } from './callTool.ts';
import type { Catalog } from './catalog.ts';
import type { ResourceOutcome, WatchOutcome } from './outcomes.ts';
import { carryOutRequest, failureOf, type ReadingRequest } from './request.ts';
import type { Resource, ResourceData, Variables } from './resource.ts';
import type { BlobResource, TextResource } from './result.ts';
import { wellFormedData } from './sanitise.ts';
import type { ToolContext } from './tool.ts';

/** Answers `resources/read`: a call like any other, judged and recorded the same way. Never throws. */
export async function readResource(
  uri: string,
  call: Asking,
  dependencies: CoreDependencies,
): Promise<ResourceOutcome> {
  const addressed = resourceAt(uri, dependencies.catalog);
  const request = {
    ...requestFor(uri, addressed),
    name: 'read_resource',
    title: 'Read resource',
    async run(context: ToolContext, signal: AbortSignal): Promise<ResourceData> {
      if (addressed === undefined) throw new Error('An address that nobody has was admitted');
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

/** Under the address that was asked for, which may be another name of the same. */
function contentOf(uri: string, data: ResourceData): TextResource | BlobResource {
  const { mimeType } = data;
  return 'text' in data ? { uri, mimeType, text: wellFormedData(data.text) } : { uri, mimeType, blob: data.blob };
}

/**
 * Answers a subscription: who may not read a resource is not told either when it changes. Never throws.
 * @param changed called whenever the resource may hold something else, until the watch is disposed
 */
export async function watchResource(
  uri: string,
  call: Asking,
  changed: () => void,
  dependencies: CoreDependencies,
): Promise<WatchOutcome> {
  const addressed = resourceAt(uri, dependencies.catalog);
  let targets: readonly ResolvedPath[] = [];
  const request = {
    ...requestFor(uri, addressed),
    name: 'watch_resource',
    title: 'Watch resource',
    // What else a stream listens to must not wait for a human.
    asksNobody: true,
    async run(context: ToolContext): Promise<void> {
      targets = context.targets;
    },
  };
  try {
    await carryOutRequest(request, call, dependencies);
    if (addressed === undefined) throw new Error('An address that nobody has was admitted');
    const { resource } = addressed;
    const tell = (): void => {
      if (isStillReadable(resource, targets, call, dependencies)) changed();
    };
    return { kind: 'watching', watch: resource.watch(dependencies.sources, targets, tell) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Rules, trust and mode may be others by now than when the watch began. */
function isStillReadable(
  { judgedAs, worksUntrusted = false }: Resource,
  paths: readonly ResolvedPath[],
  { principal }: Asking,
  { ports: { workspace }, pathRules, policy }: CoreDependencies,
): boolean {
  const caller = { tool: judgedAs, principal };
  return decide({ workspace, pathRules, policy, caller, risk: 'read', worksUntrusted, paths }).effect === 'allow';
}

/** Longer ones name no file of any system. */
const maximumAddress = 16_384;

export interface AddressedResource {
  readonly resource: Resource;
  readonly variables: Variables;
}

/** Whose address it is; the first one of the catalog that takes it. */
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

/** How a request for an address is judged. One that nobody has is recorded like the others and then refused. */
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
    const message = `This is no address: it has ${uri.length} characters.`;
    return new ToolError('unsafe_path', message, 'Use the uri of a resource or of a resource link.');
  }
  return new ToolError(
    'not_found',
    `There is no resource ${quoted(uri)}.`,
    'resources/list and resources/templates/list tell which there are.',
  );
}
