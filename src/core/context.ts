import { decide, type Decision } from '../policy/decide.ts';
import { classifyPath, type PathRules } from '../policy/protectedPaths.ts';
import type { Tickets } from '../ports/approver.ts';
import type { AuditResource } from '../ports/auditLog.ts';
import type { ResolvedPath } from '../ports/files.ts';
import { bindPorts } from './gate.ts';
import { outsideResource } from './outsideResource.ts';
import { resolveAddress } from './resolve.ts';
import { ToolError, type PageLimits, type Tool, type ToolContext, type ToolPorts } from './tool.ts';

/** What the record of a call learns while its tool runs. */
export interface Trail {
  readonly resources: AuditResource[];
  decision?: Decision;
}

export interface ContextDependencies {
  readonly ports: Omit<ToolPorts, 'tickets'>;
  readonly tickets: Tickets;
  /** Folders that hold the editor's and our own state; no tool reads or writes them. */
  readonly pathRules: PathRules;
  readonly limits: PageLimits;
  readonly report: (message: string) => void;
  readonly trail: Trail;
}

/**
 * What a tool gets to work with: its targets, resolved and admitted by the policy, and the ports, which admit nothing else.
 * @throws ToolError as the policy and `resolveAddress` say
 */
export async function createContext(
  tool: Tool,
  input: unknown,
  { ports, tickets, pathRules, limits, report, trail }: ContextDependencies,
): Promise<ToolContext> {
  const { files, workspace } = ports;
  if (tool.worksWithoutFolder !== true && workspace.folders().length === 0) throw noFolder();
  const purposeOfTool = 'propose' in tool ? 'change' : 'read';
  const judge = (paths: readonly ResolvedPath[]): void => {
    admit(
      decide({ risk: tool.risk, worksUntrusted: tool.worksUntrusted === true, workspace, paths, pathRules }),
      trail,
    );
  };
  const resolve: ToolContext['resolve'] = async (address, purpose = purposeOfTool) => {
    try {
      const path = await resolveAddress(address, { workspace, files, pathRules, purpose });
      const isProtected = classifyPath(path, pathRules).class === 'protected';
      trail.resources.push({ path: path.path, ...(isProtected && { protected: true }) });
      judge([path]);
      return path;
    } catch (error) {
      if (error instanceof ToolError && error.code === 'outside_workspace') {
        trail.resources.push(outsideResource(address));
      }
      throw error;
    }
  };
  judge([]);
  const targets = await Promise.all(tool.targets(input).map((address) => resolve(address)));
  return { ...bindPorts(ports, { pathRules }), tickets, targets, resolve, limits, report };
}

/** Lets a decision stand on the record and throws when it is a refusal. */
export function admit(decision: Decision, trail: Trail): void {
  trail.decision = decision;
  if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
}

function noFolder(): ToolError {
  return new ToolError(
    'workspace_unavailable',
    'This editor window has no folder open.',
    'Ask the user to open a folder (File > Open Folder); the tools work as soon as one is open, with no reconnect.',
  );
}
