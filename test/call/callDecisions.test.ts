import { describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { CallLimits, shippedCallLimits } from '#call/callLimits.ts';
import { callTool } from '#call/callTool.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { ruleOf } from '../fakes/rules.ts';
import { setUp, textOf } from './callSetUp.ts';

it('A16: gives the budget back when a change could not be applied', async () => {
  const t = setUp();
  t.policy.currentMode = 'acceptEdits';
  t.approver.request = () => Promise.reject(new ToolError('unavailable', 'The disk is full.', 'Wait.'));
  const text = await textOf(t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] }));
  expect(text).toContain('[unavailable]');
  const most = { files: 60, changedLines: 2000, deletedFiles: 0 };
  expect(t.dependencies.unasked.of({ credential: 'window' })(most)).toBeUndefined();
});

describe('the question before a read', () => {
  it('is not asked when no rule asks', async () => {
    const t = setUp();
    await t.call('search_code', { query: 'one' });
    await t.call('read_file', { path: 'a.ts' });
    expect(t.approver.reads).toEqual([]);
  });

  it('P10: is not asked for a file that has other names, and the proposal to change it has their number', async () => {
    const t = setUp();
    t.files.otherNames.set('/w/a.ts', '/out/other.ts');
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).toContain('one');
    expect(t.approver.reads).toEqual([]);
    await t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] });
    expect(t.approver.requests).toMatchObject([{ proposal: { files: [{ path: { linkCount: 2 } }] } }]);
  });

  it('names only the paths of the call, and counts a use of the rule', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', tools: ['read_file'] }));
    await t.call('read_file', { path: 'a.ts' });
    expect(t.approver.reads).toMatchObject([{ paths: ['a.ts'] }]);
    expect(t.policy.decided).toEqual([{ id: 'r-ask', scope: 'user' }]);
  });

  it('is not asked for a file that the change creates, but for an existing file', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['new.ts', 'a.ts'] }));
    await t.call('create_file', { path: 'new.ts', content: 'x' });
    expect(t.approver.reads).toEqual([]);
    await t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] });
    expect(t.approver.reads).toMatchObject([{ paths: ['a.ts'] }]);
  });
});

it('A16: refuses a caller that sends too many changes, before it creates an approval', async () => {
  const t = setUp();
  const limits = { ...shippedCallLimits, changes: { calls: 1, per: 'second', burst: 1 } } as const;
  const dependencies = { ...t.dependencies, limits: new CallLimits(limits) };
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };
  const send = () => textOf(callTool(t.callOf('apply_edit', edit), dependencies));
  expect(await send()).not.toContain('[rate_limited]');
  expect(await send()).toContain('[rate_limited]');
  expect(t.approver.requests).toHaveLength(1);
});

describe('a call that changes something', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }], reason: 'why' };

  it('asks the user with exactly what would change', async () => {
    const t = setUp();
    expect(await textOf(t.call('apply_edit', edit))).toContain('declined');
    expect(t.approver.requests).toMatchObject([
      {
        tool: 'apply_edit',
        reason: 'why',
        waitMilliseconds: defaultProfile.approvalSeconds * 1000,
        proposal: { files: [{ base: { text: 'one\ntwo\n' }, result: { text: '1\ntwo\n' } }] },
      },
    ]);
    expect(t.lastEnd()).toMatchObject({ outcome: 'declined', approvalId: 'a-1', decision: { effect: 'ask' } });
  });

  it('cline#13984: reports no match, without asking the user, when the old text matches nothing', async () => {
    const t = setUp();
    const nothing = { edits: [{ path: 'a.ts', oldText: 'three', newText: '3' }] };
    expect(await textOf(t.call('apply_edit', nothing))).toContain('[no_match]');
    expect(t.approver.requests).toEqual([]);
    expect(t.lastEnd()?.outcome).toBe('no_match');
  });

  it('A26: takes no argument as consent', async () => {
    const t = setUp();
    for (const extra of [{ confirm: true }, { approved: true }, { inputResponses: {} }, { requestState: 'x' }]) {
      expect(await t.call('apply_edit', { ...edit, ...extra })).toMatchObject({ kind: 'invalid_arguments' });
    }
    expect(t.approver.requests).toEqual([]);
  });

  it('P3: is refused, with the target, when a link leads out of the workspace', async () => {
    const t = setUp();
    const text = await textOf(t.call('apply_edit', { edits: [{ path: 'link', oldText: 'x', newText: 'y' }] }));
    expect(text).toContain('[outside_workspace]');
    expect(text).toContain('/out/secret.txt');
    expect(t.approver.requests).toEqual([]);
  });

  it('is refused when it reads or changes a secret file', async () => {
    const t = setUp();
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('[denied]');
    expect(await textOf(t.call('apply_edit', { edits: [{ path: '.env', oldText: 'KEY', newText: 'K' }] }))).toContain(
      '[denied]',
    );
    expect(t.files.reads).toEqual([]);
  });
});

