import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { GuardLevel } from '#base/nativeCommand.ts';
import type { NativeAnswer, NativeCall, NativeFileEdit } from '#base/nativeEdit.ts';
import type { FileChange } from '#base/proposal.ts';
import { NativeEdits } from '#call/nativeEdits.ts';
import type { ApprovalRequest, ChangeOutcome } from '#changes/approver.ts';
import type { ApplyOutcome } from '#changes/edits.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { nativeUnseenEdit } from '#tools/edit/nativeUnseenEdit.ts';
import { FakeEdits } from '../fakes/edits.ts';
import { FakeNativeWatch } from '../fakes/nativeWatch.ts';
import { ruleOf } from '../fakes/rules.ts';
import { setUp } from './callSetUp.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const replace = (path: string, oldText: string, newText: string): NativeFileEdit => ({
  kind: 'replace',
  path,
  oldText,
  newText,
  all: false,
});

/** A window in which the user decides as `decide` says. */
function start(decide: (request: ApprovalRequest) => Promise<Partial<ChangeOutcome>>) {
  const t = setUp();
  const { clock } = t.dependencies;
  const edits = new FakeEdits({ '/w/a.ts': 'one\ntwo\n' });
  const requests: ApprovalRequest[] = [];
  const endedFor: string[] = [];
  const included: string[] = [];
  const written: string[] = [];
  const watch = new FakeNativeWatch();
  let level: GuardLevel = 'edits';
  /** The outcomes of approvals that ended after their calls. */
  const ended = new Map<string, ChangeOutcome>();
  const files = t.dependencies.ports.files;
  const native = new NativeEdits({
    ...t.dependencies,
    approver: {
      async request(request) {
        requests.push(request);
        const outcome = await decide(request);
        return { status: 'applied', approvalId: 'a-1', displayed: true, files: [], next: 'Go on.', ...outcome };
      },
      permitRead: async () => undefined,
      outcome: async (id) => ended.get(id),
    },
    tool: nativeEdit,
    unseenTool: nativeUnseenEdit,
    writing: {
      clock,
      edits,
      files,
      readSaved: (path, maximum) => files.readText(path, maximum),
      save: (path) => t.dependencies.ports.editorActions.save(path),
      workspace: t.dependencies.ports.workspace,
      pathRules: t.dependencies.pathRules,
      noteWritten: (changes) => written.push(...changes.map(({ path }) => path.path)),
    },
    level: () => level,
    watch,
    includeWorktrees: (paths) => included.push(...paths),
    endTurnRules: (_principal, present) => endedFor.push(present),
  });
  const closed = new AbortController();
  const ask = (edit: NativeFileEdit = replace('/w/a.ts', 'two', 'TWO'), more: Partial<NativeCall> = {}) =>
    native.answer(
      {
        event: 'before',
        assistant: 'Claude Code',
        session: 's',
        call: 'c-1',
        isSerial: true,
        tool: 'Edit',
        writesExactly: ['edit', 'create', 'changed', 'noFinalLineEnd'],
        edits: [edit],
        ...more,
      },
      closed.signal,
    );
  const reviewAfter = (): void => void (level = 'after');
  return { ...t, edits, requests, endedFor, included, written, watch, reviewAfter, ended, native, ask, closed };
}

/** Approves the changes, with other texts where given, and keeps the outcome of the apply. */
function approval(applied: (ApplyOutcome | undefined)[], texts: Readonly<Record<string, string>> = {}) {
  return async ({ proposal, writer }: ApprovalRequest): Promise<Partial<ChangeOutcome>> => {
    const files = proposal.files.map((change: FileChange) => {
      const text = texts[change.path.path];
      if (text === undefined || (change.kind !== 'edit' && change.kind !== 'create')) return change;
      return { ...change, result: { ...change.result, text } };
    });
    applied.push(await writer?.apply(files));
    return {};
  };
}

