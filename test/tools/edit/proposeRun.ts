import type { Purpose, ResolvedPath } from '#base/files.ts';
import type { ChangesProposal, Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { bindPorts } from '#call/gate.ts';
import { resolveAddress } from '#call/resolve.ts';
import type { ProposingTool, ToolPorts } from '#call/tool.ts';
import type { Changes } from '#changes/changes.ts';
import { decide, decideProposal, type Decision, type ProposalDecision } from '#policy/decide.ts';
import { FakeChanges } from '../../fakes/changes.ts';
import { FakeEditorState } from '../../fakes/editorState.ts';
import { FakeFiles, type FakeNode } from '../../fakes/files.ts';
import { FakeImports } from '../../fakes/imports.ts';
import { FakeLanguage } from '../../fakes/language.ts';
import { fakePorts } from '../../fakes/ports.ts';
import { FakeRefactorings } from '../../fakes/refactorings.ts';
import { FakePolicy } from '../../fakes/rules.ts';
import { FakeSourceControl } from '../../fakes/sourceControl.ts';
import { FakeSymbols } from '../../fakes/symbols.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

/** Lets tools propose over a workspace in memory, judged as the pipeline judges them. */
export class ProposeRun {
  readonly files: FakeFiles;
  changes: Changes = new FakeChanges();
  readonly editorState = new FakeEditorState();
  readonly imports = new FakeImports();
  readonly language = new FakeLanguage();
  readonly refactorings = new FakeRefactorings();
  readonly symbols = new FakeSymbols();
  readonly sourceControl = new FakeSourceControl();
  readonly workspace: FakeWorkspace;
  readonly pathRules = { home: '/home/u', privateFolders: ['/w/private'] };

  constructor(nodes: Readonly<Record<string, FakeNode>> = {}, folders = [folderAt('/w')]) {
    this.files = new FakeFiles(nodes);
    this.workspace = new FakeWorkspace(folders);
  }

  /** @throws InvalidArgumentsError, ToolError */
  async propose<Input, Needs extends keyof ToolPorts>(
    tool: ProposingTool<Input, Needs>,
    input: unknown,
  ): Promise<ChangesProposal> {
    return (await this.judged(tool, input)).proposal;
  }

  /** Returns a proposal that the policy does not refuse, and its decision. */
  async judged<Input, Needs extends keyof ToolPorts>(
    tool: ProposingTool<Input, Needs>,
    input: unknown,
  ): Promise<{ readonly proposal: ChangesProposal; readonly decision: ProposalDecision }> {
    const { proposal, decision } = await this.judgedOfAnyKind(tool, input);
    if (proposal.kind !== 'changes') throw new Error(`${tool.name} proposes no change of files`);
    return { proposal, decision };
  }

  /** Like `judged`, but the proposal may also be an action or a question. */
  async judgedOfAnyKind<Input, Needs extends keyof ToolPorts>(
    tool: ProposingTool<Input, Needs>,
    input: unknown,
  ): Promise<{ readonly proposal: Proposal; readonly decision: ProposalDecision }> {
    const { editorState, files, imports, language, refactorings, sourceControl, symbols, workspace, pathRules } = this;
    const parsed = tool.input.parse(input);
    const caller = { tool: tool.name, principal: { credential: 'window' } };
    const situation = { workspace, pathRules, policy: new FakePolicy(), caller };
    const resolve = async (address: string, purpose: Purpose = 'change'): Promise<ResolvedPath> => {
      const path = await resolveAddress(address, { files, workspace, pathRules, purpose });
      admit(decide({ ...situation, risk: tool.risk, worksUntrusted: false, paths: [path] }));
      return path;
    };
    const given = {
      changes: this.changes,
      editorState,
      files,
      imports,
      language,
      refactorings,
      sourceControl,
      symbols,
    };
    const ports = fakePorts({ ...given, workspace });
    const context = {
      ...bindPorts(ports, situation, { admitted: new Set(), permitted: new Set() }),
      tickets: { outcome: async () => undefined },
      principal: caller.principal,
      targets: await Promise.all(tool.targets(parsed).map((address) => resolve(address))),
      resolve,
      folderPath: async ({ fsPath }: WorkspaceFolder) => (await resolve(fsPath, 'read')).path,
      limits: { listBytes: undefined, readBytes: 1, maxResults: 1 },
      report: () => undefined,
      log: () => undefined,
      withNearestPaths: async (error: unknown) => error,
      clientInput: { responses: {} },
      attach: () => undefined,
      mode: 'manual' as const,
    };
    const proposal = await tool.propose(parsed, context, new AbortController().signal);
    const decision = decideProposal({ ...situation, tool, proposal });
    admit(decision);
    return { proposal, decision };
  }

  /** The code of the refusal, or `proposed`. */
  async codeOf<Input, Needs extends keyof ToolPorts>(
    tool: ProposingTool<Input, Needs>,
    input: unknown,
  ): Promise<string> {
    try {
      await this.propose(tool, input);
    } catch (error) {
      if (error instanceof ToolError) return error.code;
      throw error;
    }
    return 'proposed';
  }
}

function admit(decision: Decision): void {
  if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
}
