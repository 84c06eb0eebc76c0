import type { ActionProposal } from '#base/proposal.ts';
import type { ActionResult } from '#base/toolError.ts';
import { performAction } from '#call/performAction.ts';
import type { Tool } from '#call/tool.ts';
import type { Approver, ApprovalRequest } from '#changes/approver.ts';
import { CallRun } from '../../call/callRun.ts';
import { FakeCommands } from '../../fakes/commands.ts';
import { FakeFiles } from '../../fakes/files.ts';

/** Runs calls of tools that run commands up to the approval, and further when a test approves. */
export class CommandRun {
  readonly commands = new FakeCommands();
  readonly requests: ApprovalRequest[] = [];
  readonly #run: CallRun;

  constructor(...tools: readonly Tool[]) {
    const approver: Approver = {
      request: async (request) => {
        this.requests.push(request);
        return { status: 'pending_approval', approvalId: 'a-1', displayed: false, files: [], next: 'Wait.' };
      },
      permitRead: () => Promise.reject(new Error('No question was expected')),
      outcome: () => Promise.reject(new Error('No question was expected')),
    };
    const files = new FakeFiles({ '/w/src/a.ts': 'a', '/w/.env': 'KEY=1' });
    this.#run = new CallRun(tools, { commands: this.commands, files }, approver);
  }

  /** Returns the proposal that waits for approval, or the text of the refusal. */
  async propose(tool: string, given: unknown): Promise<ActionProposal | string> {
    this.requests.length = 0;
    const outcome = await this.#run.outcome(tool, given);
    if (outcome.kind === 'invalid_arguments') return outcome.message;
    const [request] = this.requests;
    if (request === undefined) {
      const [first] = outcome.kind === 'result' ? outcome.result.content : [];
      return first?.type === 'text' ? first.text : outcome.kind;
    }
    if (request.proposal.kind !== 'action') throw new Error('An action was expected');
    return request.proposal;
  }

  async call(tool: string, given: unknown) {
    return this.#run.result(tool, given);
  }

  /** Runs a proposal as if the user had approved it. */
  approve(tool: string, proposal: ActionProposal): Promise<ActionResult> {
    return performAction(tool, proposal, new AbortController().signal, {
      ...this.#run.dependencies,
      onBug: (error) => {
        throw error;
      },
    });
  }
}
