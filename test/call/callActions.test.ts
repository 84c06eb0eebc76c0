import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { actionKey, type Proposal } from '#base/proposal.ts';
import type { ActionResult } from '#base/toolError.ts';
import { performAction } from '#call/performAction.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from '#tools/edit/changeOutcome.ts';
import { getApproval } from '#tools/edit/getApproval.ts';
import { setUp } from '../changes/queueSetUp.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { CallRun } from './callRun.ts';

const principal = { credential: 'window', connectionId: 'c1' };
const image = { kind: 'image' as const, mimeType: 'image/png', data: 'AAAA' };
const key = actionKey({ definition: 'fixAll', arguments: [1] });

function calling(proposal: Proposal, policy = new FakePolicy()) {
  const acts: { run: () => Promise<ActionResult> } = { run: async () => ({ text: 'fixed', media: [image] }) };
  let done = 0;
  const tool = defineProposingTool({
    name: proposal.kind === 'question' ? 'ask_user' : 'run_command',
    title: 'Run',
    description: '',
    toolset: 'commands',
    risk: proposal.kind === 'question' ? 'ui' : 'execute',
    needs: ['workspace'],
    input: inputFromZod(z.strictObject({})),
    output: changeOutcomeSchema,
    targets: () => [],
    render: renderOutcome,
    reason: () => undefined,
    replaces: () => undefined,
    propose: async () => proposal,
    act() {
      done += 1;
      return acts.run();
    },
  });
  const t = setUp(undefined, undefined, {
    act: (name, approved, signal): Promise<ActionResult> =>
      performAction(name, approved, signal, { ...run.dependencies, onBug: () => undefined }),
  });
  const run = new CallRun([tool, getApproval], { workspace: new FakeWorkspace() }, t.queue);
  Object.assign(run.dependencies, { policy });
  const call = (more: object = {}, name: string = tool.name, args: object = {}) =>
    run.result(name, args, { principal, ...more });
  return { ...t, acts, run, call, done: () => done };
}

const fixAll = {
  kind: 'action',
  files: [],
  title: 'Fix All',
  definition: 'fixAll',
  arguments: [1],
  places: [],
  remarks: [],
} as const;

describe('an action', () => {
  it('returns the output and the images after the user approved it', async () => {
    const t = calling(fixAll);
    const result = t.call();
    await expect.poll(() => t.waiting().length).toBe(1);
    t.show();
    t.queue.endReached(t.only().id);
    t.approve();
    expect(await result).toMatchObject({ structuredContent: { status: 'applied', output: 'fixed' } });
    const { content } = await result;
    expect(content).toContainEqual(expect.objectContaining({ type: 'image', data: 'AAAA' }));
    expect(JSON.stringify((await result).structuredContent)).not.toContain('AAAA');
    const later = await t.call({}, 'get_approval', { approvalId: t.only().id });
    expect(later.content).toContainEqual(expect.objectContaining({ type: 'image', data: 'AAAA' }));
    expect(t.done()).toBe(1);
  });

  it('runs without asking when a rule allows exactly this action, also in Unattended mode', async () => {
    const policy = new FakePolicy(ruleOf({ effect: 'allow', class: 'execute', action: key }));
    policy.currentMode = 'unattended';
    const t = calling(fixAll, policy);
    expect(await t.call()).toMatchObject({ structuredContent: { status: 'applied' } });
    expect(t.run.auditLog.calls[0]?.end).toMatchObject({ outcome: 'applied', definition: 'fixAll' });
    policy.setRules(ruleOf({ effect: 'allow', class: 'execute', action: 'fixAll [2]' }));
    expect(await t.call()).toMatchObject({ isError: true });
    expect(t.done()).toBe(1);
  });

  it('redacts secrets in the output', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const t = calling(fixAll, new FakePolicy(ruleOf({ effect: 'allow', class: 'execute', action: key })));
    t.acts.run = async () => ({ text: `the token is ${token}` });
    expect(JSON.stringify(await t.call())).not.toContain(token);
    expect(JSON.stringify(t.queue.all)).not.toContain(token);
  });
});

describe('a question to the user', () => {
  const question: Proposal = { kind: 'question', files: [], question: 'Which?', choices: ['a'], allowsText: true };

  it('returns the answer of the user', async () => {
    const t = calling(question);
    const result = t.call();
    await expect.poll(() => t.waiting().length).toBe(1);
    t.show();
    expect(t.queue.answer(t.only().id, t.only().proposalHash, 'neither')).toBe('accepted');
    expect(await result).toMatchObject({ structuredContent: { status: 'answered', answer: 'neither', files: [] } });
    expect(t.done()).toBe(0);
  });

  it('is refused in Unattended mode, which never asks the user', async () => {
    const policy = new FakePolicy();
    policy.currentMode = 'unattended';
    const t = calling(question, policy);
    const result = await t.call();
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('[denied]');
    expect(t.queue.all).toEqual([]);
  });
});
