import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import { create, edit, judged, remove, setUp, settled } from './queueSetUp.ts';
import { seeAll } from './seeAll.ts';

const blanks = ' '.repeat(20_000);
const payload = `var ok=1;${blanks}require("child_process").exec("evil")\n`;
const first = { side: 'after', line: 1 } as const;

/** Makes a queue whose record is kept. */
function recorded(overrides: Parameters<typeof setUp>[2] = {}) {
  const entries: AuditEvent[] = [];
  const auditLog = { event: (entry: AuditEvent) => void entries.push(entry) };
  const t = setUp({ '/w/a': 'old\n', '/w/b': 'old\n' }, undefined, { auditLog, ...overrides });
  const approved = () => entries.find((entry) => entry['state'] === 'approved');
  return { ...t, approved };
}

describe('A39 a change with a warning', () => {
  it('is approved only after the text behind 20,000 blanks was on screen, and the record says so', async () => {
    const t = recorded();
    void t.ask([create('src/wide.js', payload)]);
    const { id } = t.only();
    t.show();
    t.queue.endReached(id);
    expect(t.approve()).toBe('place_not_seen');
    t.queue.placeSeen(id, 0, { side: 'after', line: 2 });
    t.queue.placeSeen(id, 1, first);
    t.queue.placeSeen(id, 0, { side: 'name' });
    expect(t.queue.unseenPlaces(id)).toEqual(['src/wide.js:1']);
    expect(t.approve()).toBe('place_not_seen');
    t.queue.placeSeen(id, 0, first);
    expect(t.approve()).toBe('accepted');
    await settled();
    expect(t.approved()).toMatchObject({ seenPlaces: ['src/wide.js:1'] });
    expect(t.edits.texts.get('/w/src/wide.js')).toBe(payload);
  });

  it('is approved at once, with no places on record, when nothing in it can be missed', () => {
    const t = recorded();
    void t.ask([create('src/a.js', 'var ok=1;\n')]);
    t.show();
    expect(t.approve()).toBe('accepted');
    expect(t.approved()).not.toHaveProperty('seenPlaces');
  });

  it('is approved without a part that the user left out, but not when it is taken in again', () => {
    const base = 'one\n2\n3\n4\ntwo\n';
    const t = setUp({ '/w/a': base });
    void t.ask([edit('a', base, `${payload}2\n3\n4\nzwei\n`)]);
    const { id } = t.only();
    t.show();
    t.queue.selectHunk(id, 0, 0, false);
    expect(t.queue.unseenPlaces(id)).toEqual([]);
    t.queue.selectHunk(id, 0, 0, true);
    expect(t.approve()).toBe('place_not_seen');
    t.queue.selectHunk(id, 0, 0, false);
    expect(t.approve()).toBe('accepted');
  });

  it('needs the whole file left out, or its place on screen', () => {
    const t = setUp();
    void t.ask([create('src/wide.js', payload), create('src/b.js', 'b\n')]);
    const { id } = t.only();
    t.show();
    t.queue.selectFile(id, 0, false);
    expect(t.approve()).toBe('accepted');
  });

  it('needs a line on screen again after the user typed another text into it', () => {
    const t = setUp();
    void t.ask([create('src/wide.js', payload)]);
    const { id } = t.only();
    t.show();
    t.queue.placeSeen(id, 0, first);
    t.queue.setText(id, 0, `var ok=2;${blanks}other()\n`);
    expect(t.approve()).toBe('place_not_seen');
    t.queue.placeSeen(id, 0, first);
    expect(t.approve()).toBe('accepted');
  });

  it('needs a path that looks the same as its neighbour on screen', async () => {
    const t = recorded({ namesIn: (folder) => (folder === '/w/src' ? ['a.ts'] : []) });
    void t.ask([create('src/\u0430.ts', 'x\n')]);
    const { id } = t.only();
    expect(t.queue.warned(id, 0)?.warnings).toContainEqual({ kind: 'same_look', name: 'a.ts' });
    t.show();
    expect(t.approve()).toBe('place_not_seen');
    t.queue.placeSeen(id, 0, { side: 'name' });
    expect(t.approve()).toBe('accepted');
    expect(t.approved()).toMatchObject({ seenPlaces: ['src/\u0430.ts'] });
  });
});

