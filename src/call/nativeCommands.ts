/** The commands that assistants run in shells of their own: judged, shown and recorded as other actions before they run. */
import { createHash } from 'node:crypto';
import type { GuardLevel, NativeCommand } from '#base/nativeCommand.ts';
import type { NativeAnswer } from '#base/nativeEdit.ts';
import { type Principal, principalKey } from '#base/principal.ts';
import type { CommandClass } from '#base/proposal.ts';
import type { ApprovalRequest, ChangeOutcome } from '#changes/approver.ts';
import { type CoreDependencies, runTool } from './callTool.ts';
import { LateDecisions } from './lateDecisions.ts';
import { refusalByError, unanswered, withNews, wordsOfCommand } from './nativeAnswers.ts';
import { principalOf } from './nativeCalls.ts';
import { NativeTurns } from './nativeTurns.ts';
import type { NativeWatch } from './nativeWatch.ts';
import type { Tool } from './tool.ts';
import { UnaskedBudget } from './unaskedBudget.ts';

export interface NativeCommandDependencies extends CoreDependencies {
  /** Proposes the command as an action. */
  readonly tool: Tool;
  /** Makes the Git work tree that holds a path a folder of the workspace, where the window guards it. */
  readonly includeWorktrees: (paths: readonly string[]) => void;
  /** Ends the rules that the user made for another turn of this principal. */
  readonly endTurnRules: (principal: Principal, present: string) => void;
  readonly level: (assistant: string) => GuardLevel;
  readonly watch: NativeWatch;
}

/** Milliseconds for which the same call that arrives once more gets the same answer. */
const sameCallMilliseconds = 2000;
/** Milliseconds for which a command that was approved too late is let through once. */
const lateMilliseconds = 15 * 60_000;
/** Milliseconds for which the user can decide after the call was answered without a decision. */
const staysMilliseconds = 24 * 60 * 60 * 1000;
/** The answer is given this many seconds before the assistant would run the command without one. */
const earlier = 30;
/** Seconds that a call waits when its assistant names no time. */
const usualWaitSeconds = 24 * 60 * 60;
/** The most commands of all sessions whose approval is remembered. */
const mostApproved = 1000;

/** A command that passes does not use up what may be changed without asking. */
const noLimits = { files: Infinity, changedLines: Infinity, deletedFiles: Infinity, windowMilliseconds: 1 };

/** An answer that another hook of the same call gets too. */
interface GivenAnswer {
  readonly source: string | undefined;
  readonly answer: Promise<NativeAnswer>;
}

/** Answers the hooks of assistants about commands. */
export class NativeCommands {
  readonly #dependencies: NativeCommandDependencies;
  readonly #unasked: UnaskedBudget;
  readonly #turns: NativeTurns;
  /** The key names principal, subagent and call, because two settings files may start the hook program for one call. */
  readonly #answers = new Map<string, GivenAnswer>();
  readonly #decisions: LateDecisions;
  /** The times until which commands that were approved too late are let through. The key names principal and command. */
  readonly #late = new Map<string, number>();
  /** The times at which commands were approved, by the same key. */
  readonly #approved = new Map<string, number>();
  #isSuspended = false;

  constructor(dependencies: NativeCommandDependencies) {
    this.#dependencies = dependencies;
    this.#decisions = new LateDecisions(dependencies.approver);
    this.#turns = new NativeTurns(dependencies.endTurnRules);
    this.#unasked = new UnaskedBudget(dependencies.clock, noLimits);
  }

  /** Answers nothing more, since the window ends. The assistants then ask the window that opens the folder next. */
  suspend(): void {
    this.#isSuspended = true;
  }

