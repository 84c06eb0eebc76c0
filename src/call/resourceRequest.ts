import { ToolError } from '#base/toolError.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { Catalog } from './catalog.ts';
import type { ReadingRequest } from './request.ts';
import type { Resource, Variables } from './resource.ts';

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
