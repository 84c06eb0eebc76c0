import { expect, test } from 'vitest';
import { watchingTasks, type RunningTask } from '#ui/approvals/runningTasks.ts';

const folder = (path: string) => ({ uri: { fsPath: path } });
const task = (name: string, scope?: RunningTask['scope'], isBackground = true): RunningTask => ({
  name,
  isBackground,
  scope,
});

test('A25: names background tasks of the changed folder and tasks without a folder, and no others', () => {
  const running = [
    task('watch', folder('/work')),
    task('watch', folder('/work')),
    task('other', folder('/workshop')),
    task('build', folder('/work'), false),
    task('global', 1),
    task('unknown'),
  ];
  expect(watchingTasks(running, ['/work/src/a.ts'])).toEqual(['watch', 'global', 'unknown']);
  expect(watchingTasks(running, ['/workshop/a.ts'])).toEqual(['other', 'global', 'unknown']);
});
