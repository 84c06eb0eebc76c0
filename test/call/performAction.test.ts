import { describe, expect, it } from 'vitest';
import type { ActionProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import { performAction } from '#call/performAction.ts';
import type { Tool } from '#call/tool.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { changeOutcomeSchema, renderOutcome } from '#tools/edit/changeOutcome.ts';
import { FakeClock } from '../fakes/clock.ts';
import { fakePorts } from '../fakes/ports.ts';

const proposal: ActionProposal = {
  kind: 'action',
  files: [],
  title: 'Fix All',
  definition: 'fixAll',
  arguments: [],
  places: [],
  remarks: [],
};
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

/** A tool with an approved action. */
function acting(act: (signal: AbortSignal) => Promise<ActionResult>, offered = true, isTurnedOff = false) {
  const clock = new FakeClock();
  const bugs: unknown[] = [];
  const cancel = new AbortController();
  const seen: ActionProposal[] = [];
  const tool = {
    name: 'run_command',
    title: 'Run command',
    description: '',
    toolset: 'commands',
    risk: 'execute',
    needs: ['workspace'],
    input: { jsonSchema: {}, parse: (value: unknown) => value },
    output: changeOutcomeSchema,
    targets: () => [],
    render: renderOutcome,
    reason: () => undefined,
    replaces: () => undefined,
    propose: async () => proposal,
    act(approved: ActionProposal, { workspace }: { readonly workspace: object }, signal: AbortSignal) {
      expect([this.name, typeof workspace]).toEqual(['run_command', 'object']);
      seen.push(approved);
      return act(signal);
    },
  } satisfies Tool;
  const withoutAct: Tool = { ...applyEdit, name: tool.name };
  const dependencies = {
    catalog: { tools: offered ? [tool] : [withoutAct], isTurnedOff: () => isTurnedOff },
    clock,
    ports: fakePorts({}),
    onBug: (error: unknown) => void bugs.push(error),
  };
  const perform = (name = 'run_command') => performAction(name, proposal, cancel.signal, dependencies);
  return { perform, clock, bugs, cancel, seen };
}

describe('performAction', () => {
  it('runs an approved action once through its tool', async () => {
    const t = acting(async () => ({ text: 'done' }));
    expect(await t.perform()).toEqual({ text: 'done' });
    expect(t.seen).toEqual([proposal]);
  });

  it('runs nothing when the tool is gone, was turned off or has no action', async () => {
    const done = async (): Promise<ActionResult> => ({ text: 'done' });
    for (const [t, name] of [
      [acting(done), 'other'],
      [acting(done, false), 'run_command'],
      [acting(done, true, true), 'run_command'],
    ] as const) {
      await expect(t.perform(name)).rejects.toThrow('no longer offered');
      expect(t.seen).toEqual([]);
    }
  });

  it('returns printable text without secrets', async () => {
    const isError = true as const;
    const t = acting(async () => ({ text: `\u001b[31mtoken ${token}`, isError }));
    const { text, ...rest } = await t.perform();
    expect(rest).toEqual({ isError });
    expect(text).not.toContain(token);
    expect(text).not.toContain('\u001b');
  });

  it('returns at most 64 KiB of text and 8 MiB of images, and names what is missing', async () => {
    const image = (size: number) => ({ kind: 'image' as const, mimeType: 'image/png', data: 'A'.repeat(size) });
    const media = [image(1), image(9 * 1024 * 1024), image(2)];
    const t = acting(async () => ({ text: 'x'.repeat(70_000), media }));
    const result = await t.perform();
    expect(result.media).toEqual([media[0], media[2]]);
    expect(result.text.slice(64 * 1024)).toBe(
      `\n(cut here; ${70_000 - 64 * 1024} more characters)\n(1 images or sounds were too large and are left out)`,
    );
  });

  it('fails with the redacted error of the tool, and logs a bug', async () => {
    const refused = acting(() => Promise.reject(new ToolError('denied', `No ${token}.`, 'Stop.')));
    await expect(refused.perform()).rejects.toMatchObject({ code: 'denied', hint: 'Stop.' });
    await expect(refused.perform()).rejects.not.toThrow(token);
    expect(refused.bugs).toEqual([]);
    const bug = new TypeError('oops');
    const broken = acting(() => Promise.reject(bug));
    await expect(broken.perform()).rejects.toMatchObject({ code: 'internal' });
    expect(broken.bugs).toEqual([bug]);
  });

  it('aborts the action when no call waits for it any more, and after ten minutes', async () => {
    for (const stop of ['cancel', 'time'] as const) {
      let signal: AbortSignal | undefined;
      const t = acting((given) => {
        signal = given;
        return new Promise(() => undefined);
      });
      const ended = t.perform();
      if (stop === 'cancel') t.cancel.abort();
      else t.clock.advance(600_000);
      await expect(ended).rejects.toMatchObject({ code: stop === 'cancel' ? 'cancelled' : 'timeout' });
      expect(signal?.aborted).toBe(true);
    }
  });
});
