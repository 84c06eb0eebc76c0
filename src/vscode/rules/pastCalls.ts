import type { Tool } from '../../core/tool.ts';
import type { PastCall } from '../../policy/lint.ts';
import type { RecentCalls } from '../record/recentCalls.ts';

const most = 100;

/**
 * The last 100 calls, for telling what a rule would have matched; newest first, without those of tools that are not there.
 * @param severalFolders paths begin with the names of their folders
 */
export function pastCalls(
  recentCalls: Pick<RecentCalls, 'all'>,
  tools: readonly Tool[],
  severalFolders: boolean,
): readonly PastCall[] {
  const risks = new Map(tools.map(({ name, risk }) => [name, risk]));
  return recentCalls.all.slice(0, most).flatMap(({ tool, resources }): PastCall[] => {
    const risk = risks.get(tool);
    const paths = resources.flatMap(({ path }) => path ?? []);
    return risk === undefined ? [] : [{ tool, class: risk, paths, severalFolders }];
  });
}
