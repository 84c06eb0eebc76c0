/** What of the editor's tasks says whether they may act on a change at once. */
export interface RunningTask {
  readonly name: string;
  readonly isBackground: boolean;
  /** A workspace folder; a number or nothing when it is of none in particular. */
  readonly scope: { readonly uri: { readonly fsPath: string } } | number | undefined;
}

/**
 * Names of the background tasks that watch one of these files, such as a build that runs again on each change (threat row
 * A25). A task of no folder in particular may watch any.
 * @param paths absolute paths, as the editor spells them
 */
export function watchingTasks(running: readonly RunningTask[], paths: readonly string[]): readonly string[] {
  const watching = running.filter(({ isBackground, scope }) => isBackground && mayWatch(scope, paths));
  return [...new Set(watching.map(({ name }) => name))];
}

function mayWatch(scope: RunningTask['scope'], paths: readonly string[]): boolean {
  if (scope === undefined || typeof scope === 'number') return true;
  const folder = scope.uri.fsPath;
  return paths.some((path) => path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
}
