import { describe, expect, it } from 'vitest';
import { CardFacts, type SyntaxCheck } from '#ui/approvals/cardFacts.ts';
import { FakeApprovals, type FakeText } from '../../fakes/approvals.ts';
import { settled } from '../../changes/queueSetUp.ts';

/** A check that calls each line with a `!` an error. */
const check: SyntaxCheck = async (path, text) => {
  if (path.endsWith('.md')) return undefined;
  if (path.endsWith('.zig')) return 'no_grammar';
  if (text.includes('slow')) throw new Error('The time is up');
  return text.split('\n').flatMap((line, index) => (line.includes('!') ? [index + 1] : []));
};

function setUp(files: readonly FakeText[], syntaxErrors = check) {
  const approvals = new FakeApprovals();
  const approval = approvals.add({ id: 'a', files: [...files] });
  const facts = new CardFacts({ approvals, syntaxErrors });
  const found: string[] = [];
  facts.onFound((id) => found.push(id));
  return { approvals, approval, facts, found };
}

describe('the syntax of a proposed text', () => {
  it('is checked after the card is drawn, and errors are told once they are found', async () => {
    const t = setUp([
      { path: 'a.ts', base: 'one\ntwo\n', result: 'one\n!\n' },
      { path: 'b.ts', base: 'one\n', result: 'two\n' },
      { path: 'c.zig', base: 'one\n', result: 'two\n' },
      { path: 'd.md', base: 'one\n', result: '!\n' },
      { path: 'e.ts', base: 'one\n', result: 'slow\n' },
    ]);
    expect(t.facts.of(t.approval)).toEqual([]);
    await settled();
    expect(t.found).toEqual(['a']);
    const notChecked = { syntax: { kind: 'not_checked' } };
    expect(t.facts.of(t.approval)).toEqual([
      { syntax: { kind: 'errors', lines: [2] } },
      {},
      notChecked,
      {},
      notChecked,
    ]);
  });

  it('says nothing of errors that were there before the change', async () => {
    const t = setUp([
      { path: 'a.ts', base: '!\n!\n', result: 'one\n!\n' },
      { path: 'b.ts', base: '!\n', result: '!\n!\n' },
    ]);
    t.facts.of(t.approval);
    await settled();
    expect(t.facts.of(t.approval)).toEqual([{}, { syntax: { kind: 'errors', lines: [1, 2] } }]);
  });

  it('is checked again when the text changes, and not looked at for a delete or when the change is over', async () => {
    const texts: string[] = [];
    const t = setUp([{ path: 'a.ts', base: 'one\n', result: '!\n' }], (path, text, signal) => {
      texts.push(text);
      return check(path, text, signal);
    });
    t.facts.of(t.approval);
    await settled();
    t.facts.of(t.approval);
    await settled();
    expect(texts).toEqual(['!\n', 'one\n']);
    t.facts.of({ ...t.approval, revision: 2 });
    await settled();
    expect(texts).toHaveLength(4);
    t.facts.of(t.approvals.add({ id: 'b', files: [{ path: 'a.ts', change: 'delete', base: '!\n' }] }));
    t.facts.of({ ...t.approval, id: 'c', state: 'applied' });
    await settled();
    expect(texts).toHaveLength(4);
  });

  it('stops when the approval is over', async () => {
    let isStopped = false;
    const t = setUp([{ path: 'a.ts', base: 'one\n', result: '!\n' }], async (_, __, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      isStopped = true;
      return [1];
    });
    t.facts.of(t.approval);
    await settled();
    t.facts.keep(new Set());
    await settled();
    expect([isStopped, t.found]).toEqual([true, []]);
  });
});
