import { describe, expect, it } from 'vitest';
import { fittingOutcome } from '#call/fittingOutcome.ts';
import { printable } from '#call/sanitise.ts';
import type { ChangeOutcome, FileOutcome } from '#changes/approver.ts';
import { changeOutcomeSchema, renderOutcome } from '#tools/edit/changeOutcome.ts';

const file = (path: string, more: Partial<FileOutcome> = {}): FileOutcome => ({
  path,
  uri: `file:///w/${path}`,
  change: 'edit',
  state: 'applied',
  addedLines: 1,
  removedLines: 1,
  ...more,
});
const outcome = (files: readonly FileOutcome[], more: Partial<ChangeOutcome> = {}): ChangeOutcome => ({
  status: 'applied',
  approvalId: 'a-1',
  displayed: true,
  files,
  next: 'Go on.',
  ...more,
});
const sizes = (of: ChangeOutcome): number[] => [JSON.stringify(of).length, renderOutcome(of).text.length];
const files = Array.from({ length: 500 }, (_, at) => file(`src/file-${at}.ts`));

describe('fittingOutcome', () => {
  it('returns the outcome unchanged when it fits', () => {
    const small = outcome([file('a.ts', { changedOnSave: '-a\n+b' })]);
    expect(fittingOutcome(small, 1000)).toBe(small);
  });

  it('cuts diffs at a line end and says how many lines are missing', () => {
    const diff = Array.from({ length: 1000 }, (_, at) => `+line ${at}`).join('\n');
    const fitting = fittingOutcome(outcome([file('a.ts', { changedOnSave: diff }), file('b.ts')]), 5000);
    expect(Math.max(...sizes(fitting))).toBeLessThanOrEqual(5000);
    expect(fitting.files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
    const [, kept, missing] = /^([^]*)\n\((\d+) more lines; read the file for them\)$/.exec(
      fitting.files[0]?.changedOnSave ?? '',
    ) ?? ['', '', ''];
    expect(diff.startsWith(`${kept}\n`)).toBe(true);
    expect(kept?.split('\n').length).toBe(1000 - Number(missing));
    expect(Number(missing)).toBeLessThan(1000);
  });

  it('measures control characters by their visible form', () => {
    const diff = `+${'\u009b'.repeat(20)}\n`.repeat(100);
    const fitting = fittingOutcome(outcome([file('a.ts', { differenceFromProposal: diff })]), 5000);
    expect(Buffer.byteLength(printable(renderOutcome(fitting).text))).toBeLessThanOrEqual(5000);
  });

  it('names files that failed first, and counts the files that it does not name', () => {
    const last = file('last.ts', { state: 'not_applied', reason: 'stale' });
    const fitting = fittingOutcome(outcome([...files, last]), 8000);
    expect(Math.max(...sizes(fitting))).toBeLessThanOrEqual(8000);
    expect(fitting.files[0]).toEqual(last);
    expect(fitting.files.length).toBeGreaterThan(20);
    expect(fitting.moreFiles).toBe(501 - fitting.files.length);
    expect(renderOutcome(fitting).text).toContain(`... and ${fitting.moreFiles} more files`);
    expect(() => changeOutcomeSchema.check(fitting)).not.toThrow();
  });

  it('cuts the output of an action and says how much is missing', () => {
    const whole = 'line of \u00e4\n'.repeat(10_000);
    const fitting = fittingOutcome(outcome([], { output: whole }), 5000);
    expect(Math.max(...sizes(fitting))).toBeLessThanOrEqual(5000);
    const [, kept = '', missing] = /^([^]*)\n\(cut here; (\d+) more characters\)$/.exec(fitting.output ?? '') ?? [];
    expect(whole.startsWith(kept)).toBe(true);
    expect(kept.length).toBeGreaterThan(2000);
    expect(kept.length + Number(missing)).toBe(whole.length);
    const both = fittingOutcome(outcome(files, { output: whole }), 5000);
    expect(Buffer.byteLength(JSON.stringify(both))).toBeLessThanOrEqual(5000);
    expect(both.output?.length).toBeGreaterThan(500);
    const small = outcome([], { output: 'done' });
    expect(fittingOutcome(small, 5000)).toBe(small);
  });

  it('shortens the messages of problems', () => {
    const found = { path: 'a.ts', line: 1, severity: 'error', message: 'x'.repeat(5000) } as const;
    const problems = {
      new: Array.from({ length: 20 }, () => found),
      newCount: 20,
      fixedCount: 0,
      freshness: 'fresh',
    } as const;
    const fitting = fittingOutcome(outcome([file('a.ts')], { problems }), 10_000);
    expect(Math.max(...sizes(fitting))).toBeLessThanOrEqual(10_000);
    expect(fitting.problems?.new).toHaveLength(20);
  });
});
