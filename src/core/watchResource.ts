import type { ResolvedPath } from '../ports/files.ts';
import type { Asking, CoreDependencies } from './callTool.ts';
import type { WatchOutcome } from './outcomes.ts';
import { carryOutRequest, failureOf } from './request.ts';
import { requestFor, resourceAt } from './resourceRequest.ts';
import type { ToolContext } from './tool.ts';

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
    async run(context: ToolContext): Promise<void> {
      targets = context.targets;
    },
  };
  try {
    await carryOutRequest(request, call, dependencies);
    if (addressed === undefined) throw new Error('An address that nobody has was admitted');
    return { kind: 'watching', watch: addressed.resource.watch(dependencies.sources, targets, changed) };
  } catch (error) {
    return failureOf(error);
  }
}
