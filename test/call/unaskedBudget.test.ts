import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { Amount } from '#policy/decide.ts';
import { subjectOfProposal } from '#policy/subject.ts';
import { FakeClock } from '../fakes/clock.ts';
import { at, deleteOf, editOf, proposalOf } from '../policy/changes.ts';

const pathRules = { home: '/home/u', privateFolders: [] };
const one = { credential: 'window', connectionId: 'one' };
const two = { credential: 'ci', connectionId: 'one' };
const small = { files: 1, changedLines: 1, deletedFiles: 0 };

function amountOf(change: FileChange): Amount {
  return subjectOfProposal(proposalOf(change), 'edit', pathRules);
}

function setUp() {
  const clock = new FakeClock();
  const budget = new UnaskedBudget(clock);
  const edit = (count = 1) => {
    for (let done = 0; done < count; done += 1) budget.spend(one, amountOf(editOf(at(`${done}.ts`))));
  };
  return { clock, budget, edit };
}

describe('UnaskedBudget', () => {
  it('asks after 60 files in ten minutes, only for that credential and only for a time', async () => {
    const { clock, budget, edit } = setUp();
    edit(59);
    expect(budget.of(one)(small)).toBeUndefined();
    edit();
    expect(budget.of(one)(small)).toContain('more than 60 files');
    expect(budget.of(two)(small)).toBeUndefined();
    clock.advance(10 * 60_000 + 1);
    expect(budget.of(one)(small)).toBeUndefined();
  });

  it('A16: counts all connections of a credential together', () => {
    const { budget } = setUp();
    const invented = (index: number) => ({ credential: 'window', connectionId: `invented ${index}` });
    for (let index = 0; index < 60; index += 1) {
      budget.spend(invented(index), amountOf(editOf(at('a.ts'))));
    }
    expect(budget.of(invented(60))(small)).toContain('more than 60 files');
  });

  it('gives the budget back when a change was not applied', () => {
    const { budget, edit } = setUp();
    edit(59);
    const takeBack = budget.spend(one, amountOf(editOf(at('a.ts'))));
    expect(budget.of(one)(small)).toBeDefined();
    takeBack();
    takeBack();
    expect(budget.of(one)(small)).toBeUndefined();
    edit();
    expect(budget.of(one)(small)).toBeDefined();
  });

  it('counts each change against the budget for ten minutes', () => {
    const { clock, budget, edit } = setUp();
    edit(30);
    clock.advance(6 * 60_000);
    edit(30);
    expect(budget.of(one)(small)).toBe('more than 60 files changed without asking in 10 minutes');
    clock.advance(4 * 60_000);
    expect(budget.of(one)({ ...small, files: 30 })).toBeUndefined();
    expect(budget.of(one)({ ...small, files: 31 })).toBeDefined();
  });

  it('allows exactly as much as the limits say', () => {
    const { budget } = setUp();
    expect(budget.of(one)({ files: 60, changedLines: 2000, deletedFiles: 5 })).toBeUndefined();
    expect(budget.of(one)({ ...small, changedLines: 2001 })).toContain('in 10 minutes');
    expect(budget.of(one)({ ...small, deletedFiles: 6 })).toContain('more than 5 files deleted');
  });

  it('asks only for deletes when there were too many deletes', () => {
    const { budget } = setUp();
    const six = ['1', '2', '3', '4', '5', '6'];
    budget.spend(one, amountOf(deleteOf(at('old'), six, 'committed')));
    expect(budget.of(one)(small)).toBeUndefined();
    expect(budget.of(one)({ ...small, deletedFiles: 1 })).toContain('files deleted');
  });

  it('asks for a change that brings the changed lines over 2,000', () => {
    const { budget } = setUp();
    const lines = 'x\n'.repeat(1500);
    budget.spend(one, amountOf(editOf(at('a.ts'), '', lines)));
    expect(budget.of(one)({ ...small, changedLines: 400 })).toBeUndefined();
    expect(budget.of(one)({ ...small, changedLines: 600 })).toContain('more than 2000 lines');
  });

  it('asks for the sixth delete, and not for edits', () => {
    const { budget } = setUp();
    budget.spend(one, amountOf(deleteOf(at('old'), ['1', '2', '3', '4', '5'], 'committed')));
    expect(budget.of(one)({ ...small, deletedFiles: 1 })).toContain('more than 5 files deleted');
    expect(budget.of(one)(small)).toBeUndefined();
  });
});
