import { expect, it } from 'vitest';
import type { ChangesProposal } from '#base/proposal.ts';
import { Drawings } from '#ui/approvals/drawings.ts';
import { warningTexts } from '#ui/page/words/warningText.ts';
import { dataOf, t as translate } from '../page/words/drawnCard.ts';
import { githubToken } from '../../fakes/secrets.ts';
import { edit, judged, move, settled, setUp } from '../../changes/queueSetUp.ts';

it('A4: draws each file of a change that was computed again with fewer files, and none of the files before', async () => {
  const now: ChangesProposal = { kind: 'changes', files: [edit('a', 'A\n', 'new\n'), move('m', 'n', 'text\n')] };
  const t = setUp({ '/w/a': 'old\n', '/w/b': 'old\n', '/w/m': 'text\n' }, undefined, {
    repropose: async () => ({ proposal: now, judgement: judged({ risk: 'delete' }) }),
  });
  void t.ask([edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n'), move('m', 'n', 'text\n')]);
  const drawings = new Drawings(t.queue);
  const { id } = t.only();
  await drawings.current(id);
  void t.ask([edit('a', 'old\n', 'A\n')], { principal: { credential: 'window', connectionId: 'c2' } });
  const other = t.waiting().find((approval) => approval.id !== id)?.id;
  t.show(other);
  t.approve(other);
  await settled();
  expect(t.queue.get(id)).toMatchObject({ state: 'waiting', moved: true });
  const drawn = await drawings.current(id);
  expect(drawn?.drawing?.files.map(({ path, segments }) => [path, segments.length > 0])).toEqual([
    ['a', true],
    ['m', false],
  ]);
});

it('A30: a card says that its change deletes a secret', async () => {
  const base = `a = "${githubToken}"\n`;
  const t = setUp({ '/w/a': base });
  void t.ask([edit('a', base, 'a = 1\n')]);
  const drawn = await new Drawings(t.queue).current(t.only().id);
  expect(drawn?.drawing?.files[0]?.warnings).toEqual([{ kind: 'deleted_secret', types: ['github_token'] }]);
  const sentences = drawn && warningTexts(dataOf(drawn.approval, drawn.drawing), translate);
  expect(sentences).toEqual(['This change deletes a secret that the assistant was not shown: github_token']);
});
