import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { mergeTexts } from '#changes/rebase.ts';
import { create, edit, remove, setUp, settled } from './queueSetUp.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const result = base.replace('one', 'ONE').replace('five', 'FIVE');
const texts = { '/w/a': base, '/w/b': 'old\n', '/w/c': 'old\n' };

describe('a rebase', () => {
  it('refuses when the files already hold the change', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    t.edits.texts.set('/w/a', result);
    t.edits.fire();
    await settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: false });
    expect(await t.queue.rebase(t.only().id)).toMatchObject({
      status: 'conflict',
      message: expect.stringContaining('already hold'),
    });
  });

  it('leaves out files the user left out, and files that already hold the change', async () => {
    const t = setUp(texts);
    void t.ask([
      edit('a', base, result),
      edit('b', 'old\n', 'new\n'),
      edit('c', 'old\n', 'new\n'),
      create('n', 'x\n'),
      create('m', 'x\n'),
    ]);
    for (const index of [2, 4]) t.queue.selectFile(t.only().id, index, false);
    t.queue.setText(t.only().id, 3, 'typed\n');
    t.edits.texts.set('/w/b', 'new\n').set('/w/a', base.replace('three', 'mine'));
    t.edits.fire();
    await settled();
    const { id = '' } = await t.queue.rebase(t.only().id);
    expect(t.queue.get(id)?.files.map(({ path }) => path)).toEqual(['a', 'n']);
    expect(await t.queue.texts(id, 0)).toMatchObject({ proposed: result.replace('three', 'mine') });
    expect(await t.queue.texts(id, 1)).toMatchObject({ proposed: 'typed\n' });
  });

  it('leaves out the file that conflicts, and tells the user and the assistant of it', async () => {
    const t = setUp(texts);
    const files = [edit('a', base, result), edit('b', 'old\n', 'new\n'), edit('c', 'old\n', 'new\n')];
    void t.ask(files);
    t.edits.texts.set('/w/b', 'mine\n').set('/w/a', base.replace('three', 'mine')).delete('/w/c');
    t.edits.fire();
    await settled();
    const { id: old } = t.only();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: true });
    const { id = '', ...rebased } = await t.queue.rebase(old);
    expect(rebased).toEqual({ status: 'rebased', leftOut: ['b', 'c'] });
    expect(t.queue.get(id)?.files.map(({ path }) => path)).toEqual(['a']);
    expect(t.queue.get(old)).toMatchObject({ replacedBy: id });
    t.show(id);
    expect(t.approve(id)).toBe('accepted');
    await settled();
    expect(Object.fromEntries(t.edits.texts)).toEqual({ '/w/a': result.replace('three', 'mine'), '/w/b': 'mine\n' });
    const waiting = { ...t.request(), waitMilliseconds: 0 };
    expect((await t.queue.outcome(id, waiting))?.next).toContain('without b, c, which');
  });

  it('leaves out no file of an indivisible change', async () => {
    const t = setUp(texts);
    const files = [edit('a', base, result), edit('b', 'old\n', 'new\n')];
    void t.queue.request(t.request({ proposal: { kind: 'changes', files, indivisible: true } }));
    t.edits.texts.set('/w/b', 'mine\n').set('/w/a', base.replace('three', 'mine'));
    t.edits.fire();
    await settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: false });
    expect(await t.queue.rebase(t.only().id)).toMatchObject({
      status: 'conflict',
      message: expect.stringContaining('b:'),
    });
  });

  it('refuses a created file that now exists, and a file that is gone', async () => {
    const conflictOf = async (change: FileChange, now: string | undefined): Promise<string | undefined> => {
      const t = setUp(texts);
      void t.ask([change]);
      if (now === undefined) t.edits.texts.delete(change.path.realPath);
      else t.edits.texts.set(change.path.realPath, now);
      t.edits.fire();
      await settled();
      const { status, message } = await t.queue.rebase(t.only().id);
      expect([status, t.waiting()]).toEqual(['conflict', []]);
      return message;
    };
    expect(await conflictOf(create('n', 'x\n'), 'mine\n')).toContain('not as it was');
    expect(await conflictOf(edit('a', base, result), undefined)).toContain('does not exist');
  });

  it('refuses a delete, and a file whose encoding cannot hold the text', async () => {
    const t = setUp(texts);
    void t.ask([remove('b', 'old\n')]);
    t.edits.texts.set('/w/b', 'mine\n');
    t.edits.fire();
    await settled();
    const message = (reason: string) => ({ status: 'conflict', message: expect.stringContaining(reason) });
    expect(await t.queue.rebase(t.only().id)).toMatchObject(message('not as it was'));

    const readText = async () => ({ text: `${base}mine\n`, encoding: 'ascii', source: 'disk' as const, ...readFacts });
    const readTree = async () => ({ files: [], unsaved: [], unsavedElsewhere: [] });
    const other = setUp(texts, undefined, { files: { readText, readTree, canEncode: async () => false } });
    void other.ask([edit('a', base, base.replace('one', 'ONE'))]);
    other.edits.texts.set('/w/a', `${base}mine\n`);
    other.edits.fire();
    await settled();
    expect(await other.queue.rebase(other.only().id)).toMatchObject(message('encoding'));
  });

  const readFacts = { unsaved: false, unsavedElsewhere: false, readonly: false, unifiedLineEnds: 0, modified: 0 };
});

describe('F5 two changes of one text', () => {
  it.each([
    ['the same lines, changed differently', 'X\nb\nc\n', 'Y\nb\nc\n'],
    ['the same lines, with one more line in one change', 'X\nb\nc\n', 'X\nY\nb\nc\n'],
    ['the same lines, with a different last one', 'X\nY\nb\nc\n', 'X\nZ\nb\nc\n'],
    ['the same line, when one change includes the next line too', 'X\nb\nc\n', 'X\nc\n'],
    ['adjacent lines', 'X\nb\nc\n', 'a\nX\nc\n'],
  ])('conflict on %s', (_name, wanted, now) => {
    expect(mergeTexts(wanted, 'a\nb\nc\n', now)).toBeUndefined();
    expect(mergeTexts(now, 'a\nb\nc\n', wanted)).toBeUndefined();
  });

  it('are both kept when apart, and kept once when equal', () => {
    const before = 'a\nb\nc\nd\n';
    expect(mergeTexts('X\nb\nc\nd\n', before, 'a\nb\nY\nd\n')).toBe('X\nb\nY\nd\n');
    expect(mergeTexts('a\nb\nY\nd\n', before, 'X\nb\nc\nd\n')).toBe('X\nb\nY\nd\n');
    expect(mergeTexts('X\nb\nc\nZ\n', before, 'X\nb\nc\nd\n')).toBe('X\nb\nc\nZ\n');
  });
});
