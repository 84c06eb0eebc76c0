import { describe, expect, it, vi } from 'vitest';
import { diffRows } from '#changes/diffRows.ts';
import { compose, hunksBetween } from '#changes/hunks.ts';
import { reviewOf, select } from '#changes/review.ts';
import { mergeTexts } from '#changes/rebase.ts';
import { FakeHistory } from '../fakes/history.ts';
import { create, edit, settled, setUp } from './queueSetUp.ts';

/** Code that takes time in the square of these numbers exceeds the time limit of its test. */
const many = 200_000;

function lines(count: number, change: (line: number) => string = (each) => `line ${each}`): string {
  return Array.from({ length: count }, (_, index) => `${change(index)}\n`).join('');
}

const everyOther = (word: string, at = 0) => lines(many, (each) => (each % 4 === at ? word : `line ${each}`));

describe('P13 texts of very many lines', () => {
  it('are compared, composed and shown as rows when the base is empty', () => {
    const text = lines(many);
    const hunks = hunksBetween('', text);
    expect(compose('', hunks.hunks) === text).toBe(true);
    expect(diffRows('', reviewOf('', hunks, text))).toHaveLength(many + 1);
  });

  it('are composed around a change at their end', () => {
    const [base, result] = [lines(many), lines(many, (each) => `line ${each === many - 1 ? 'last' : each}`)];
    const proposed = hunksBetween(base, result);
    expect(proposed.hunks).toHaveLength(1);
    expect(select(base, reviewOf(base, proposed, result), 0, false) === base).toBe(true);
  });

  it('are compared when they have nothing in common', () => {
    const { hunks, rough } = hunksBetween(
      lines(many),
      lines(many, (each) => `row ${each}`),
    );
    expect(hunks).toHaveLength(1);
    expect(rough).toBe(false);
  });

  it('are reviewed as the user left them, with very many hunks', () => {
    const [base, result] = [lines(many), everyOther('new')];
    const typed = result.replace('line 2\n', 'typed\n');
    const review = reviewOf(base, hunksBetween(base, result), typed);
    expect(review.edited).toBe(true);
    expect(
      compose(
        base,
        review.hunks.filter(({ included }) => included),
      ) === typed,
    ).toBe(true);
  });

  it('are merged and tested for overlap, with very many hunks', async () => {
    const [base, one, other] = [lines(many), everyOther('one'), everyOther('other', 2)];
    const merged = mergeTexts(one, base, other) ?? '';
    expect(merged.match(/^one$/gm)).toHaveLength(many / 4);
    expect(merged.match(/^other$/gm)).toHaveLength(many / 4);
    expect(mergeTexts(one, base, everyOther('another'))).toBeUndefined();
    const t = setUp({ '/w/a': base });
    void t.ask([edit('a', base, one)]);
    void t.ask([edit('a', base, other)]);
    expect(t.waiting()).toHaveLength(2);
  });
});

it('P13 refuses to read a file that became too large, when it rebases', async () => {
  const limits: number[] = [];
  const t = setUp(undefined, undefined, {
    files: {
      readText: async (path, maximumBytes) => {
        limits.push(maximumBytes);
        throw new Error(`${path.path} is too large`);
      },
      readTree: async () => ({ files: [], unsaved: [], unsavedElsewhere: [] }),
      canEncode: async () => true,
    },
  });
  const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
  t.edits.texts.set('/w/a', 'grown\n');
  t.edits.fire();
  await outcome;
  await t.queue.settled();
  expect(limits).toEqual([5 * 1024 * 1024]);
});

it('A16 compares proposals of very many files with the waiting ones', () => {
  const t = setUp({});
  const files = (name: string) => Array.from({ length: 500 }, (_, index) => create(`${name}/${index}`, 'x\n'));
  for (let index = 0; index < 20; index += 1) void t.ask(files(`folder${index}`));
  expect(t.waiting()).toHaveLength(20);
});

it('writes only the changed file again when the user edits one file of many', async () => {
  const history = new FakeHistory();
  const t = setUp({}, history);
  const outcome = t.ask(Array.from({ length: 60 }, (_, index) => create(`f${index}`, `text ${index}\n`)));
  await t.queue.settled();
  const putContent = vi.spyOn(history, 'putContent');
  t.queue.setText(t.only().id, 7, 'typed\n');
  t.clock.advance(1000);
  await t.queue.settled();
  expect(putContent.mock.calls.map(([bytes]) => String(bytes))).toEqual(['typed\n', 'text 7\n']);
  t.cancel.abort();
  await outcome;
});

it('checks an approval once more, not many times, when its files change continuously', async () => {
  const t = setUp();
  const looked = vi.spyOn(t.edits, 'findStale');
  void t.ask([edit('a', 'old\n', 'new\n')]);
  for (let event = 0; event < 100; event += 1) t.edits.fire();
  await settled();
  expect(looked).toHaveBeenCalledTimes(2);
  t.edits.fire();
  await settled();
  expect(looked).toHaveBeenCalledTimes(3);
});
