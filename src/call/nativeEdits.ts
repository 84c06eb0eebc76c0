/** The edits that assistants make with tools of their own: judged, shown and recorded as every other change before they are made. */
import { createHmac, randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { GuardLevel } from '#base/nativeCommand.ts';
import { type NativeAnswer, type NativeCall, type NativeFileEdit, pathsOf } from '#base/nativeEdit.ts';
import type { Principal } from '#base/principal.ts';
import type { FileChange } from '#base/proposal.ts';
import type { ChangeOutcome } from '#changes/approver.ts';
import { assistantWriter, type HandedOverFile, type WriterDependencies } from './assistantWriter.ts';
import { type CoreDependencies, runTool } from './callTool.ts';
import { LateDecisions } from './lateDecisions.ts';
import { filesOf, permission, refusalByError, unanswered, whyUnseen, withNews, wordsOf } from './nativeAnswers.ts';
import { isAbout, isSameCall, principalOf } from './nativeCalls.ts';
import { hashOfEdits, NativeTurns } from './nativeTurns.ts';
import { editsInside, enteredByLink, hasSecret, isDenied, isOutside, isWrittenAsNamed } from './nativePaths.ts';
import type { NativeWatch } from './nativeWatch.ts';
import type { Tool } from './tool.ts';

export interface NativeEditDependencies extends CoreDependencies {
  /** Computes the changes of a call. */
  readonly tool: Tool;
  /** Asks about a call whose changes cannot be shown. */
  readonly unseenTool: Tool;
  readonly writing: WriterDependencies;
  /** Makes the Git work trees that hold these paths folders of the workspace, where the window guards them. */
  readonly includeWorktrees: (paths: readonly string[]) => void;
  /** Ends the rules that the user made for another turn of this principal. */
  readonly endTurnRules: (principal: Principal, present: string) => void;
  /** Returns what the user reviews of an assistant's own edits, by its name. */
  readonly level: (assistant: string) => GuardLevel;
  readonly watch: NativeWatch;
}

/** Milliseconds for which the same call that arrives once more gets the same answer. */
const sameCallMilliseconds = 2000;
/** Milliseconds for which an assistant's own question about a call is answered as the user decided. */
const questionMilliseconds = 10_000;
/** The number of times at most that an edit is computed anew because its file changed while the user looked at the card. */
const mostAttempts = 5;

/** A call of an assistant that waits for its answer, or that may be writing what was approved. */
interface OpenCall {
  readonly call: NativeCall;
  /** Ends the wait for the bytes. */
  readonly end: () => void;
  /** Set when the call was answered. */
  answered?: { readonly answer: NativeAnswer; readonly at: number };
}

/** An answer that another hook of the same call gets too. */
interface GivenAnswer {
  readonly source: string | undefined;
  readonly answer: Promise<NativeAnswer>;
}

/** The answer is given this many seconds before the assistant would make the edit without one. */
const earlier = 30;
/** Seconds that a call waits when its assistant names no time. */
const usualWaitSeconds = 24 * 60 * 60;
/** Milliseconds for which the user can decide after the call was answered without a decision. */
const lateMilliseconds = 24 * 60 * 60 * 1000;

/** Answers the hooks of assistants. */
export class NativeEdits {
  readonly #dependencies: NativeEditDependencies;
  /** The key names principal, subagent and call, because two settings files may start the hook program for one call. */
  readonly #answers = new Map<string, GivenAnswer>();
  readonly #turns: NativeTurns;
  readonly #nameKey = randomBytes(32);
  readonly #late: LateDecisions;
  readonly #lastSeen = new Map<string, number>();
  #isSuspended = false;
  /** The calls of each principal and subagent, the last one at the end. */
  readonly #open = new Map<string, readonly OpenCall[]>();

  constructor(dependencies: NativeEditDependencies) {
    this.#turns = new NativeTurns(dependencies.endTurnRules);
    this.#late = new LateDecisions(dependencies.approver);
    this.#dependencies = dependencies;
  }

  /** The times of the last edit of each assistant in this window, in milliseconds since the epoch. The key is its name. */
  get lastSeen(): ReadonlyMap<string, number> {
    return this.#lastSeen;
  }

  /** Answers nothing more, since the window ends. The assistants then ask the window that opens the folder next. */
  suspend(): void {
    this.#isSuspended = true;
  }

  /**
   * Returns whether the assistant may make the edit, after the user decided where the policy asks. Never rejects.
   * @param signal aborted when the assistant does not wait for the answer any more
   */
  async answer(call: NativeCall, signal: AbortSignal): Promise<NativeAnswer> {
    this.#lastSeen.set(call.assistant, this.#dependencies.clock.now());
    if (call.event === 'before') this.#dependencies.includeWorktrees(call.edits.flatMap(pathsOf));
    const principal = principalOf(call);
    const key = JSON.stringify([principal.connectionId, call.agent?.id]);
    const open = this.#open.get(key) ?? [];
    if (call.event === 'question') return this.#answerQuestion(call, open);
    if (call.event === 'after') return this.#endCall(call, principal, key);
    this.#dependencies.watch.saw(principal);
    // An id alone is not enough: some models number the calls of each message anew.
    const sameCall = JSON.stringify([key, call.call, hashOfEdits(call), call.attempt ?? 0]);
    const known = this.#answers.get(sameCall);
    // Without an id, only a hook of another settings file brings the same call once more.
    if (known !== undefined && (call.call !== undefined || known.source !== call.source)) return known.answer;
    if (this.#dependencies.level(call.assistant) === 'after') return this.#pass(call, principal, key, signal);
    const declined = this.#turns.declined(call, principal, hashOfEdits(call));
    if (declined !== undefined) return declined;
    if (call.isSerial === true) for (const each of open) each.end();
    const ended = Promise.withResolvers<undefined>();
    const own: OpenCall = { call, end: () => ended.resolve(undefined) };
    this.#open.set(key, [...open, own].slice(-mostOpen));
    const asked = this.#answerWithNews(call, principal, signal, ended.promise);
    this.#answers.set(sameCall, { source: call.source, answer: asked });
    const answer = await asked;
    const { clock } = this.#dependencies;
    own.answered = { answer, at: clock.now() };
    clock.after(sameCallMilliseconds, () => this.#answers.delete(sameCall));
    if (answer.decision === 'deny') {
      // The assistant writes nothing, and most tell nothing more about a call that was refused.
      own.end();
      clock.after(questionMilliseconds, () => this.#forget(own, key));
    }
    return answer;
  }

  /** Allows a call that the user has just approved. Has no opinion about any other, so that the assistant asks the user. */
  #answerQuestion(call: NativeCall, open: readonly OpenCall[]): NativeAnswer {
    const answered = open.findLast((each) => isAbout(call, each.call, each.answered?.answer))?.answered;
    if (answered?.answer.decision !== 'allow') return { decision: 'none' };
    const isRecent = this.#dependencies.clock.now() - answered.at <= questionMilliseconds;
    return isRecent ? { decision: 'allow', files: [] } : { decision: 'none' };
  }

  /** Ends the wait for the bytes of a call, and repeats what its model was told. */
  #endCall(call: NativeCall, principal: Principal, key: string): NativeAnswer {
    const { watch } = this.#dependencies;
    watch.ended({ key: watchedKey(call, key), principal, paths: call.edits.flatMap(pathsOf) });
    const open = this.#open.get(key) ?? [];
    const own = open.findLast((each) => isSameCall(each.call, call));
    if (own !== undefined) this.#forget(own, key);
    const given = own?.answered?.answer;
    const words = given?.decision === 'allow' ? given.words : undefined;
    const news = call.reachesModel === true ? watch.takeWords(principal) : undefined;
    return withNews({ decision: 'none', ...(words !== undefined && { words }) }, news);
  }

  /**
   * Lets an edit pass that the user reviews afterwards, unless the policy denies it. The assistant makes it by its own rules, so
   * another error of ours is no reason to refuse it.
   */
  async #pass(call: NativeCall, principal: Principal, key: string, signal: AbortSignal): Promise<NativeAnswer> {
    const { tool, unseenTool, watch, writing, approver, limits } = this.#dependencies;
    const dependencies: CoreDependencies = {
      ...this.#dependencies,
      limits: { admit: () => undefined, slot: (asking, aborted) => limits.slot(asking, aborted) },
      approver: {
        request: async () => ({ status: 'applied', approvalId: '', displayed: false, files: [], next: 'Go on.' }),
        permitRead: (asked) => approver.permitRead(asked),
        outcome: (id, asked) => approver.outcome(id, asked),
      },
    };
    const request = this.#requestOf(call, principal, signal);
    try {
      await runTool(tool, request, dependencies);
    } catch (error) {
      if (isDenied(error) && !(await hasSecret(call.edits, writing))) return refusalByError(error, true);
      // A secret file is no reason to refuse an edit of an assistant, but a rule that denies it is.
      const why = isDenied(error) ? whyUnseen(error) : undefined;
      const unseen = { tool: call.tool, call: this.#nameOf(call), paths: call.edits.flatMap(pathsOf), why };
      try {
        if (why !== undefined) {
          await runTool(unseenTool, { ...request, tool: unseenTool.name, arguments: unseen }, dependencies);
        }
      } catch (denial) {
        return refusalByError(denial, true);
      }
    }
    await watch.ready();
    const names = call.edits.flatMap(pathsOf).map((path) => basename(path));
    watch.began({
      key: watchedKey(call, key),
      principal,
      headline: `${call.assistant}: ${call.tool} ${names.join(', ')}`,
    });
    return { decision: 'none' };
  }

  #requestOf(call: NativeCall, principal: Principal, signal: AbortSignal) {
    const { tool } = this.#dependencies;
    const name = call.agent === undefined ? call.assistant : `${call.assistant} (${call.agent.kind})`;
    return {
      tool: tool.name,
      arguments: { tool: call.tool, edits: call.edits },
      principal,
      client: { name, version: '' },
      era: '2026' as const,
      protocolVersion: undefined,
      signal,
    };
  }

  /** Forgets a call that writes nothing more, with its texts. */
  #forget(own: OpenCall, key: string): void {
    own.end();
    const others = (this.#open.get(key) ?? []).filter((each) => each !== own);
    if (others.length > 0) this.#open.set(key, others);
    else this.#open.delete(key);
  }

  /** Returns a name by which a call is told from others without its texts, which may be secret. */
  #nameOf(call: NativeCall): string {
    return call.call ?? createHmac('sha256', this.#nameKey).update(hashOfEdits(call)).digest('hex').slice(0, 16);
  }

  /** Also tells the model the user's late decisions about earlier edits, whose calls did not wait for them. */
  async #answerWithNews(
    call: NativeCall,
    principal: Principal,
    signal: AbortSignal,
    ended: Promise<undefined>,
  ): Promise<NativeAnswer> {
    const answer = await this.#decide(call, principal, signal, ended);
    if (answer.decision === 'none') return answer;
    const late = await this.#late.take(principal);
    const undone = this.#dependencies.watch.takeWords(principal);
    if (late.length === 0 && undone === undefined) return answer;
    const words = [
      ...(undone === undefined ? [] : [undone]),
      ...late.map(({ outcome }) => `About your earlier edit of ${filesOf(outcome)}: ${wordsOf(outcome)}`),
      ...(answer.words === undefined ? [] : [`About this edit: ${answer.words}`]),
    ];
    return { ...answer, words: words.join('\n') };
  }

  /** Saves files that the window changed in the editor only: the assistant reads them from the disk. */
  async #save(outcome: ChangeOutcome, proposed: readonly FileChange[]): Promise<ChangeOutcome> {
    const { editorActions } = this.#dependencies.ports;
    const files = outcome.files.map(async (file) => {
      const path = proposed.find((change) => change.path.uri === file.uri)?.path;
      if (file.dirty !== true || path === undefined) return file;
      const { state } = await editorActions.save(path);
      return state === 'failed' ? file : { ...file, dirty: false, saved: true };
    });
    return { ...outcome, files: await Promise.all(files) };
  }

  async #decide(
    call: NativeCall,
    principal: Principal,
    signal: AbortSignal,
    ended: Promise<undefined>,
  ): Promise<NativeAnswer> {
    const answered = Promise.withResolvers<NativeAnswer>();
    // A closed connection withdraws the card, but not a change that was handed over.
    const waiting = new AbortController();
    const leave = (): void => waiting.abort();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    let isAnswered = false;
    /** The call also changes files outside the folders of this window. */
    let isMixed = false;
    const handOver = (files: readonly HandedOverFile[]): boolean => {
      if (isAnswered || waiting.signal.aborted || !isWrittenAsNamed(call, files)) return false;
      const permitted = permission(files, proposed, call.writesExactly);
      if (permitted === undefined || (isMixed && permitted.words !== undefined)) return false;
      signal.removeEventListener('abort', leave);
      // The rules of the assistant decide about the files elsewhere.
      answered.resolve(isMixed ? { decision: 'none' } : permitted);
      return true;
    };
    const permit = (): boolean => {
      if (isAnswered || waiting.signal.aborted) return false;
      signal.removeEventListener('abort', leave);
      answered.resolve(isMixed ? { decision: 'none' } : { decision: 'allow', files: [] });
      return true;
    };
    const { approver, writing, tool, unseenTool, limits } = this.#dependencies;
    const entered = await enteredByLink(call, writing);
    if (entered !== undefined) {
      return { decision: 'deny', words: `This path leads through a link to ${entered}. Make the edit by that path.` };
    }
    const writer = assistantWriter({ writesExactly: call.writesExactly, handOver, permit, ended }, writing);
    const request = this.#requestOf(call, principal, waiting.signal);
    const turn = this.#turns.count(call, principal);
    let proposed: readonly FileChange[] = [];
    let outcome: ChangeOutcome | undefined;
    const { waitSeconds = usualWaitSeconds } = call;
    const { profileFor } = this.#dependencies;
    const dependencies: CoreDependencies = {
      ...this.#dependencies,
      // The rate limit is for the tools of Drawbridge, and refuses no call of an assistant's own tool.
      limits: { admit: () => undefined, slot: (asking, aborted) => limits.slot(asking, aborted) },
      profileFor: (client, revision) => ({ ...profileFor(client, revision), approvalSeconds: waitSeconds - earlier }),
      approver: {
        request: async (asked) => {
          proposed = asked.proposal.files;
          const staysMilliseconds = waitSeconds * 1000 + lateMilliseconds;
          outcome = await approver.request({
            ...asked,
            writer,
            staysMilliseconds,
            ...(turn && { turn }),
            onWaiting: (id) => {
              this.#late.forget(principal, id);
              asked.onWaiting(id);
            },
          });
          return outcome;
        },
        permitRead: (asked) => approver.permitRead(asked),
        outcome: (id, asked) => approver.outcome(id, asked),
      },
    };
    const propose = async (edits: readonly NativeFileEdit[]): Promise<void> => {
      try {
        await runTool(tool, { ...request, arguments: { tool: call.tool, edits } }, dependencies);
      } catch (error) {
        const why = isDenied(error) && !(await hasSecret(edits, writing)) ? undefined : whyUnseen(error);
        const inside = isMixed || (why === undefined && !isOutside(error)) ? [] : await editsInside(edits, writing);
        if (inside.length > 0 && inside.flatMap(pathsOf).length < edits.flatMap(pathsOf).length) {
          isMixed = true;
          return propose(inside);
        }
        // An assistant for which the window writes cannot be let through with a call that is not shown.
        if (why === undefined || call.writesExactly.length === 0) throw error;
        const unseen = { tool: call.tool, call: this.#nameOf(call), paths: edits.flatMap(pathsOf), why };
        await runTool(unseenTool, { ...request, tool: unseenTool.name, arguments: unseen }, dependencies);
      }
    };
    const refuse = async (): Promise<NativeAnswer> => {
      try {
        await propose(call.edits);
      } catch (error) {
        const concerns = isMixed || (call.attempt ?? 0) > 0 || (await editsInside(call.edits, writing)).length > 0;
        return refusalByError(error, concerns);
      }
      isAnswered = true;
      if (outcome === undefined) return unanswered;
      if (outcome.status === 'pending_approval') this.#late.add(principal, outcome.approvalId);
      if (outcome.status === 'stale' && isComputedAnew(call) && !waiting.signal.aborted) {
        return this.#decide({ ...call, attempt: (call.attempt ?? 0) + 1 }, principal, signal, ended);
      }
      outcome = await this.#save(outcome, proposed);
      const refused: NativeAnswer = { decision: 'deny', words: wordsOf(outcome, isMixed) };
      if (outcome.status === 'declined') this.#turns.rememberDeclined(call, principal, hashOfEdits(call), refused);
      return refused;
    };
    const answer = (given: NativeAnswer): void => {
      if (!this.#isSuspended) answered.resolve(given);
    };
    // After a permission this comes too late to count: then it only waits for the bytes.
    void refuse().then(answer);
    return answered.promise;
  }
}

/** Returns the key by which the end of a call is found. Without an id, the files of the call name it. */
function watchedKey(call: NativeCall, key: string): string {
  return JSON.stringify([key, call.call ?? call.edits.flatMap(pathsOf).toSorted()]);
}

/** The most calls of one session that are remembered. */
const mostOpen = 20;

/** Returns whether a call can be computed for the text after a change of its file. A whole file would undo that change. */
function isComputedAnew({ edits, attempt = 0 }: NativeCall): boolean {
  return attempt < mostAttempts && edits.every(({ kind }) => kind === 'replace' || kind === 'patch');
}
