import type { AuditLog } from '#audit/auditLog.ts';
import type { Log } from '#audit/editor/log.ts';
import type { FileUses, UsedFile } from '#base/language.ts';
import { isNativeTool } from '#base/nativeEdit.ts';
import type { FileChange } from '#base/proposal.ts';
import type { CoreDependencies } from '#call/callTool.ts';
import { performAction } from '#call/performAction.ts';
import { recheckProposal } from '#call/recheck.ts';
import { judgeProposal, repropose } from '#call/repropose.ts';
import type { ToolCatalog } from '#call/tool.ts';
import { interruptedApplies } from '#changes/editor/apply/interruptedApplies.ts';
import type { Edits } from '#changes/edits.ts';
import type { FileHistory } from '#changes/history.ts';
import type { Resolve } from '#changes/keep.ts';
import { ApprovalQueue } from '#changes/queue.ts';
import type { WorkspaceWithWorktrees } from '#editor/workspaceWithWorktrees.ts';
import { files } from '#files/editor/files.ts';
import { namesIn } from '#files/namesIn.ts';
import { createProblems } from '#language/editor/problems.ts';
import { nativeCommand } from '#tools/commands/nativeCommand.ts';
import { nativeEdit } from '#tools/edit/nativeEdit.ts';
import { nativeUnseenEdit } from '#tools/edit/nativeUnseenEdit.ts';

export interface ApprovalsOptions {
  /** The parts of a tool call that also make, judge and carry out a proposal without its assistant. */
  readonly proposing: Pick<
    CoreDependencies,
    'catalog' | 'ports' | 'clock' | 'pathRules' | 'policy' | 'profileFor' | 'caps'
  >;
  readonly workspace: WorkspaceWithWorktrees;
  readonly history: FileHistory;
  readonly edits: Edits;
  /** Resolves an address for the user, whom no rule stops. */
  readonly resolve: Resolve;
  readonly auditLog: AuditLog;
  readonly log: Pick<Log, 'error'>;
  /** Finds the files that use another one. */
  readonly usesOf: UsesOf;
}

type UsesOf = (used: UsedFile, signal: AbortSignal) => Promise<FileUses | undefined>;

/** Creates the queue of approvals: it judges a proposal again before it applies it, and keeps what an undo needs. */
export function createApprovals(options: ApprovalsOptions): ApprovalQueue {
  const { proposing, workspace, history, edits, resolve, auditLog, log, usesOf } = options;
  const { catalog, clock, pathRules, policy } = proposing;
  // No assistant is offered the tools for what they do themselves, but that is judged and made again as everything else is.
  const allTools: ToolCatalog = {
    get tools() {
      return [...catalog.tools, nativeEdit, nativeUnseenEdit, nativeCommand];
    },
  };
  const judging = { workspace, files, pathRules, catalog: allTools, policy };
  return new ApprovalQueue({
    edits,
    files,
    history,
    interrupted: interruptedApplies,
    namesIn,
    clock,
    auditLog,
    problems: createProblems(workspace, pathRules),
    usersOf: (changes) => usersOf(changes, usesOf),
    recheck: (tool, proposal, principal, isApproved) => recheckProposal(tool, proposal, principal, judging, isApproved),
    repropose(call) {
      const ports = isNativeTool(call.tool) ? { ...proposing.ports, workspace } : proposing.ports;
      return repropose(call, { ...proposing, ports, catalog: allTools });
    },
    judge: (tool, proposal, principal) => judgeProposal(tool, proposal, principal, judging),
    resolve,
    act: (tool, proposal, signal) =>
      performAction(tool, proposal, signal, {
        ...proposing,
        onBug: (error) => log.error(`The action of ${tool} met an error`, error),
      }),
  });
}

/** The most files of which the problems are compared although the change does not touch them. An edit seldom breaks many others. */
const mostUsers = { gone: 40, edited: 10 };

/** Returns the paths of files that import one that would be deleted or moved; without such a file, one that would be edited. */
async function usersOf(changes: readonly FileChange[], usesOf: UsesOf): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const gone = changes.filter(({ kind }) => kind === 'delete' || kind === 'move');
  const [used, most] = gone.length > 0 ? [gone, mostUsers.gone] : [changes.filter(isEditedModule), mostUsers.edited];
  const found = await Promise.all(
    used.slice(0, most).map(({ path, ...change }) => {
      const isFolder = 'isFolder' in change && change.isFolder;
      return usesOf({ fsPath: path.fsPath, isFolder }, signal).catch(() => undefined);
    }),
  );
  const users = found.flatMap((uses) => (uses?.kind === 'imports' ? uses.files.map(({ fsPath }) => fsPath) : []));
  return [...new Set(users)].slice(0, most);
}

/** Only imports of JavaScript and TypeScript are understood. */
function isEditedModule({ kind, path }: FileChange): boolean {
  return kind === 'edit' && /\.[cm]?[jt]sx?$/.test(path.path);
}
