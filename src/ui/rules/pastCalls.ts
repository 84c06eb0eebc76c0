import type { RecentCalls } from '#audit/recentCalls.ts';
import type { Tool } from '#call/tool.ts';
import { withKinds } from '#call/toolKinds.ts';
import type { PastCall } from '#policy/lint.ts';

const most = 100;

/**
 * Returns the last 100 calls, newest first, to count what a rule would have matched. Calls of unknown tools are left out.
 * @param severalFolders whether paths begin with the names of their folders
 */
export function pastCalls(
  recentCalls: Pick<RecentCalls, 'all'>,
  tools: readonly Tool[],
  severalFolders: boolean,
): readonly PastCall[] {
  const known = new Map(withKinds(tools).map((each) => [each.name, each]));
  return recentCalls.all.slice(0, most).flatMap(({ tool, resources }): PastCall[] => {
    const called = known.get(tool);
    const paths = resources.flatMap(({ path }) => path ?? []);
    return called === undefined ? [] : [{ tool, kindOf: called.kindOf, class: called.risk, paths, severalFolders }];
  });
}
