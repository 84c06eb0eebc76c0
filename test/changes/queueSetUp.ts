import { createHash } from 'node:crypto';
import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange, FileCreate, FileDelete, FileEdit, FileMove } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { DecisionResult } from '#changes/approval.ts';
import type { ApprovalRequest } from '#changes/approver.ts';
import { nothingInterrupted } from '#changes/edits.ts';
import { ApprovalQueue, shippedLimits, type QueueDependencies } from '#changes/queue.ts';
import type { Judgement } from '#policy/decision.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeEdits } from '../fakes/edits.ts';
import { FakeHistory } from '../fakes/history.ts';
import { FakeProblems } from '../fakes/problems.ts';

export function pathOf(name: string, exists = true): ResolvedPath {
  return {
    path: name,
    uri: `file:///w/${name}`,
    fsPath: `/w/${name}`,
    realPath: `/w/${name}`,
    linked: false,
    folder: { name: 'w', uri: 'file:///w', fsPath: '/w', realPath: '/w' },
    kind: exists ? 'file' : 'missing',
    dangling: false,
    ...(exists && { identity: { device: 1n, inode: 2n } }),
    parent: { device: 1n, inode: 1n },
    size: 1,
    modified: 0,
    linkCount: 1,
  };
}

export function edit(name: string, base: string, result: string): FileEdit {
  return {
    kind: 'edit',
    path: pathOf(name),
    base: { text: base, encoding: 'utf8', source: 'disk', unsaved: false, unifiedLineEnds: 0 },
    result: { text: result, encoding: 'utf8' },
  };
}

export function create(name: string, text: string): FileCreate {
  return { kind: 'create', path: pathOf(name, false), result: { text, encoding: 'utf8' } };
}

export function remove(name: string, text: string): FileDelete {
  const files = [{ ...treeFile('', text), bytes: Buffer.from(text) }];
  const base = { text, encoding: 'utf8' };
  return { kind: 'delete', path: pathOf(name), isFolder: false, files, base, toTrash: false, recovery: 'unknown' };
}

export function move(name: string, to: string, text: string): FileMove {
  return { kind: 'move', path: pathOf(name), to: pathOf(to, false), isFolder: false, files: [treeFile('', text)] };
}

/** Returns a decision of the policy: ask, unless `facts` say otherwise. */
export function judged(facts: Partial<Judgement> = {}): Judgement {
  const usual = { effect: 'ask', reason: 'changes ask', risk: 'edit', mode: 'manual' } as const;
  return { ...usual, protectedBy: [], onceOnly: false, explain: [], ...facts };
}

function treeFile(relative: string, text: string): TreeFile {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { relative, sha256, size: Buffer.byteLength(text), mode: 0o644, isLink: false };
}

/** Makes a queue over files in memory. `reload` gives history and texts to the next one. */
export function setUp(
  texts: Record<string, string> = { '/w/a': 'old\n', '/w/b': 'old\n' },
  history = new FakeHistory(),
  overrides: Partial<QueueDependencies> = {},
) {
  const clock = new FakeClock();
  const edits = new FakeEdits(texts);
  const problems = new FakeProblems();
  const events: string[] = [];
  let refusal: string | undefined;
  const textAt = (path: ResolvedPath): string => {
    const text = edits.texts.get(path.realPath);
    if (text === undefined) throw new ToolError('not_found', `${path.path} does not exist.`, 'Look elsewhere.');
    return text;
  };
  const queue = new ApprovalQueue({
    clock,
    edits,
    history,
    usersOf: async () => [],
    problems,
    files: {
      readText: async (path) => ({
        text: textAt(path),
        encoding: 'utf8',
        source: 'disk',
        unsaved: false,
        unsavedElsewhere: false,
        readonly: false,
        unifiedLineEnds: 0,
        modified: 0,
      }),
      readTree: async (path) => ({
        files: [{ ...treeFile('', textAt(path)), bytes: Buffer.from(textAt(path)) }],
        unsaved: [],
        unsavedElsewhere: [],
      }),
      canEncode: async () => true,
    },
    auditLog: { event: ({ event, ['state']: state }) => void events.push(`${event} ${String(state)}`) },
    recheck: async () => refusal,
    act: async () => ({ text: '' }),
    repropose: async () => undefined,
    judge: () => judged(),
    interrupted: nothingInterrupted,
    namesIn: () => [],
    resolve: async (uri) => {
      const name = uri.replace('file:///w/', '');
      return pathOf(name, edits.texts.has(`/w/${name}`));
    },
    ...overrides,
  });
  const cancel = new AbortController();
  const request = (given: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    proposal: { kind: 'changes', files: [edit('a', 'old\n', 'new\n')] },
    tool: 'apply_edit',
    arguments: {},
    principal: { credential: 'window', connectionId: 'c1' },
    client: { name: 'test', version: '1' },
    reason: 'because',
    judgement: judged(),
    replaces: undefined,
    waitMilliseconds: 25_000,
    signal: cancel.signal,
    onWaiting: () => undefined,
    progress: () => undefined,
    ...given,
  });
  const ask = (files: readonly FileChange[], given: Partial<ApprovalRequest> = {}) =>
    queue.request(request({ proposal: { kind: 'changes', files }, ...given }));
  const waiting = () => queue.all.filter(({ state }) => state === 'waiting');
  const only = () => {
    const [approval] = queue.all;
    if (approval === undefined) throw new Error('Nothing waits');
    return approval;
  };
  const show = (id = only().id): void => {
    queue.displayed(id);
    clock.advance(shippedLimits.armMilliseconds);
  };
  const approve = (id = only().id): DecisionResult => queue.approve(id, queue.get(id)?.proposalHash ?? '');
  /** Starts the next run of the same window. */
  const reload = async (more: Partial<QueueDependencies> = overrides) => {
    queue.suspend();
    await queue.settled();
    const next = setUp(Object.fromEntries(edits.texts), history, more);
    next.clock.advance(clock.now() - next.clock.now());
    await next.queue.restore();
    return next;
  };
  return {
    clock,
    edits,
    history,
    problems,
    events,
    queue,
    cancel,
    request,
    ask,
    waiting,
    only,
    show,
    approve,
    reload,
    refuse: (why: string) => void (refusal = why),
  };
}

/** Waits until every promise that is ready has settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
}
