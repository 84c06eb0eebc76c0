import { expect, it } from 'vitest';
import { problemAt } from '../../fakes/problemAt.ts';
import { RequestRun } from '../../fakes/requestRun.ts';

it('completes files with problems, those with errors first, and no secret file (A8)', async () => {
  const run = new RequestRun({});
  run.publish({
    '/w/.env': [problemAt(1, 'error')],
    '/w/src/a.ts': [problemAt(1, 'warning')],
    '/w/src/b.ts': [problemAt(1, 'hint'), problemAt(2, 'error')],
    '/w/src/c.md': [problemAt(1, 'warning')],
  });
  const complete = (typed: string) => run.complete({ prompt: 'fix_problems' }, 'path', typed);
  expect(await complete('')).toMatchObject({ values: ['src/b.ts', 'src/a.ts', 'src/c.md'], total: 3 });
  expect(await complete('.ts')).toMatchObject({ values: ['src/b.ts', 'src/a.ts'] });
});
