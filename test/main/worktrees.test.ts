import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { NativeAnswer, NativeCall } from '#base/nativeEdit.ts';
import type { Approval } from '#changes/approval.ts';
import { CallLimits } from '#call/callLimits.ts';
import { callTool, type CoreDependencies } from '#call/callTool.ts';
import { NativeEdits } from '#call/nativeEdits.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { resolveAddress } from '#call/resolve.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import { edits } from '#changes/editor/edits.ts';
import { FileHistory } from '#changes/history.ts';
import type { Resolve } from '#changes/keep.ts';
import { shippedLimits } from '#changes/queue.ts';
import { withWorktrees } from '#editor/workspaceWithWorktrees.ts';
import { files, readSaved } from '#files/editor/files.ts';
import { stateFolder } from '#home/stateFolder.ts';
import { createApprovals } from '#main/approvals.ts';
import { pathOfFileUri } from '#policy/paths.ts';
import { OpenedOnce } from '#policy/openedOnce.ts';
import { RepositoryPolicy } from '#policy/editor/repositoryPolicy.ts';
import type { Policy, ScopedRule } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { nativeUnseenEdit } from '#tools/edit/nativeUnseenEdit.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { resetEditor } from '../fakes/editor/editor.ts';
import { FakeClock } from '../fakes/clock.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { FakeNativeWatch } from '../fakes/nativeWatch.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';
import { addWorkTree, treesFolder, write } from '../home/workTrees.ts';

const waitSeconds = 60;
let [parent, repo, tree, path] = ['', '', '', ''];

beforeEach(() => {
  resetEditor();
  parent = treesFolder();
  [repo, tree] = [join(parent, 'repo'), join(parent, 'feature-x')];
  path = join(tree, 'src', 'a.ts');
  write(join(repo, 'src', 'a.ts'), 'one\n');
  write(path, 'one\n');
  addWorkTree(join(repo, '.git'), tree);
});

