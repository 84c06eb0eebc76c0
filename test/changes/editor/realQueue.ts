import type { FileChange } from '#base/proposal.ts';
import { resolveAddress } from '#call/resolve.ts';
import { interruptedApplies } from '#changes/editor/apply/interruptedApplies.ts';
import { edits } from '#changes/editor/edits.ts';
import { FileHistory } from '#changes/history.ts';
import { ApprovalQueue, type QueueDependencies } from '#changes/queue.ts';
import { files } from '#files/editor/files.ts';
import { namesIn } from '#files/namesIn.ts';
import { stateFolder } from '#home/stateFolder.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeProblems } from '../../fakes/problems.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';
import { judged } from '../queueSetUp.ts';

/** Returns a queue over a real folder, with its history in another folder. Each call starts another run of the same window. */
export function openQueue(folder: string, home: string, more: Partial<QueueDependencies> = {}): ApprovalQueue {
  const workspace = new FakeWorkspace([folderAt(folder)]);
  const resolving = { workspace, files, pathRules: { home: '/nowhere', privateFolders: [] } };
  return new ApprovalQueue({
    edits,
    files,
    history: new FileHistory(stateFolder({ DRAWBRIDGE_HOME: home }), 'w-1'),
    interrupted: interruptedApplies,
    namesIn,
    clock: new FakeClock(),
    auditLog: { event: () => undefined },
    usersOf: async () => [],
    problems: new FakeProblems(),
    recheck: async () => undefined,
    repropose: async () => undefined,
    judge: () => judged(),
    act: () => Promise.reject(new Error('No action was expected')),
    resolve: (uri, purpose) => resolveAddress(uri, { ...resolving, purpose }),
    ...more,
  });
}

/** Applies a change without asking. Returns the id of the approval. */
export async function applyAtOnce(queue: ApprovalQueue, changed: readonly FileChange[]): Promise<string> {
  const { approvalId, status } = await queue.request({
    proposal: { kind: 'changes', files: changed },
    tool: 'apply_edit',
    arguments: {},
    principal: { credential: 'window', connectionId: 'c1' },
    client: undefined,
    reason: undefined,
    judgement: judged({ effect: 'allow' }),
    replaces: undefined,
    waitMilliseconds: 25_000,
    signal: new AbortController().signal,
    onWaiting: () => undefined,
    progress: () => undefined,
  });
  if (status !== 'applied') throw new Error(`${status}: ${queue.get(approvalId)?.note ?? ''}`);
  return approvalId;
}