describe('A40 a very large change', () => {
  const large = 'x\n'.repeat(501);

  it.each([
    ['many lines', large],
    ['a line of more than 5,000 characters', `${'x'.repeat(5001)}\n`],
  ])(
    'with %s is approved after its end was on screen, or without reading everything, which the record says',
    (_what, text) => {
      const t = recorded();
      void t.ask([create('src/a.js', text)]);
      const { id, proposalHash } = t.only();
      t.show();
      expect(t.approve()).toBe('end_not_reached');
      expect(t.queue.approve(id, proposalHash, undefined, [], true)).toBe('accepted');
      expect(t.approved()).toMatchObject({ withoutReading: true });

      const read = recorded();
      void read.ask([create('src/a.js', text)]);
      read.show();
      seeAll(read.queue, read.only().id);
      expect(read.approve()).toBe('accepted');
      expect(read.approved()).not.toHaveProperty('withoutReading');
    },
  );

  it('needs nothing of it up to 500 added lines', () => {
    const t = setUp();
    void t.ask([create('src/a.js', 'x\n'.repeat(500))]);
    t.show();
    expect(t.approve()).toBe('accepted');
  });

  it('needs its end on screen when it is protected, and every place with a warning, whatever the user says', () => {
    for (const [text, judgement, expected] of [
      [large, judged({ protectedBy: ['**/.vscode/**'] }), 'end_not_reached'],
      [`${large}${payload}`, judged(), 'place_not_seen'],
    ] as const) {
      const t = setUp();
      void t.ask([create('src/a.js', text)], { judgement });
      const { id, proposalHash } = t.only();
      t.show();
      expect(t.queue.approve(id, proposalHash, undefined, [], true)).toBe(expected);
    }
  });
});

describe('A41 a request that only a decision about it alone applies', () => {
  const guarded = [
    ['a warning', [create('src/wide.js', payload)], judged()],
    ['a delete', [remove('a', 'old\n')], judged({ risk: 'delete' })],
    ['a protected file', [edit('a', 'old\n', 'new\n')], judged({ protectedBy: ['**/a'], onceOnly: true })],
  ] as const;

  it.each(guarded)('is not applied by a widened mode: %s', async (_, files, judgement) => {
    const t = setUp();
    void t.ask(files, { judgement });
    const { id, proposalHash } = t.only();
    expect(await t.queue.applyByMode(id, proposalHash, 'unattended')).toBe('not_allowed');
    expect(t.edits.writes).toEqual([]);
  });

  it.each(guarded)('is not applied by an allowed request that replaces it: %s', async (_, files, judgement) => {
    const t = setUp();
    void t.ask(files, { judgement });
    const { id } = t.only();
    const rule = { id: 'r-1', scope: 'user' } as const;
    const allowed = judged({ effect: 'allow', reason: 'allowed by rule r-1', rule });
    void t.ask([create('src/other.js', 'other\n')], { judgement: allowed, replaces: id });
    await settled();
    expect(t.edits.writes).toEqual([]);
    const [waiting] = t.waiting();
    expect(waiting?.judgement).toMatchObject({ effect: 'ask', reason: expect.stringContaining('takes the place') });
    expect(waiting?.judgement).not.toHaveProperty('rule');
    t.show(waiting?.id);
    expect(t.approve(waiting?.id)).toBe('accepted');
    await settled();
    expect(t.edits.texts.get('/w/src/other.js')).toBe('other\n');
  });

  it('lets an allowed request replace one that nothing guards', async () => {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    void t.ask([edit('a', 'old\n', 'newer\n')], { judgement: judged({ effect: 'allow' }) });
    await settled();
    expect(t.edits.texts.get('/w/a')).toBe('newer\n');
  });
});