describe('mode and rules in a call', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };

  it('apply a change at once when a rule allows it, name the rule and count its use', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'allow', class: 'edit', paths: ['a.ts'] }));
    await t.call('apply_edit', edit);
    expect(t.approver.requests).toMatchObject([
      { judgement: { effect: 'allow', rule: { id: 'r-allow', scope: 'user' }, mode: 'manual' } },
    ]);
    expect(t.lastEnd()?.decision).toMatchObject({
      effect: 'allow',
      step: 'allow_rule',
      ruleId: 'r-allow',
      scope: 'user',
    });
    expect(t.policy.decided).toEqual([{ id: 'r-allow', scope: 'user' }]);
  });

  it('refuse a call before anything is read when a rule denies it, and record the refusal', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'edit', paths: ['*.ts'] }));
    expect(await textOf(t.call('apply_edit', edit))).toContain('[denied]');
    expect(t.files.reads).toEqual([]);
    expect(t.lastEnd()?.decision).toMatchObject({ step: 'deny_rule', ruleId: 'r-deny', trusted: true, mode: 'manual' });
    expect(t.policy.decided).toEqual([{ id: 'r-deny', scope: 'user' }]);
  });

  it('ask the user once per call before a closed file is read', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('KEY=1');
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'], realPaths: ['/w/.env'], tool: 'read_file' }]);
    t.approver.permits = false;
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('[denied]');
    expect(t.files.reads).toHaveLength(1);
    expect(await textOf(t.call('search_code', { query: 'KEY' }))).not.toContain('.env');
  });

  it('F16: ask before a search whose tool a rule asks for, and then show its hits', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', tools: ['list_directory', 'search_code'] }));
    expect(await textOf(t.call('list_directory', {}))).toContain('a.ts');
    await t.call('search_code', { query: 'one' });
    expect(t.approver.reads).toMatchObject([{ paths: ['w'] }, { paths: ['w'], realPaths: ['/w'] }]);
    t.approver.permits = false;
    expect(await textOf(t.call('search_code', { query: 'one' }))).toContain('[denied]');
  });

  it('ask again after many changes were applied without asking', async () => {
    const t = setUp();
    t.policy.currentMode = 'acceptEdits';
    const limits = new CallLimits({ ...shippedCallLimits, changes: { calls: 1000, per: 'second', burst: 1000 } });
    const dependencies = { ...t.dependencies, limits };
    for (let count = 0; count < 61; count += 1) await callTool(t.callOf('apply_edit', edit), dependencies);
    expect(t.approver.requests.filter(({ judgement }) => judgement.effect === 'allow')).toHaveLength(60);
    expect(t.approver.requests.at(-1)?.judgement).toMatchObject({ effect: 'ask' });
    expect(t.lastEnd()?.decision).toMatchObject({ step: 'limit', mode: 'acceptEdits' });
  });

  it('hide files from searches and lists when a rule denies reading them', async () => {
    const t = setUp();
    expect(await textOf(t.call('list_directory', {}))).toContain('a.ts');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['a.ts'] }));
    expect(await textOf(t.call('list_directory', {}))).not.toContain('a.ts');
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).toContain('[denied]');
  });
});

