import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EditsFixture } from './editsFixture.ts';
import { applyAtOnce, openQueue } from './realQueue.ts';

/** One step: of an assistant, of the user by hand, or of the user in the history. The numbers choose a line and a change. */
type Step = readonly [kind: 'assistant' | 'add' | 'rewrite' | 'undo' | 'redo', line: number, change: number];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('assistant', 'assistant', 'add', 'rewrite', 'undo', 'undo', 'redo'),
  fc.nat(20),
  fc.nat(20),
);

/** Returns the marks of the user in a text: each of their edits has one of its own. */
const marksIn = (text: string): readonly string[] => text.match(/user-\d+/g) ?? [];

it('F14: an undo or a redo never loses what the user wrote, whatever they did in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const w = new EditsFixture();
      try {
        w.put('a', 'one\ntwo\nthree\nfour\nfive\n');
        const queue = openQueue(w.inside, join(w.root, 'state'));
        const applied: string[] = [];
        for (const [number, [kind, line, change]] of steps.entries()) {
          const before = w.text('a');
          const lines = before.split('\n');
          const at = line % lines.length;
          const id = applied[change % Math.max(1, applied.length)] ?? '';
          if (kind === 'assistant') {
            // An assistant may take out lines of its own or of the file, never a mark of the user.
            const isOwn = marksIn(lines[at] ?? '').length === 0 && at < lines.length - 1;
            const next = lines.toSpliced(at, isOwn && change % 2 === 0 ? 1 : 0, `assistant-${number}`).join('\n');
            applied.push(await applyAtOnce(queue, [await w.edit('a', next)]));
          } else if (kind === 'add') {
            writeFileSync(w.at('a'), lines.toSpliced(at, 0, `user-${number}`).join('\n'));
          } else if (kind === 'rewrite') {
            const kept = marksIn(lines[at] ?? '').join(' ');
            if (at < lines.length - 1) writeFileSync(w.at('a'), lines.with(at, `user-${number} ${kept}`).join('\n'));
          } else if (id !== '') {
            const { status } = kind === 'undo' ? await queue.undo(id) : await queue.redo(id);
            if (status !== 'undone' && status !== 'redone') expect(w.text('a')).toBe(before);
          }
          if (kind !== 'add' && kind !== 'rewrite') {
            const lost = marksIn(before).filter((mark) => !marksIn(w.text('a')).includes(mark));
            expect([kind, lost]).toEqual([kind, []]);
          }
        }
        await queue.settled();
      } finally {
        w.remove();
      }
    }),
    { numRuns: 40 },
  );
});
