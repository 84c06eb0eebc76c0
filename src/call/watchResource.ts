import type { ResolvedPath } from '#base/files.ts';
import { decide } from '#policy/decide.ts';
import type { Asking, CoreDependencies } from './callTool.ts';
import type { WatchOutcome } from './outcomes.ts';
import { carryOutRequest, failureOf } from './request.ts';
import type { Resource } from './resource.ts';
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