describe('a hostile caller', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };
  const fast = new CallLimits({ ...shippedCallLimits, changes: { calls: 1000, per: 'second', burst: 1000 } });

  it('A16: gets no more changes without asking by sending all at once', async () => {
    const t = setUp();
    t.policy.currentMode = 'acceptEdits';
    const { promise, resolve } = Promise.withResolvers<void>();
    t.approver.applying = promise;
    const dependencies = { ...t.dependencies, limits: fast };
    const calls = Array.from({ length: 70 }, () => callTool(t.callOf('apply_edit', edit), dependencies));
    await t.approver.seen(70);
    resolve();
    await Promise.all(calls);
    expect(t.approver.requests.filter(({ judgement }) => judgement.effect === 'allow')).toHaveLength(60);
  });

  it('A16: spends no budget on changes that were not applied', async () => {
    const t = setUp();
    t.policy.currentMode = 'acceptEdits';
    t.approver.unasked = 'stale';
    const dependencies = { ...t.dependencies, limits: fast };
    for (let count = 0; count < 61; count += 1) await callTool(t.callOf('apply_edit', edit), dependencies);
    expect(t.approver.requests.every(({ judgement }) => judgement.effect === 'allow')).toBe(true);
  });

  it('A8: learns nothing about a file that it may not read from a change that fails', async () => {
    const t = setUp();
    const guess = { edits: [{ path: 'a.ts', oldText: 'one\ntwx\n', newText: '1' }] };
    expect(await textOf(t.call('apply_edit', guess))).toContain('one');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['a.ts'] }));
    for (const [tool, args] of [
      ['apply_edit', guess],
      ['create_file', { path: 'a.ts', content: 'one\ntwo\n', overwrite: true }],
      ['delete_file', { path: 'a.ts' }],
      ['move_file', { path: 'a.ts', to: 'b.ts' }],
    ] as const) {
      expect(await textOf(t.call(tool, args)), tool).toContain('[denied]');
    }
    expect(t.files.reads).toEqual(['/w/a.ts']);
  });

  it('A8: reads no secret through a change before the user has allowed the read', async () => {
    const t = setUp();
    const guess = { edits: [{ path: '.env', oldText: 'KEY=2', newText: '1' }] };
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'edit', paths: ['.env'] }));
    expect(await textOf(t.call('apply_edit', guess))).toContain('[denied]');
    t.policy.setRules(ruleOf({ effect: 'ask', tools: ['apply_edit'], paths: ['.env'] }));
    t.approver.permits = false;
    expect(await textOf(t.call('apply_edit', guess))).toContain('[denied]');
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'], tool: 'apply_edit' }]);
    expect(t.files.reads).toEqual([]);
    t.approver.permits = true;
    expect(await textOf(t.call('apply_edit', guess))).toContain('KEY=1');
  });

  it('A8: moves no folder that contains a file which a rule forbids to read', async () => {
    const t = setUp();
    t.files.nodes.set('/w/docs/open.md', 'x').set('/w/docs/private/a.md', 'x');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['docs/private/**'] }));
    expect(await textOf(t.call('move_file', { path: 'docs', to: 'moved' }))).toContain('[denied]');
    expect(t.approver.requests).toEqual([]);
  });

  it('A8: gets no secrets in a folder that the user allowed it to read', async () => {
    const t = setUp();
    t.policy.setRules(
      { ...ruleOf({ effect: 'ask', class: 'read' }), rule: { id: 'r-1', effect: 'ask', class: 'read' } },
      ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }),
    );
    await t.call('read_files', { files: [{ path: 'a.ts' }, { path: '.env' }] });
    expect(t.approver.reads.map(({ paths }) => paths)).toEqual([['w'], ['.env']]);
  });

  it('P3: makes the user decide about the target of a link under its own name', async () => {
    const t = setUp();
    t.files.nodes.set('/w/readme.txt', { link: '.env' });
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    await t.call('read_file', { path: 'readme.txt' });
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'], realPaths: ['/w/.env'] }]);
  });

  it('H8: blocks no other call by reads that wait for the user', async () => {
    const t = setUp();
    const dependencies = { ...t.dependencies, limits: new CallLimits({ ...shippedCallLimits, running: 2 }) };
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    const { promise, resolve } = Promise.withResolvers<void>();
    t.approver.answered = promise;
    const waiting = [1, 2, 3].map(() => callTool(t.callOf('read_file', { path: '.env' }), dependencies));
    await t.approver.seen(3);
    expect(await textOf(callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies))).toContain('two');
    resolve();
    for (const outcome of waiting) expect(await textOf(outcome)).toContain('KEY=1');
    for (let count = 0; count < 3; count += 1) {
      expect(await textOf(callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies))).toContain('two');
    }
  });

  it('H8: blocks no other call by calls that wait for the outcome of an approval', async () => {
    const t = setUp();
    const limits = new CallLimits({ ...shippedCallLimits, running: 1, queuedOfPrincipal: 0 });
    const dependencies = { ...t.dependencies, limits };
    const { promise, resolve } = Promise.withResolvers<void>();
    t.approver.answered = promise;
    const waiting = callTool(t.callOf('get_approval', { approvalId: 'a-1' }), dependencies);
    expect(await textOf(callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies))).toContain('two');
    resolve();
    expect(await textOf(waiting)).toContain('[not_found]');
  });

  it('deletes a committed file without asking in Unattended mode', async () => {
    const t = setUp();
    t.policy.currentMode = 'unattended';
    t.sourceControl.answer = 'committed';
    await t.call('delete_file', { path: 'a.ts' });
    expect(t.approver.requests).toMatchObject([{ judgement: { effect: 'allow' } }]);
  });
});

