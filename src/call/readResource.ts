import type { Asking, CoreDependencies } from './callTool.ts';
import type { ResourceOutcome } from './outcomes.ts';
import { carryOutRequest, failureOf } from './request.ts';
import type { ResourceData } from './resource.ts';
import { requestFor, resourceAt } from './resourceRequest.ts';
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
