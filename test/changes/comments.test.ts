import { describe, expect, it } from 'vitest';
import { commentLines, commentsOn } from '#changes/comments.ts';
import { githubToken } from '../fakes/secrets.ts';
import { edit, setUp } from './queueSetUp.ts';

const base = 'one\ntwo\nthree\n';
const result = 'one\nzwei\nthree\n';
const comment = { file: 0, side: 'after', firstLine: 2, lastLine: 2, comment: 'Why German?' } as const;

describe('the comments of the user on lines', () => {
  it('go to the assistant with a decline, with path, lines and code', async () => {
    const t = setUp({ '/w/a': base });
    const call = t.ask([edit('a', base, result)]);
    const { id } = t.only();
    t.show(id);
    t.queue.decline(id, {
      message: 'no',
      comments: [comment, { ...comment, side: 'before', firstLine: 3, lastLine: 2 }],
    });
    expect((await call).comments).toEqual([
      { path: 'a', side: 'after', firstLine: 2, lastLine: 2, code: 'zwei', comment: 'Why German?' },
      { path: 'a', side: 'before', firstLine: 2, lastLine: 3, code: 'two\nthree', comment: 'Why German?' },
    ]);
  });

  it('go to the assistant with an approval, and stay with the approval', async () => {
    const t = setUp({ '/w/a': base });
    const call = t.ask([edit('a', base, result)]);
    const { id, proposalHash } = t.only();
    t.show(id);
    expect(t.queue.approve(id, proposalHash, undefined, [comment])).toBe('accepted');
    const outcome = await call;
    expect(outcome).toMatchObject({ status: 'applied', comments: [{ path: 'a', comment: 'Why German?' }] });
    expect(t.queue.get(id)?.comments).toHaveLength(1);
  });

  it('are not there when the user made none', async () => {
    const t = setUp({ '/w/a': base });
    const call = t.ask([edit('a', base, result)]);
    const { id } = t.only();
    t.show(id);
    t.queue.decline(id);
    expect(await call).not.toHaveProperty('comments');
  });

  it('A33: show no secret in the code, also when only one line of it is named', () => {
    const secret = `token = "${githubToken}"\n`;
    const t = setUp({ '/w/a': secret });
    void t.ask([edit('a', secret, `${secret}more\n`)]);
    const { id } = t.only();
    const approval = t.queue.get(id);
    if (!approval) throw new Error('There is no approval');
    const proposal = { kind: 'changes', files: [edit('a', secret, `${secret}more\n`)] } as const;
    const [told] = commentsOn({ approval, proposal, choices: [] }, [{ ...comment, firstLine: 1, lastLine: 1 }]);
    expect(told?.code).not.toContain(githubToken);
    expect(told?.code).toContain('redacted');
  });

  it('leave out a file that the change does not have, and are at most 50', () => {
    const t = setUp({ '/w/a': base });
    void t.ask([edit('a', base, result)]);
    const approval = t.queue.get(t.only().id);
    if (!approval) throw new Error('There is no approval');
    const proposal = { kind: 'changes', files: [edit('a', base, result)] } as const;
    expect(commentsOn({ approval, proposal, choices: [] }, [{ ...comment, file: 7 }])).toEqual([]);
    const many = Array.from({ length: 60 }, () => comment);
    expect(commentsOn({ approval, proposal, choices: [] }, many)).toHaveLength(50);
  });

  it('are written as path, lines and words', () => {
    const given = { path: 'src/a.ts', side: 'after', firstLine: 2, lastLine: 2, code: '', comment: 'x' } as const;
    expect(commentLines([given, { ...given, lastLine: 4 }, { ...given, side: 'before' }])).toEqual([
      'src/a.ts:2: x',
      'src/a.ts:2-4: x',
      'src/a.ts:2 (before the change): x',
    ]);
  });
});
