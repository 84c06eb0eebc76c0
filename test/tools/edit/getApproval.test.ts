import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import type { ChangeOutcome } from '#changes/approver.ts';
import { getApproval } from '#tools/edit/getApproval.ts';

const applied: ChangeOutcome = { status: 'applied', approvalId: 'a-1', displayed: true, files: [], next: 'Go on.' };

function run(input: unknown, outcomes: Readonly<Record<string, ChangeOutcome>> = { 'a-1': applied }) {
  const context = {
    tickets: { outcome: async (id: string) => outcomes[id] },
    principal: { credential: 'window' },
    targets: [],
    resolve: () => Promise.reject(new Error('It names no address')),
    folderPath: () => Promise.reject(new Error('It names no folder')),
    limits: { listBytes: undefined, readBytes: 1, maxResults: 1 },
    report: () => undefined,
    log: () => undefined,
    withNearestPaths: async (error: unknown) => error,
    clientInput: { responses: {} },
    attach: () => undefined,
    mode: 'manual' as const,
  };
  return getApproval.run(getApproval.input.parse(input), context, new AbortController().signal);
}

describe('get_approval', () => {
  it('returns the same outcome as the tool call that proposed the change', async () => {
    const outcome = await run({ approvalId: 'a-1' });
    expect(outcome).toEqual(applied);
    expect(() => getApproval.output.check(outcome)).not.toThrow();
    expect(getApproval.render(outcome).text).toBe('applied (a-1)\nGo on.');
  });

  it('returns pending_approval when the user has not decided', async () => {
    const pending: ChangeOutcome = { ...applied, status: 'pending_approval', expiresAt: '2026-11-21T00:00:00.000Z' };
    expect(await run({ approvalId: 'a-2' }, { 'a-2': pending })).toEqual(pending);
  });

  it('refuses an id that was not issued to the caller', async () => {
    await expect(run({ approvalId: 'a-9' })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('approvalId'),
    });
  });

  it('is read-only and needs neither a folder nor trust nor an address', () => {
    expect(getApproval).toMatchObject({ risk: 'read', worksWithoutFolder: true, worksUntrusted: true });
    expect(getApproval.targets({ approvalId: 'a-1' })).toEqual([]);
  });

  it('has a time limit above the longest wait of any profile', () => {
    expect(getApproval.timeLimitSeconds).toBeGreaterThan(600);
  });

  it.each([[{}], [{ approvalId: '' }], [{ approvalId: 1 }], [{ approvalId: 'a', decision: 'approve' }]])(
    'A26 refuses wrong arguments %#',
    async (input) => {
      expect(() => getApproval.input.parse(input)).toThrow(InvalidArgumentsError);
    },
  );
});