  /**
   * Returns whether the assistant may run the command, after the user decided where the policy asks. Never rejects.
   * @param signal aborted when the assistant does not wait for the answer any more
   */
  async answer(call: NativeCommand, signal: AbortSignal): Promise<NativeAnswer> {
    const principal = principalOf(call);
    const key = keyOfCall(call, principal);
    // An assistant that asks the user itself wants to leave its sandbox: that is not what the user approved here.
    if (call.event === 'question') return { decision: 'none' };
    const { watch } = this.#dependencies;
    if (call.event === 'after') {
      watch.ended({ key, principal, paths: [] });
      return withNews({ decision: 'none' }, call.reachesModel === true ? watch.takeWords(principal) : undefined);
    }
    watch.saw(principal);
    const known = this.#answers.get(key);
    // Without an id, only a hook of another settings file brings the same call once more.
    if (known !== undefined && (call.call !== undefined || known.source !== call.source)) return known.answer;
    const asked = this.#answerWithNews(call, principal, key, signal);
    const given = { source: call.source, answer: asked };
    this.#answers.set(key, given);
    const answer = await asked;
    this.#dependencies.clock.after(sameCallMilliseconds, () => {
      if (this.#answers.get(key) === given) this.#answers.delete(key);
    });
    return answer;
  }

  /** Also tells the model the user's late decisions about earlier commands, whose calls did not wait for them. */
  async #answerWithNews(
    call: NativeCommand,
    principal: Principal,
    key: string,
    signal: AbortSignal,
  ): Promise<NativeAnswer> {
    const answer = await this.#answerBefore(call, principal, key, signal);
    // Without an opinion there are no words. The next answer brings the news.
    if (answer.decision === 'none') return answer;
    const decisions = await this.#decisions.take(principal);
    const undone = this.#dependencies.watch.takeWords(principal);
    const news = [
      ...(undone === undefined ? [] : [undone]),
      ...decisions.map(({ about, outcome }) => `About your earlier command ${about}: ${wordsOfCommand(outcome)}`),
    ];
    if (news.length === 0) return answer;
    const own = answer.words === undefined ? [] : [`About this command: ${answer.words}`];
    return { ...answer, words: [...news, ...own].join('\n') };
  }

  async #answerBefore(
    call: NativeCommand,
    principal: Principal,
    key: string,
    signal: AbortSignal,
  ): Promise<NativeAnswer> {
    this.#dependencies.includeWorktrees([call.command.folder]);
    const hash = hashOfCommand(call);
    const declined = this.#turns.declined(call, principal, hash);
    if (declined !== undefined) return declined;
    const { clock, watch } = this.#dependencies;
    const command = JSON.stringify([principalKey(principal), hash]);
    const until = this.#late.get(command);
    this.#late.delete(command);
    const running = {
      key,
      principal,
      headline: `${call.assistant}: ${call.command.text.trim().replaceAll(/\s+/g, ' ')}`,
    };
    if (until !== undefined && clock.now() < until) {
      await watch.ready();
      watch.began(running);
      return { decision: 'allow', files: [] };
    }
    const decided = await this.#decide(call, principal, { command, hash }, signal);
    if (decided.answer.decision !== 'deny' && decided.class !== undefined && decided.class !== 'reads') {
      await watch.ready();
      watch.began(running);
    }
    return decided.answer;
  }

  async #decide(
    call: NativeCommand,
    principal: Principal,
    { command, hash }: { readonly command: string; readonly hash: string },
    signal: AbortSignal,
  ): Promise<{ readonly answer: NativeAnswer; readonly class?: CommandClass | undefined }> {
    const { approver, clock, limits, profileFor, tool, level } = this.#dependencies;
    const answered = Promise.withResolvers<NativeAnswer>();
    const ended = Promise.withResolvers<undefined>();
    let isAnswered = false;
    let kind: CommandClass | undefined;
    let outcome: ChangeOutcome | undefined;
    const permit = (): boolean | 'later' => {
      if (signal.aborted || this.#isSuspended) return false;
      this.#noteApproval(command);
      if (isAnswered) {
        this.#late.set(command, clock.now() + lateMilliseconds);
        return 'later';
      }
      answered.resolve({ decision: 'allow', files: [] });
      return true;
    };
    const writer = { permit, apply: async () => undefined, ended: ended.promise };
    const { waitSeconds = usualWaitSeconds } = call;
    const turn = this.#turns.count(call, principal);
    const ask = async (request: ApprovalRequest): Promise<ChangeOutcome> => {
      kind = request.proposal.kind === 'action' ? request.proposal.command?.class : undefined;
      const { judgement } = request;
      if (judgement.effect === 'allow' || level(call.assistant) === 'after') {
        // A rule of the user allows the command; everything else is left to the rules of the assistant.
        answered.resolve(judgement.rule === undefined ? { decision: 'none' } : { decision: 'allow', files: [] });
        return { status: 'applied', approvalId: '', displayed: false, files: [], next: 'The assistant runs it.' };
      }
      const stays = waitSeconds * 1000 + staysMilliseconds;
      outcome = await approver.request({
        ...request,
        writer,
        staysMilliseconds: stays,
        ...(turn && { turn }),
        onWaiting: (id) => {
          this.#decisions.forget(principal, id);
          request.onWaiting(id);
        },
      });
      return outcome;
    };
    const dependencies: CoreDependencies = {
      ...this.#dependencies,
      unasked: this.#unasked,
      // The rate limit is for the tools of Drawbridge, and refuses no call of an assistant's own tool.
      limits: { admit: () => undefined, slot: (asking, aborted) => limits.slot(asking, aborted) },
      profileFor: (client, revision) => ({ ...profileFor(client, revision), approvalSeconds: waitSeconds - earlier }),
      approver: {
        request: ask,
        permitRead: (asked) => approver.permitRead(asked),
        outcome: (id, asked) => approver.outcome(id, asked),
      },
    };
    const { assistant, agent } = call;
    const approvedAt = this.#approved.get(command);
    const request = {
      tool: tool.name,
      arguments: {
        assistant,
        tool: call.tool,
        ...call.command,
        ...(approvedAt !== undefined && { approvedAt }),
      },
      principal,
      client: { name: agent === undefined ? assistant : `${assistant} (${agent.kind})`, version: '' },
      era: '2026' as const,
      protocolVersion: undefined,
      signal,
    };
    const run = async (): Promise<NativeAnswer> => {
      try {
        await runTool(tool, request, dependencies);
      } catch (error) {
        return refusalByError(error, false);
      }
      isAnswered = true;
      if (outcome === undefined) return unanswered;
      const refused: NativeAnswer = { decision: 'deny', words: wordsOfCommand(outcome) };
      if (outcome.status === 'pending_approval') this.#decisions.add(principal, outcome.approvalId, call.command.text);
      if (outcome.status === 'declined') this.#turns.rememberDeclined(call, principal, hash, refused);
      return refused;
    };
    const finish = async (): Promise<void> => {
      const given = await run();
      const isOpen = outcome?.status === 'pending_approval';
      if (isOpen) clock.after(staysMilliseconds, () => ended.resolve(undefined));
      else ended.resolve(undefined);
      // After a permission this comes too late to count.
      if (!this.#isSuspended) answered.resolve(given);
    };
    void finish();
    return { answer: await answered.promise, class: kind };
  }

  #noteApproval(command: string): void {
    this.#approved.delete(command);
    this.#approved.set(command, this.#dependencies.clock.now());
    const [oldest] = this.#approved.keys();
    if (this.#approved.size > mostApproved && oldest !== undefined) this.#approved.delete(oldest);
  }
}

/** Returns a key that is the same for all events of one call. Some models number the calls of each message anew. */
function keyOfCall(call: NativeCommand, principal: Principal): string {
  return JSON.stringify([principal.connectionId, call.agent?.id, call.call, hashOfCommand(call)]);
}

/** Returns the same text for the same command line in the same folder. */
function hashOfCommand({ tool, command: { shell, text, folder } }: NativeCommand): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, shell, text, folder]))
    .digest('hex');
}
