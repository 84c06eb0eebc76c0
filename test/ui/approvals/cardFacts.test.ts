import { describe, expect, it } from 'vitest';
import { CardFacts, type CardFactsOptions, type SyntaxCheck } from '#ui/approvals/cardFacts.ts';
import { FakeApprovals, type FakeText } from '../../fakes/approvals.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { settled } from '../../changes/queueSetUp.ts';

/** A check that calls each line with a `!` an error. */
const check: SyntaxCheck = async (path, text) => {
  if (path.endsWith('.md')) return undefined;
  if (path.endsWith('.zig')) return 'no_grammar';
  if (text.includes('slow')) throw new Error('The time is up');
  return text.split('\n').flatMap((line, index) => (line.includes('!') ? [index + 1] : []));
};

type UsesOf = CardFactsOptions['usesOf'];

function setUp(files: readonly FakeText[], syntaxErrors = check, usesOf: UsesOf = async () => undefined) {
  const approvals = new FakeApprovals();
  const approval = approvals.add({ id: 'a', files: [...files] });
  const facts = new CardFacts({ approvals, syntaxErrors, usesOf });
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
    expect(t.facts.of(t.approval)).toEqual([{}, {}, {}, {}, {}]);
    await settled();
    expect(t.found).toEqual(['a', 'a', 'a']);
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

describe('B9: the files that use a file which would go', () => {
  const found = (...paths: readonly string[]) => ({
    kind: 'imports' as const,
    files: paths.map((path) => ({
      path,
      uri: `file:///work/shop-api/${path}`,
      fsPath: `/work/shop-api/${path}`,
      folder: folderAt('/work/shop-api'),
    })),
    total: paths.length,
    isPartial: false,
  });

  it('are looked for while the card is shown, and told without those that the change touches', async () => {
    const asked: unknown[] = [];
    const files: FakeText[] = [
      { path: 'item.ts', change: 'delete', base: 'one\n' },
      { path: 'cart.ts', base: 'one\n', result: 'two\n' },
    ];
    const t = setUp(files, check, async (used) => {
      asked.push(used);
      return found('cart.ts', 'other.ts');
    });
    expect(t.facts.of(t.approval)).toEqual([{ uses: { kind: 'looking' } }, {}]);
    await settled();
    expect(asked).toEqual([{ fsPath: '/work/shop-api/item.ts', isFolder: false }]);
    const uses = { kind: 'imports', paths: ['other.ts'], total: 1, isPartial: false };
    expect(t.facts.of(t.approval)).toEqual([{ uses }, {}]);
  });

  it('are said not to have been looked for when the search fails or finds nothing to look for', async () => {
    const files: FakeText[] = [
      { path: 'a', change: 'delete', base: 'one\n' },
      { path: 'src', change: 'move', to: 'lib', folderFiles: 2 },
    ];
    const t = setUp(files, check, async ({ isFolder }) => {
      if (isFolder) throw new Error('No search');
      return undefined;
    });
    t.facts.of(t.approval);
    await settled();
    const uses = { kind: 'not_looked_for' };
    expect(t.facts.of(t.approval)).toEqual([{ uses }, { uses }]);
  });
});
