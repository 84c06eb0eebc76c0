import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { create, edit, judged, move, remove, setUp, settled } from './queueSetUp.ts';

type T = ReturnType<typeof setUp>;

const acts = [
  'assistant adds',
  'assistant rewrites',
  'assistant creates',
  'assistant moves',
  'assistant deletes',
  'user types',
  'user types',
  'undo',
  'redo',
  'revert since',
  'take all back',
  'restart',
] as const;

const step = fc.record({
  act: fc.constantFrom(...acts),
  pick: fc.nat(1000),
  line: fc.nat(1000),
  /** The number of files that are done when the window is killed. */
  killedAfter: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(2) }),
});

const isTypedByUser = (line: string): boolean => line.startsWith('user');

/** A series of windows over the same files and the same history. */
class Session {
  t: T = setUp({ '/w/a': 'a1\na2\na3\n', '/w/b': 'b1\nb2\n', '/w/c': 'c1\n' });
  /** Every line that the user typed. */
  readonly typed: string[] = [];
  #count = 0;

  async run({
    act,
    pick,
    line,
    killedAfter,
  }: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
    if (killedAfter !== null) this.#hangAfter(killedAfter);
    await this.#act(act, pick, line);
    if (killedAfter !== null || act === 'restart') await this.#restart();
  }

  async #act(act: (typeof acts)[number], pick: number, line: number): Promise<void> {
    this.#count += 1;
    const { queue, edits } = this.t;
    const names = [...edits.texts.keys()].map((path) => path.slice('/w/'.length));
    const name = names[pick % Math.max(1, names.length)];
    const text = edits.texts.get(`/w/${name ?? ''}`) ?? '';
    const lines = text.split('\n').slice(0, -1);
    const at = line % (lines.length + 1);
    const ids = queue.changes.list().map(({ id }) => id);
    const id = ids[pick % Math.max(1, ids.length)] ?? '';
    const withLine = (words: string, replaced: number): string =>
      `${lines.toSpliced(at, replaced, `${words} ${this.#count}`).join('\n')}\n`;
    if (act === 'undo') void queue.undo(id);
    else if (act === 'redo') void queue.redo(id);
    else if (act === 'revert since') void queue.changes.revert(ids.slice(0, ids.indexOf(id) + 1));
    else if (act === 'take all back') await this.#takeBack(ids);
    else if (act === 'assistant creates') this.#apply(create(`n${this.#count}`, 'assistant\n'));
    else if (name !== undefined && act === 'user types') {
      this.typed.push(`user ${this.#count}`);
      edits.texts.set(`/w/${name}`, withLine('user', 0));
      edits.fire();
    } else if (name !== undefined && act === 'assistant adds') this.#apply(edit(name, text, withLine('assistant', 0)));
    else if (
      name !== undefined &&
      act === 'assistant rewrites' &&
      lines[at] !== undefined &&
      !isTypedByUser(lines[at])
    ) {
      this.#apply(edit(name, text, withLine('assistant', 1)));
    } else if (name !== undefined && act === 'assistant moves') this.#apply(move(name, `m${this.#count}`, text));
    else if (name !== undefined && act === 'assistant deletes' && !lines.some(isTypedByUser))
      this.#apply(remove(name, text));
    await settled();
    await settled();
  }

  #apply(change: FileChange): void {
    this.t.clock.advance(1000);
    void this.t.ask([change], { judgement: judged({ effect: 'allow' }) });
  }

  /** Also approves the cards that keep later edits. */
  async #takeBack(ids: readonly string[]): Promise<void> {
    void this.t.queue.changes.revert(ids);
    for (let turn = 0; turn < 30; turn += 1) await settled();
    for (const { id } of this.t.waiting()) {
      this.t.show(id);
      this.t.queue.endReached(id);
      this.t.approve(id);
      await settled();
    }
  }

  #hangAfter(count: number): void {
    const { edits } = this.t;
    const apply = edits.apply.bind(edits);
    edits.apply = async (changes) => {
      for (const change of changes.slice(0, count)) await apply([change]);
      return Promise.withResolvers<never>().promise;
    };
  }

  async #restart(): Promise<void> {
    const { edits, history, clock } = this.t;
    this.t = setUp(Object.fromEntries(edits.texts), history);
    this.t.clock.advance(clock.now() - this.t.clock.now());
    await this.t.queue.restore();
    await this.t.queue.settled();
  }
}

it('F14 keeps every line the user typed, whatever assistants, undo, redo, reverts and crashes do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const session = new Session();
      for (const each of steps) {
        await session.run(each);
        const now = [...session.t.edits.texts.values()].join('').split('\n').filter(isTypedByUser);
        expect(now.toSorted()).toEqual(session.typed.toSorted());
      }
    }),
    { numRuns: 1000 },
  );
});