/** Opens the repository in a window with the parts of the extension that judge and apply. Each call is another run of the window. */
async function open(user = new FakePolicy()) {
  const workspace = new FakeWorkspace([folderAt(repo)]);
  const guarded = withWorktrees(workspace);
  const auditLog = new FakeAuditLog();
  const repository = new RepositoryPolicy({ workspace: guarded, auditLog, tools: () => [] });
  onTestFinished(() => repository.dispose());
  const policy: Policy = {
    mode: () => user.mode(),
    rules: () => [...user.rules(), ...repository.rules],
    now: () => user.now(),
    used: () => undefined,
    openedOnce: new OpenedOnce(() => 0),
  };
  const clock = new FakeClock();
  const proposing = {
    catalog: new FakeCatalog(tools, []),
    ports: fakePorts({ files, workspace }),
    clock,
    pathRules: { home: '/nowhere', privateFolders: [] },
    policy,
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  const history = new FileHistory(stateFolder({ DRAWBRIDGE_HOME: join(parent, 'home') }), 'w-1');
  const log = { error: (_message: string, error: unknown) => expect.fail(String(error)) };
  const resolve: Resolve = (uri, purpose) => {
    guarded.include([pathOfFileUri(uri)]);
    return resolveAddress(uri, { workspace: guarded, files, pathRules: proposing.pathRules, purpose });
  };
  const approvals = createApprovals({
    usesOf: async () => undefined,
    proposing,
    workspace: guarded,
    history,
    edits,
    resolve,
    auditLog,
    log,
  });
  await approvals.restore();
  const core: CoreDependencies = {
    ...proposing,
    sources: fakeSources({}),
    folderAccess: fakeFolderAccess(),
    approver: approvals,
    auditLog,
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
  };
  const native = new NativeEdits({
    ...core,
    ports: { ...proposing.ports, workspace: guarded },
    tool: nativeEdit,
    unseenTool: nativeUnseenEdit,
    writing: {
      clock,
      edits,
      files,
      readSaved,
      save: async () => ({ state: 'not_dirty' }),
      workspace: guarded,
      pathRules: proposing.pathRules,
      noteWritten: () => undefined,
    },
    level: () => 'edits',
    watch: new FakeNativeWatch(),
    includeWorktrees: (paths) => guarded.include(paths),
    endTurnRules: () => undefined,
  });
  const callOf = (event: NativeCall['event'], edited: string): NativeCall => ({
    event,
    assistant: 'Claude Code',
    session: 's',
    call: edited,
    tool: 'Edit',
    waitSeconds,
    writesExactly: ['edit', 'create'],
    edits: [{ kind: 'replace', path: edited, oldText: 'one', newText: 'two', all: false }],
  });
  const ask = (edited = path, event: NativeCall['event'] = 'before') =>
    native.answer(callOf(event, edited), new AbortController().signal);
  const waiting = async (): Promise<Approval> => {
    await expect.poll(() => approvals.all.some(({ state }) => state === 'waiting')).toBe(true);
    const found = approvals.all.find(({ state }) => state === 'waiting');
    if (found === undefined) throw new Error('No card waits.');
    return found;
  };
  const approve = async (): Promise<void> => {
    const { id, proposalHash } = await waiting();
    approvals.displayed(id);
    clock.advance(shippedLimits.armMilliseconds);
    expect(approvals.approve(id, proposalHash)).toBe('accepted');
  };
  const callOwnTool = (tool: string, args: unknown) =>
    callTool(
      {
        tool,
        arguments: args,
        principal: { credential: 'window' },
        client: undefined,
        era: '2025',
        protocolVersion: undefined,
        signal: new AbortController().signal,
      },
      core,
    );
  return { clock, workspace, guarded, approvals, ask, waiting, approve, callOwnTool };
}

const accepting = (...rules: readonly ScopedRule[]): FakePolicy => {
  const policy = new FakePolicy(...rules);
  policy.currentMode = 'acceptEdits';
  return policy;
};

describe('an edit in a work tree of the repository', () => {
  test('is a card that names the work tree, and is applied and undone, also after a reload', async () => {
    const t = await open();
    const asked = t.ask();
    const card = await t.waiting();
    expect(card).toMatchObject({
      tool: 'native_edit',
      files: [{ path: 'worktree feature-x/src/a.ts', realPath: path }],
    });
    await t.approve();
    expect(await asked).toMatchObject({ decision: 'allow', files: [{ path, change: 'edit' }] });
    writeFileSync(path, 'two\n');
    await t.ask(path, 'after');
    await expect.poll(() => t.approvals.get(card.id)?.state).toBe('applied');
    await t.approvals.settled();
    const reloaded = await open();
    expect(await reloaded.approvals.undo(card.id)).toMatchObject({ status: 'undone' });
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  test('that the user has not decided in time keeps its card after a reload, and is judged again when it is approved', async () => {
    const t = await open();
    const answers: NativeAnswer[] = [];
    void t.ask().then((answer) => answers.push(answer));
    const { id } = await t.waiting();
    const answered = (): number => {
      t.clock.advance(waitSeconds * 1000);
      return answers.length;
    };
    await expect.poll(answered).toBe(1);
    expect(answers).toMatchObject([{ decision: 'deny', words: expect.stringContaining('not decided') }]);
    t.approvals.suspend();
    await t.approvals.settled();
    const reloaded = await open(new FakePolicy(ruleOf({ effect: 'deny', paths: ['src/**'] })));
    expect(reloaded.approvals.get(id)?.files).toMatchObject([{ path: 'worktree feature-x/src/a.ts' }]);
    await reloaded.approve();
    await expect.poll(() => reloaded.approvals.get(id)?.note).toContain('r-deny');
  });

  test('leaves the names of files in the open folder as they are', async () => {
    const t = await open();
    void t.ask();
    await t.waiting();
    expect(t.guarded.folders()).toHaveLength(2);
    void t.ask(join(repo, 'src', 'a.ts'));
    await expect
      .poll(() => t.approvals.all.flatMap(({ files: changed }) => changed.map((each) => each.path)))
      .toEqual(['worktree feature-x/src/a.ts', 'src/a.ts']);
  });

  test.each<[name: string, policy: () => FakePolicy, edited?: string]>([
    ['a deny rule for every folder', () => accepting(ruleOf({ effect: 'deny', paths: ['src/**'] }))],
    [
      'a deny rule for the open folder',
      () => accepting({ ...ruleOf({ effect: 'deny', paths: ['src/**'] }, 'workspace'), folder: repo }),
    ],
    [
      'a deny rule that names the open folder',
      () => accepting(ruleOf({ effect: 'deny', paths: ['folder:repo:src/**'] })),
    ],
    ['the files of Git', () => accepting(), '.git'],
  ])('is refused by %s', async (_name, policy, edited = 'src/a.ts') => {
    const t = await open(policy());
    expect(await t.ask(join(tree, edited))).toMatchObject({ decision: 'deny' });
    expect(t.approvals.all).toEqual([]);
  });

  test.each([
    ['the repository', () => repo],
    ['the work tree', () => tree],
  ])('is refused by the policy file in %s', async (_name, folder) => {
    const rules = [{ effect: 'deny', class: 'edit', paths: ['src/**'] }];
    write(join(folder(), '.drawbridge', 'policy.json'), JSON.stringify({ version: 1, rules }));
    const t = await open(accepting());
    expect(await t.ask()).toMatchObject({ decision: 'deny' });
    write(join(tree, 'b.ts'), 'one\n');
    expect(await t.ask(join(tree, 'b.ts'))).toMatchObject({ decision: 'allow' });
  });

  test.each([
    ['package.json', false],
    ['Dockerfile', false],
    ['.env', true],
    ['.claude/settings.json', true],
    ['.drawbridge/policy.json', true],
  ])('asks about the protected or secret file %s in every mode', async (name, onceOnly) => {
    write(join(tree, name), '{"scripts":{"a":"one"}}\n');
    const t = await open(accepting());
    void t.ask(join(tree, name));
    expect((await t.waiting()).judgement).toMatchObject({ effect: 'ask', onceOnly });
  });

  test.each<[name: string, change: () => void]>([
    ['its repository does not know it any more', () => rmSync(join(repo, '.git', 'worktrees'), { recursive: true })],
    [
      'another folder took its place',
      () => {
        rmSync(tree, { recursive: true });
        mkdirSync(join(parent, 'other', 'src'), { recursive: true });
        writeFileSync(join(parent, 'other', 'src', 'a.ts'), 'one\n');
        symlinkSync(join(parent, 'other'), tree);
      },
    ],
  ])('G12: is not applied when %s since the card was shown', async (_name, change) => {
    const t = await open();
    const asked = t.ask();
    const { id } = await t.waiting();
    change();
    await t.approve();
    expect(await asked).toMatchObject({ decision: 'deny' });
    expect(t.approvals.get(id)?.note).toContain('outside the workspace');
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  test('G12: gets no opinion when the folder only claims to be a work tree', async () => {
    addWorkTree(join(parent, 'own'), tree, { upward: join(repo, '.git') });
    const t = await open(accepting());
    expect(await t.ask()).toEqual({ decision: 'none' });
    expect(t.guarded.folders()).toHaveLength(1);
  });

  test('is withdrawn by nothing but the end of its repository in the window', async () => {
    const t = await open();
    void t.ask();
    await t.waiting();
    expect(t.guarded.folders().map(({ realPath }) => realPath)).toEqual([repo, tree]);
    t.workspace.setFolders([folderAt(join(parent, 'other'))]);
    expect(t.guarded.folders()).toHaveLength(1);
    t.workspace.setFolders([folderAt(repo), folderAt(tree)]);
    expect(t.guarded.folders()).toEqual([folderAt(repo), folderAt(tree)]);
  });
});

test.each([
  ['a work tree', () => tree],
  ['the open folder', () => repo],
])(
  'G13: an edit through a link from elsewhere into %s is refused, and the model is told the path',
  async (_name, target) => {
    symlinkSync(join(target(), 'src'), join(parent, 'link'));
    const t = await open(accepting());
    const words = expect.stringContaining(join(target(), 'src', 'a.ts'));
    expect(await t.ask(join(parent, 'link', 'a.ts'))).toMatchObject({ decision: 'deny', words });
  },
);

test('the tools of Drawbridge reach no work tree, also while a card about one waits', async () => {
  const t = await open(accepting());
  await t.ask();
  writeFileSync(path, 'two\n');
  await t.ask(path, 'after');
  await t.approvals.settled();
  expect(JSON.stringify(await t.callOwnTool('list_changes', {}))).not.toContain('a.ts');
  const calls: readonly [tool: string, args: unknown][] = [
    ['read_file', { path }],
    ['apply_edit', { edits: [{ path, oldText: 'two', newText: 'three' }] }],
    ['delete_file', { path }],
    ['list_directory', { path: tree }],
  ];
  for (const [tool, args] of calls) {
    const outcome = await t.callOwnTool(tool, args);
    expect(JSON.stringify(outcome), tool).toContain('[outside_workspace]');
  }
  expect(readFileSync(path, 'utf8')).toBe('two\n');
});