describe('A36: a secret file that the user opened for one read', () => {
  const read = (t: ReturnType<typeof setUp>, tool = 'read_file', args: unknown = { path: '.env' }) =>
    textOf(t.call(tool, args));

  it('is read once, in every mode, and is closed again for the second read', async () => {
    for (const mode of ['manual', 'acceptEdits', 'readOnly', 'unattended'] as const) {
      const t = setUp();
      t.policy.currentMode = mode;
      expect(await read(t)).toContain('[denied]');
      t.policy.openedOnce.open('/w/.env');
      expect(await read(t)).toContain('KEY=1');
      expect(await read(t)).toContain('[denied]');
    }
  });

  it('is read by one of two calls that come at the same time', async () => {
    const t = setUp();
    t.policy.openedOnce.open('/w/.env');
    const texts = await Promise.all([read(t), read(t)]);
    expect(texts.filter((text) => text.includes('KEY=1'))).toHaveLength(1);
  });

  it('opens no other path, no change and no search of the folder, and lasts ten minutes', async () => {
    const t = setUp();
    t.files.nodes.set('/w/.env.local', 'OTHER=1\n');
    t.policy.openedOnce.open('/w/.env');
    expect(await read(t, 'read_file', { path: '.env.local' })).toContain('[denied]');
    const edit = { edits: [{ path: '.env', oldText: 'KEY=1', newText: 'KEY=2' }] };
    expect(await read(t, 'apply_edit', edit)).toContain('[denied]');
    expect(await read(t, 'search_code', { query: 'KEY' })).not.toContain('KEY=1');
    t.policy.time += 10 * 60_000;
    expect(await read(t)).toContain('[denied]');
  });

  it('stays closed where a rule denies it and in a workspace without trust, and asks where a rule asks', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['.env'] }));
    t.policy.openedOnce.open('/w/.env');
    expect(await read(t)).toContain('[denied]');
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    t.policy.openedOnce.open('/w/.env');
    await read(t);
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'] }]);
    t.policy.setRules();
    t.workspace.trusted = false;
    t.policy.openedOnce.open('/w/.env');
    expect(await read(t)).toContain('[denied]');
  });
});