describe('NativeEdits', () => {
  it('proposes an edit by a principal of its own, and lets the assistant write it when the user approves it', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    const answer = await t.ask();
    const texts = { before: 'one\ntwo\n', after: 'one\nTWO\n' };
    const file = { path: '/w/a.ts', change: 'edit', sha256: sha256('one\ntwo\n'), texts, isChanged: false };
    expect(answer).toEqual({ decision: 'allow', files: [file] });
    expect(t.requests[0]).toMatchObject({
      tool: 'native_edit',
      client: { name: 'Claude Code' },
      principal: { credential: 'window', connectionId: expect.stringMatching(/^native:/) },
      proposal: { files: [{ kind: 'edit', result: { text: 'one\nTWO\n' } }] },
    });
    t.files.nodes.set('/w/a.ts', 'one\nTWO\n');
    t.edits.fire();
    await expect
      .poll(() => applied)
      .toMatchObject([{ status: 'applied', files: [{ written: { text: 'one\nTWO\n', changedOnSave: false } }] }]);
  });

  it('G6: records an edit as written differently when other bytes than the approved ones are on disk', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    await t.ask();
    t.files.nodes.set('/w/a.ts', 'one\nother\n');
    expect(await t.ask(undefined, { event: 'after' })).toEqual({ decision: 'none' });
    await expect
      .poll(() => applied)
      .toMatchObject([{ files: [{ written: { text: 'one\nother\n', changedOnSave: true } }] }]);
  });

  it('G6: records an edit as written differently when its text is on disk in another encoding', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    await t.ask();
    t.files.nodes.set('/w/a.ts', 'one\nTWO\n');
    t.files.facts.set('/w/a.ts', { encoding: 'utf8bom' });
    await t.ask(undefined, { event: 'after' });
    await expect.poll(() => applied).toMatchObject([{ files: [{ written: { changedOnSave: true } }] }]);
  });

  it.each([
    ['no file', undefined],
    ['no text', Buffer.from([0, 1])],
  ])('G6: does not record an edit as made when there is %s on disk afterwards', async (_what, left) => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    await t.ask();
    t.files.nodes.delete('/w/a.ts');
    if (left !== undefined) t.files.nodes.set('/w/a.ts', left);
    await t.ask(undefined, { event: 'after' });
    await expect
      .poll(() => applied)
      .toMatchObject([{ status: 'failed', reason: expect.stringContaining('something else'), states: ['unknown'] }]);
  });

  it.each(['the end of its call', 'the next call of the session', 'two minutes'])(
    'counts as not written when the file is as before after %s',
    async (moment) => {
      const applied: (ApplyOutcome | undefined)[] = [];
      const t = start(approval(applied));
      await t.ask();
      if (moment === 'two minutes') await expect.poll(() => t.edits.watched).toBe(1);
      if (moment === 'two minutes') t.clock.advance(120_000);
      else void t.ask(undefined, moment.startsWith('the end') ? { event: 'after' } : { call: 'c-2' });
      await expect.poll(() => applied[0]).toMatchObject({ status: 'failed', states: ['not_applied'] });
    },
  );

  it('returns the approved text and tells the model about it when the user changes the edit', async () => {
    const t = start(approval([], { 'a.ts': 'one\nmine\n' }));
    const answer = await t.ask();
    expect(answer).toMatchObject({
      decision: 'allow',
      files: [{ path: '/w/a.ts', texts: { before: 'one\ntwo\n', after: 'one\nmine\n' } }],
    });
    expect(answer.decision === 'allow' && answer.words).toContain('-TWO\n+mine');
  });

  it('refuses an edit in the words of the user when the user declines it', async () => {
    const t = start(async () => ({ status: 'declined', userMessage: 'Use const.' }));
    const answer = await t.ask();
    expect(answer.decision).toBe('deny');
    expect(answer.decision === 'deny' && answer.words).toContain('The user says: Use const.');
  });

  it('applies an edit itself, and refuses it to the assistant, in a file with mixed line ends', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    t.files.nodes.set('/w/a.ts', 'one\r\ntwo\n');
    const answer = await t.ask();
    expect(applied).toEqual([undefined]);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('applied this edit in VS Code') });
  });

  it('applies an edit that empties the file itself when the assistant keeps the last line end', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const edit = replace('/w/a.ts', 'one\ntwo\n', '');
    expect(await start(approval(applied)).ask(edit)).toMatchObject({ decision: 'allow' });
    expect(await start(approval(applied)).ask(edit, { writesExactly: ['edit'] })).toMatchObject({ decision: 'deny' });
    expect(applied).toEqual([undefined]);
  });

  /** Unsaved text in an editor, which is on the disk as `onDisk` when the editor has saved it; undefined when saving fails. */
  const withUnsavedText = (t: ReturnType<typeof start>, onDisk: string | undefined): void => {
    t.files.buffers.set('/w/a.ts', 'mine\none\ntwo\n');
    t.edits.texts.set('/w/a.ts', onDisk ?? 'mine\none\ntwo\n');
    t.dependencies.ports.editorActions.save = async () => {
      if (onDisk === undefined) return { state: 'failed', changedOnSave: false };
      t.files.buffers.delete('/w/a.ts');
      t.files.nodes.set('/w/a.ts', onDisk);
      return { state: 'saved', changedOnSave: false };
    };
  };

  it('saves the unsaved text of an editor, and lets the assistant write', async () => {
    const t = start(approval([]));
    withUnsavedText(t, 'mine\none\ntwo\n');
    const texts = { before: 'mine\none\ntwo\n', after: 'mine\none\nTWO\n' };
    expect(await t.ask()).toMatchObject({ decision: 'allow', files: [{ texts }] });
  });

  it('asks again for the saved text when saving changes it, and applies the edit itself when saving fails', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(async (request) => {
      await approval(applied)(request);
      return applied.at(-1)?.status === 'stale' ? { status: 'stale' } : {};
    });
    withUnsavedText(t, 'formatted\none\ntwo\n');
    const after = 'formatted\none\nTWO\n';
    expect(await t.ask()).toMatchObject({ decision: 'allow', files: [{ texts: { after } }] });
    expect(t.requests).toHaveLength(2);
    withUnsavedText(t, undefined);
    expect(await t.ask(undefined, { call: 'c-2' })).toMatchObject({ decision: 'deny' });
    expect(applied.at(-1)).toBeUndefined();
  });

  it('applies an edit through a link itself, because Claude Code refuses to write through links', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    t.files.nodes.set('/w/link.ts', { link: '/w/a.ts' });
    const answer = await t.ask(replace('/w/link.ts', 'two', 'TWO'));
    expect(applied).toEqual([undefined]);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('applied this edit in VS Code') });
  });

  it('saves an edit of unsaved text, or tells the model that the edit is not on disk', async () => {
    const t = start(async ({ proposal }) => {
      const [change] = proposal.files;
      const file = {
        path: 'a.ts',
        uri: change?.path.uri ?? '',
        change: 'edit',
        state: 'applied',
        dirty: true,
      } as const;
      return { files: [{ ...file, addedLines: 1, removedLines: 1 }] };
    });
    const { editorActions } = t.dependencies.ports;
    const saved: string[] = [];
    editorActions.save = async ({ path }) => {
      saved.push(path);
      return { state: saved.length === 1 ? 'saved' : 'failed', changedOnSave: false };
    };
    const [first, second] = [await t.ask(), await t.ask(undefined, { call: 'c-2' })];
    expect(saved).toEqual(['a.ts', 'a.ts']);
    expect(first.decision === 'deny' && first.words).not.toContain('not saved');
    expect(second.decision === 'deny' && second.words).toContain('not saved yet');
  });

  it('refuses an edit without a card when the file has its old text not at all, or twice', async () => {
    const t = start(approval([]));
    for (const edit of [replace('/w/a.ts', '“two”', 'x'), replace('/w/a.ts', 'o', 'x')]) {
      expect(await t.ask(edit)).toMatchObject({ decision: 'deny' });
    }
    expect(t.requests).toEqual([]);
  });

  it('refuses a declined edit without a card in the same turn, and asks about it in the next turn', async () => {
    const t = start(async () => ({ status: 'declined' }));
    await t.ask(undefined, { turn: 'p-1' });
    expect(await t.ask(undefined, { turn: 'p-1', call: 'c-2' })).toMatchObject({ decision: 'deny' });
    await t.ask(replace('/w/a.ts', 'two', 'three'), { turn: 'p-1', call: 'c-3' });
    await t.ask(undefined, { turn: 'p-2', call: 'c-4' });
    expect(t.requests).toHaveLength(3);
  });

  it('counts the edits of a turn, and ends the rules of the turn before when the next one begins', async () => {
    const t = start(async () => ({}));
    await t.ask(undefined, { turn: 'p-1' });
    await t.ask(replace('/w/a.ts', 'two', 'three'), { turn: 'p-1', call: 'c-2' });
    await t.ask(undefined, { turn: 'p-2', call: 'c-3' });
    await t.ask(undefined, { call: 'c-4' });
    expect(t.requests.map(({ turn }) => turn)).toEqual([
      { id: 'p-1', edit: 1 },
      { id: 'p-1', edit: 2 },
      { id: 'p-2', edit: 1 },
      undefined,
    ]);
    expect(new Set(t.endedFor)).toEqual(new Set(['p-1', 'p-2', '']));
  });

  it('refuses in words when the user does not decide in time, and tells the next call the late decision', async () => {
    const statuses: ChangeOutcome['status'][] = ['pending_approval', 'declined', 'declined'];
    const t = start(async () => ({ status: statuses.shift() ?? 'failed', approvalId: 'late' }));
    const pending = { approvalId: 'late', displayed: true, files: [], next: 'Wait.' };
    t.ended.set('late', { ...pending, status: 'pending_approval' });
    const answer = await t.ask(undefined, { waitSeconds: 600 });
    expect(answer).toMatchObject({
      decision: 'deny',
      words: expect.stringContaining('has not decided about this edit yet'),
    });
    expect(t.requests[0]).toMatchObject({ waitMilliseconds: 570_000 });
    const stays = t.requests[0]?.staysMilliseconds ?? 0;
    expect(stays).toBeGreaterThan(570_000);
    const writer = t.requests[0]?.writer;
    expect(await writer?.apply(t.requests[0]?.proposal.files ?? [])).toBeUndefined();
    const file = { path: 'a.ts', uri: 'file:///w/a.ts', change: 'edit', state: 'applied' } as const;
    const files = [{ ...file, addedLines: 1, removedLines: 1 }];
    t.ended.set('late', { ...pending, status: 'applied', files });
    const next = await t.ask(replace('/w/a.ts', 'two', 'three'), { call: 'c-2' });
    expect(next).toMatchObject({
      words: expect.stringMatching(/^About your earlier edit of a\.ts: The user applied this edit/),
    });
    const third = await t.ask(replace('/w/a.ts', 'two', 'four'), { call: 'c-3' });
    expect(third).toMatchObject({ words: expect.not.stringContaining('earlier edit') });
  });

  it('shows one card when the assistant starts the hook program twice for one call', async () => {
    const t = start(async () => ({ status: 'declined' }));
    const answers = await Promise.all([t.ask(), t.ask()]);
    expect(answers[0]).toEqual(answers[1]);
    await t.ask(undefined, { attempt: 1 });
    expect(t.requests).toHaveLength(2);
  });

  it('ends the wait of a call that it refuses, so that nothing is kept of it', async () => {
    const t = start(async () => ({ status: 'pending_approval' }));
    await t.ask(undefined, { isSerial: false });
    const ended = vi.fn<() => void>();
    void t.requests[0]?.writer?.ended.then(ended);
    await expect.poll(() => ended.mock.calls.length).toBe(1);
  });

  it('asks about another edit that comes with the id of the call before', async () => {
    const t = start(async () => ({ status: 'declined' }));
    await t.ask();
    await t.ask(replace('/w/a.ts', 'one', 'ONE'));
    expect(t.requests).toHaveLength(2);
  });

  it('applies an edit of a notebook itself, because new cells get random ids', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    t.files.nodes.set('/w/n.ipynb', '{"cells":[{"cell_type":"code","id":"c1","source":"1"}]}');
    t.edits.texts.set('/w/n.ipynb', '{"cells":[{"cell_type":"code","id":"c1","source":"1"}]}');
    const edit: NativeFileEdit = { kind: 'notebook', path: '/w/n.ipynb', mode: 'insert', cell: 'c1', source: '2' };
    expect(await t.ask(edit)).toMatchObject({ decision: 'deny', words: expect.stringContaining('applied this edit') });
    expect(applied).toEqual([undefined]);
  });

  it('returns no decision when the file is outside the workspace', async () => {
    const t = start(approval([]));
    expect(await t.ask(replace('/out/secret.txt', 'x', 'y'))).toEqual({ decision: 'none' });
  });

  const permitting = (permitted: (boolean | 'later' | undefined)[], before: () => void = () => undefined) =>
    start(async ({ writer }) => {
      before();
      permitted.push(writer?.permit());
      return {};
    });

  it.each([
    ['is secret', '/w/.env', 'KEY=secret-value-1\n'],
    ['is not text', '/w/image.bin', '\u0000\u0001'],
  ])('asks without showing the change when the file %s, and lets the call pass as it is', async (_why, path, text) => {
    const permitted: (boolean | 'later' | undefined)[] = [];
    const t = permitting(permitted);
    t.files.nodes.set(path, text);
    const answer = await t.ask({ kind: 'write', path, text: 'new-value-2' });
    expect(answer).toEqual({ decision: 'allow', files: [] });
    expect(permitted).toEqual([true]);
    expect(t.requests).toMatchObject([
      { tool: 'native_edit_unseen', judgement: { effect: 'ask', onceOnly: true }, proposal: { kind: 'action' } },
    ]);
    expect(inspect(t.requests, { depth: 20 })).not.toMatch(/secret-value-1|new-value-2/);
  });

  it('has no opinion about a patch that also changes files elsewhere when the user approved its secret file', async () => {
    const permitted: (boolean | 'later' | undefined)[] = [];
    const t = permitting(permitted);
    t.files.nodes.set('/w/.env', 'KEY=1\n');
    const text = '*** Update File: .env\n@@\n-KEY=1\n+KEY=2\n*** Add File: /out/b.ts\n+new\n';
    expect(await t.ask(mixed(text, '.env', '/out/b.ts'))).toEqual({ decision: 'none' });
    expect(permitted).toEqual([true]);
  });

  it('asks about a secret file of a patch that also changes a file elsewhere by a link', async () => {
    const t = permitting([]);
    t.files.nodes.set('/w/.env', 'KEY=1\n');
    t.files.nodes.set('/out/b.ts', 'old\n');
    t.files.nodes.set('/w/link.ts', { link: '/out/b.ts' });
    const text = '*** Update File: .env\n@@\n-KEY=1\n+KEY=2\n*** Update File: link.ts\n@@\n-old\n+new\n';
    expect(await t.ask(mixed(text, '.env', 'link.ts'))).toEqual({ decision: 'none' });
    expect(t.requests).toMatchObject([{ tool: 'native_edit_unseen' }]);
  });

  it.each([
    ['the tool', { tools: ['native_edit'] }],
    ['deletions', { class: 'delete' }],
  ] as const)('refuses what a rule for %s denies, and does not ask about it as about a secret', async (_what, rule) => {
    const t = startWithPatch([]);
    t.policy.setRules(ruleOf({ effect: 'deny', ...rule }));
    expect(await t.ask(patch)).toMatchObject({
      decision: 'deny',
      words: expect.stringContaining('A rule of the user'),
    });
    expect(t.requests).toEqual([]);
  });

  it('refuses a secret file that a rule denies, and permits nothing when the assistant no longer waits', async () => {
    const permitted: (boolean | 'later' | undefined)[] = [];
    const t = permitting(permitted, () => t.closed.abort());
    t.files.nodes.set('/w/.env', 'KEY=1\n');
    t.policy.setRules(ruleOf({ effect: 'deny', paths: ['.env'] }));
    expect(await t.ask({ kind: 'write', path: '/w/.env', text: 'x' })).toMatchObject({ decision: 'deny' });
    expect(t.requests).toEqual([]);
    t.policy.setRules();
    await t.ask({ kind: 'write', path: '/w/.env', text: 'x' }, { call: 'c-2' });
    expect(permitted).toEqual([false]);
  });

  it('G3: refuses an edit when it cannot be recorded because the disk is full', async () => {
    const t = start(async () => ({}));
    t.auditLog.failure = new Error('ENOSPC: no space left on device');
    expect(await t.ask()).toMatchObject({ decision: 'deny', words: expect.stringContaining('record') });
    expect(t.requests).toEqual([]);
  });

  it('refuses no call when many came before it', async () => {
    const t = start(async () => ({ status: 'declined' }));
    for (let call = 0; call < 100; call += 1) await t.ask(undefined, { call: `c-${call}` });
    expect(t.requests).toHaveLength(100);
  });

  it('asks about each of two different calls that cannot be shown, and never about one that it could not let through', async () => {
    const t = permitting([]);
    t.files.nodes.set('/w/.env', 'KEY=1\n');
    const write = (text: string): NativeFileEdit => ({ kind: 'write', path: '/w/.env', text });
    for (const text of ['KEY=2\n', 'KEY=3\n']) await t.ask(write(text), { call: undefined });
    const [first, second] = t.requests.map(({ proposal }) => proposal.kind === 'action' && proposal.arguments);
    expect(first).not.toEqual(second);
    const applied = await t.ask(write('KEY=4\n'), { call: 'c-4', writesExactly: [] });
    expect(applied).toMatchObject({ decision: 'deny', words: expect.stringContaining('.env') });
    expect(t.requests).toHaveLength(2);
  });

  it('P5: does not allow a whole file when the file changed after the user saw the card', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const decide = approval(applied);
    const t = start(async (request) => {
      t.edits.texts.set('/w/a.ts', 'changed\n');
      await decide(request);
      return { status: 'stale' };
    });
    const answer = await t.ask({ kind: 'write', path: '/w/a.ts', text: 'new\n' });
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('changed while the user') });
    expect(applied).toMatchObject([{ status: 'stale' }]);
  });

  it.each([
    ['is deleted', (t: ReturnType<typeof start>) => void t.files.nodes.delete('/w/a.ts')],
    [
      'becomes a link out of the folder',
      (t: ReturnType<typeof start>) => void t.files.nodes.set('/w/a.ts', { link: '/out/secret.txt' }),
    ],
  ])('refuses an edit whose file %s while the card waits', async (_what, change) => {
    const t = start(async () => {
      change(t);
      return { status: 'stale' };
    });
    expect(await t.ask()).toMatchObject({ decision: 'deny' });
    expect(t.requests).toHaveLength(1);
  });

  it('asks at most six times about an edit whose file changes again and again', async () => {
    const t = start(async () => ({ status: 'stale' }));
    expect(await t.ask()).toMatchObject({ decision: 'deny' });
    expect(t.requests).toHaveLength(6);
  });

  const patch: NativeFileEdit = {
    kind: 'patch',
    folder: '/w',
    text: '*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+TWO\n*** Delete File: b.ts\n*** Add File: c.ts\n+new\n*** End Patch\n',
    paths: ['/w/a.ts', '/w/b.ts', '/w/c.ts'],
  };
  const startWithPatch = (applied: (ApplyOutcome | undefined)[]) => {
    const t = start(approval(applied));
    t.files.nodes.set('/w/b.ts', 'old\n');
    t.edits.texts.set('/w/b.ts', 'old\n');
    return t;
  };

  it('lets an assistant make all changes of a patch, and counts each as applied once it is on the disk', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = startWithPatch(applied);
    const answer = await t.ask(patch, { writesExactly: ['edit', 'create', 'delete', 'several'] });
    expect(answer).toMatchObject({
      decision: 'allow',
      files: [
        { path: '/w/a.ts', change: 'edit', texts: { before: 'one\ntwo\n', after: 'one\nTWO\n' }, isChanged: false },
        { path: '/w/b.ts', change: 'delete', sha256: sha256('old\n'), texts: { before: 'old\n', after: '' } },
        { path: '/w/c.ts', change: 'create', texts: { before: '', after: 'new\n' }, isChanged: false },
      ],
    });
    t.files.nodes.set('/w/a.ts', 'one\nTWO\n');
    t.files.nodes.set('/w/c.ts', 'new\n');
    t.files.nodes.delete('/w/b.ts');
    t.edits.fire();
    await expect.poll(() => applied).toMatchObject([{ status: 'applied' }]);
  });

  it('records a patch of which the assistant made only a part as failed', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = startWithPatch(applied);
    await t.ask(patch, { writesExactly: ['edit', 'create', 'delete', 'several'] });
    t.files.nodes.set('/w/a.ts', 'one\nTWO\n');
    await t.ask(patch, { event: 'after' });
    await expect
      .poll(() => applied)
      .toMatchObject([{ status: 'failed', states: ['unknown', 'not_applied', 'not_applied'] }]);
  });

  it.each([
    ['deletes', ['edit', 'create', 'several']],
    ['several files', ['edit', 'create', 'delete']],
  ] as const)('applies a patch itself when the assistant does not write %s exactly', async (_what, writesExactly) => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = startWithPatch(applied);
    expect(await t.ask(patch, { writesExactly })).toMatchObject({ decision: 'deny' });
    expect(applied).toEqual([undefined]);
  });

  const mixed = (text: string, ...paths: readonly string[]): NativeFileEdit => ({
    kind: 'patch',
    folder: '/w',
    text: `*** Begin Patch\n${text}*** End Patch\n`,
    paths: paths.map((path) => (path.startsWith('/') ? path : `/w/${path}`)),
  });
  const partly = mixed('*** Update File: a.ts\n@@\n-two\n+TWO\n*** Add File: /out/b.ts\n+new\n', 'a.ts', '/out/b.ts');

  it('asks about the files in its folders when a patch also changes others, and then has no opinion', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied));
    expect(await t.ask(partly)).toEqual({ decision: 'none' });
    expect(t.requests[0]?.proposal.files).toMatchObject([{ kind: 'edit', path: { path: 'a.ts' } }]);
    t.files.nodes.set('/w/a.ts', 'one\nTWO\n');
    t.edits.fire();
    await expect.poll(() => applied).toMatchObject([{ status: 'applied' }]);
  });

  it.each([
    ['declines it', undefined, 'declined', /declined/],
    ['changes it', 'one\nmine\n', 'applied', /Only the part in the folders/],
  ] as const)(
    'refuses a patch that also changes files elsewhere when the user %s',
    async (_how, text, status, words) => {
      const applied: (ApplyOutcome | undefined)[] = [];
      const t = start(async (request) => {
        if (text !== undefined) await approval(applied, { 'a.ts': text })(request);
        return { status };
      });
      expect(await t.ask(partly)).toMatchObject({ decision: 'deny', words: expect.stringMatching(words) });
    },
  );

  it('refuses a patch that moves a file out of its folders', async () => {
    const t = start(approval([]));
    const text = '*** Update File: a.ts\n*** Move to: /out/c.ts\n@@\n-two\n+TWO\n';
    expect(await t.ask(mixed(text, 'a.ts', '/out/c.ts'))).toMatchObject({ decision: 'deny' });
    expect(t.requests).toEqual([]);
  });

  it('applies an edit that the user changed itself when the assistant takes no other input', async () => {
    const applied: (ApplyOutcome | undefined)[] = [];
    const t = start(approval(applied, { 'a.ts': 'one\nmine\n' }));
    expect(await t.ask(undefined, { writesExactly: ['edit'] })).toMatchObject({ decision: 'deny' });
    expect(applied).toEqual([undefined]);
  });

  it("answers the assistant's own question for ten seconds after the user approved the call, and no other question", async () => {
    const t = start(approval([]));
    const question = { event: 'question' } as const;
    expect(await t.ask(undefined, question)).toEqual({ decision: 'none' });
    await t.ask();
    expect(await t.ask(undefined, question)).toEqual({ decision: 'allow', files: [] });
    expect(await t.ask(undefined, { ...question, call: 'c-2' })).toEqual({ decision: 'none' });
    t.clock.advance(10_001);
    expect(await t.ask(undefined, question)).toEqual({ decision: 'none' });
  });

  it('answers a question without an id when it names exactly the files that were approved', async () => {
    const t = start(approval([]));
    await t.ask();
    const ask = (path: string) => t.ask(replace(path, 'two', 'x'), { event: 'question', call: undefined });
    expect(await ask('/w/b.ts')).toEqual({ decision: 'none' });
    expect(await ask('/w/a.ts')).toEqual({ decision: 'allow', files: [] });
  });

  it('answers a question without an id about the part of a patch that was approved', async () => {
    const t = start(async ({ proposal, writer }) => {
      await writer?.apply(proposal.files.filter(({ kind }) => kind === 'edit'));
      return {};
    });
    const writesExactly = ['edit', 'create', 'several', 'changed'] as const;
    const text = '*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+TWO\n*** Add File: n.ts\n+n\n*** End Patch';
    const patchOf = (...names: readonly string[]): NativeFileEdit => {
      return { kind: 'patch', folder: '/w', text, paths: names.map((name) => `/w/${name}`) };
    };
    expect(await t.ask(patchOf('a.ts', 'n.ts'), { writesExactly })).toMatchObject({ files: [{ path: '/w/a.ts' }] });
    const question = { event: 'question', call: undefined } as const;
    expect(await t.ask(patchOf('a.ts'), question)).toEqual({ decision: 'allow', files: [] });
  });

  it('repeats its words after the call, for assistants that tell their model nothing before it', async () => {
    const t = start(approval([], { 'a.ts': 'one\nmine\n' }));
    await t.ask();
    const after = await t.ask(undefined, { event: 'after' });
    expect(after).toEqual({ decision: 'none', words: expect.stringContaining('-TWO\n+mine') });
  });

  it('takes calls without an id as one call only when two settings files bring them', async () => {
    const t = start(async () => ({ status: 'declined' }));
    const ask = (source?: string) => t.ask(undefined, { call: undefined, source });
    await Promise.all([ask(), ask('other')]);
    expect(t.requests).toHaveLength(1);
    await ask();
    expect(t.requests).toHaveLength(2);
  });

  it('withdraws the request when the assistant stops waiting', async () => {
    const aborted = Promise.withResolvers<boolean>();
    const t = start(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.resolve(true);
            resolve({ status: 'withdrawn' });
          });
        }),
    );
    const asked = t.ask();
    await expect.poll(() => t.requests.length).toBe(1);
    t.closed.abort();
    expect(await aborted.promise).toBe(true);
    await asked;
  });

  it('gives no answer when the window ends, so that the hook asks the next window', async () => {
    const decided = Promise.withResolvers<Partial<ChangeOutcome>>();
    const t = start(() => decided.promise);
    let answer: NativeAnswer | undefined;
    void t.ask().then((given) => (answer = given));
    await expect.poll(() => t.requests.length).toBe(1);
    t.native.suspend();
    decided.resolve({ status: 'withdrawn' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answer).toBeUndefined();
  });

  it('notes what an assistant wrote by itself, so that it is no outside change', async () => {
    const t = start(approval([]));
    await t.ask();
    expect(t.written).toEqual([]);
    t.files.nodes.set('/w/a.ts', 'one\nTWO\n');
    t.edits.fire();
    await expect.poll(() => t.written).toEqual(['a.ts']);
  });

  it('lets edits pass that the user reviews afterwards, and watches what they change', async () => {
    const t = start(async () => ({}));
    t.reviewAfter();
    expect(await t.ask()).toEqual({ decision: 'none' });
    expect(t.watch.calls).toMatchObject([{ headline: 'Claude Code: Edit a.ts' }]);
    await t.ask(replace('/w/a.ts', 'two', 'TWO'), { event: 'after' });
    expect(t.watch.ends).toEqual([{ key: t.watch.calls[0]?.key, paths: ['/w/a.ts'] }]);
    // The assistant finds out by itself that the text is not there.
    expect(await t.ask(replace('/w/a.ts', 'none', 'x'), { call: 'c-2' })).toEqual({ decision: 'none' });
    expect(t.requests).toEqual([]);
  });

  it('refuses an edit that a rule denies, or in a window that is read-only, also when the user reviews afterwards', async () => {
    const t = start(async () => ({}));
    t.reviewAfter();
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'edit' }));
    expect(await t.ask()).toMatchObject({ decision: 'deny' });
    const secret = replace('/w/.env', 'KEY=1', 'KEY=2');
    expect(await t.ask(secret, { call: 'c-2' })).toMatchObject({ decision: 'deny' });
    t.policy.setRules();
    t.policy.currentMode = 'readOnly';
    expect(await t.ask(undefined, { call: 'c-3' })).toMatchObject({ decision: 'deny' });
    expect(t.watch.calls).toEqual([]);
    t.policy.currentMode = 'manual';
    expect(await t.ask(secret, { call: 'c-4' })).toEqual({ decision: 'none' });
  });

  it('tells the model once what the user took back', async () => {
    const t = start(async () => ({ status: 'declined' }));
    t.watch.words = 'The user took back b.ts.';
    expect(await t.ask()).toMatchObject({
      words: expect.stringMatching(/^The user took back b\.ts\.\nAbout this edit:/),
    });
    t.watch.words = 'The user took back c.ts.';
    const after = await t.ask(replace('/w/a.ts', 'two', 'TWO'), { event: 'after', reachesModel: true });
    expect(after).toEqual({ decision: 'none', news: 'The user took back c.ts.' });
  });

  it('names the subagent that makes an edit', async () => {
    const t = start(async () => ({ status: 'declined' }));
    await t.ask(undefined, { agent: { id: 'a1', kind: 'Explore' } });
    expect(t.requests[0]?.client?.name).toBe('Claude Code (Explore)');
  });
});
