/** The edits that assistants make with tools of their own: judged, shown and recorded as every other change before they are made. */
import { createHash } from 'node:crypto';
import { type ApprovedFile, type ExactWrite, type NativeAnswer, type NativeCall, pathsOf } from '#base/nativeEdit.ts';
import type { Principal } from '#base/principal.ts';
import { type FileChange, type FileMove, textsOf } from '#base/proposal.ts';
import { type ErrorCode, ToolError } from '#base/toolError.ts';
import type { ChangeOutcome, OutcomeStatus } from '#changes/approver.ts';
import { unifiedDiff } from '#changes/unifiedDiff.ts';
import { assistantWriter, type HandedOverFile, type WriterDependencies } from './assistantWriter.ts';
import { asToolError, type CoreDependencies, runTool } from './callTool.ts';
import { LateDecisions } from './lateDecisions.ts';
import { hashOfEdits, NativeTurns } from './nativeTurns.ts';
import type { Tool } from './tool.ts';

export interface NativeEditDependencies extends CoreDependencies {
  /** Computes the changes of a call. */
  readonly tool: Tool;
  /** Asks about a call whose changes cannot be shown. */
  readonly unseenTool: Tool;
  readonly writing: WriterDependencies;
  /** Ends the rules that the user made for another turn of this principal. */
  readonly endTurnRules: (principal: Principal, present: string) => void;
}

/** Milliseconds for which the same call that arrives once more gets the same answer. */
const sameCallMilliseconds = 2000;
/** Milliseconds for which an assistant's own question about a call is answered as the user decided. */
const questionMilliseconds = 10_000;
/** An edit is computed anew at most so many times when its file changes while the user looks at the card. */
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
/** Seconds that a call waits whose assistant does not say for how long it does. */
const usualWaitSeconds = 24 * 60 * 60;
/** Milliseconds for which the user can decide after the call was answered without a decision. */
const lateMilliseconds = 24 * 60 * 60 * 1000;

/** Answers the hooks of assistants. */
export class NativeEdits {
  readonly #dependencies: NativeEditDependencies;
  /** The key names principal, subagent and call, because two settings files may start the hook program for one call. */
  readonly #answers = new Map<string, GivenAnswer>();
  readonly #turns: NativeTurns;
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
    const principal = principalOf(call);
    const key = JSON.stringify([principal.connectionId, call.agent?.id]);
    const open = this.#open.get(key) ?? [];
    if (call.event === 'question') return this.#answerQuestion(call, open);
    if (call.event === 'after') return this.#endCall(call, key);
    const sameCall = JSON.stringify([key, call.call ?? hashOfEdits(call), call.attempt ?? 0]);
    const known = this.#answers.get(sameCall);
    // Without an id, only a hook of another settings file brings the same call once more.
    if (known !== undefined && (call.call !== undefined || known.source !== call.source)) return known.answer;
    const declined = this.#turns.declined(call, principal);
    if (declined !== undefined) return declined;
    if (call.isSerial === true) for (const each of open) each.end();
    const ended = Promise.withResolvers<undefined>();
    const own: OpenCall = { call, end: () => ended.resolve(undefined) };
    this.#open.set(key, [...open, own].slice(-mostOpen));
    const asked = this.#answerWithNews(call, principal, signal, ended.promise);
    this.#answers.set(sameCall, { source: call.source, answer: asked });
    const answer = await asked;
    own.answered = { answer, at: this.#dependencies.clock.now() };
    this.#dependencies.clock.after(sameCallMilliseconds, () => this.#answers.delete(sameCall));
    return answer;
  }

  /** Allows what the user has just approved; without an opinion about everything else, so that the assistant asks the user. */
  #answerQuestion(call: NativeCall, open: readonly OpenCall[]): NativeAnswer {
    const answered = open.findLast((each) => isSameCall(each.call, call))?.answered;
    if (answered?.answer.decision !== 'allow') return { decision: 'none' };
    const isRecent = this.#dependencies.clock.now() - answered.at <= questionMilliseconds;
    return isRecent ? { decision: 'allow', files: [] } : { decision: 'none' };
  }

  /** Ends the wait for the bytes of a call, and repeats what its model was told. */
  #endCall(call: NativeCall, key: string): NativeAnswer {
    const open = this.#open.get(key) ?? [];
    const own = open.findLast((each) => isSameCall(each.call, call));
    if (own === undefined) return { decision: 'none' };
    own.end();
    this.#open.set(
      key,
      open.filter((each) => each !== own),
    );
    const given = own.answered?.answer;
    const words = given?.decision === 'allow' ? given.words : undefined;
    return { decision: 'none', ...(words !== undefined && { words }) };
  }

  /** Also tells the model what the user decided since about edits that it did not wait for. */
  async #answerWithNews(
    call: NativeCall,
    principal: Principal,
    signal: AbortSignal,
    ended: Promise<undefined>,
  ): Promise<NativeAnswer> {
    const answer = await this.#decide(call, principal, signal, ended);
    if (answer.decision === 'none') return answer;
    const news = await this.#late.take(principal);
    if (news.length === 0) return answer;
    const words = [
      ...news.map((outcome) => `About your earlier edit of ${filesOf(outcome)}: ${wordsOf(outcome)}`),
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
    const handOver = (files: readonly HandedOverFile[]): boolean => {
      if (isAnswered || waiting.signal.aborted || !isWrittenAsNamed(call, files)) return false;
      const permitted = permission(files, proposed, call.writesExactly);
      if (permitted === undefined) return false;
      signal.removeEventListener('abort', leave);
      answered.resolve(permitted);
      return true;
    };
    const permit = (): boolean => {
      if (isAnswered || waiting.signal.aborted) return false;
      signal.removeEventListener('abort', leave);
      answered.resolve({ decision: 'allow', files: [] });
      return true;
    };
    const { approver, writing, tool, unseenTool, limits } = this.#dependencies;
    const writer = assistantWriter({ writesExactly: call.writesExactly, handOver, permit, ended }, writing);
    const request = {
      tool: tool.name,
      arguments: { tool: call.tool, edits: call.edits },
      principal,
      client: {
        name: call.agent === undefined ? call.assistant : `${call.assistant} (${call.agent.kind})`,
        version: '',
      },
      era: '2026' as const,
      protocolVersion: undefined,
      signal: waiting.signal,
    };
    const turn = this.#turns.count(call, principal);
    let proposed: readonly FileChange[] = [];
    let outcome: ChangeOutcome | undefined;
    const { waitSeconds = usualWaitSeconds } = call;
    const { profileFor } = this.#dependencies;
    const dependencies: CoreDependencies = {
      ...this.#dependencies,
      // A rate that was made for the tools of Drawbridge refuses no call of another tool.
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
    const refuse = async (): Promise<NativeAnswer> => {
      try {
        await runTool(tool, request, dependencies).catch(async (error: unknown) => {
          const why = whyUnseen(error);
          if (why === undefined) throw error;
          const unseen = { tool: call.tool, paths: call.edits.flatMap(pathsOf), why };
          await runTool(unseenTool, { ...request, tool: unseenTool.name, arguments: unseen }, dependencies);
        });
      } catch (error) {
        return refusalByError(error);
      }
      isAnswered = true;
      if (outcome === undefined) return unanswered;
      if (outcome.status === 'pending_approval') this.#late.add(principal, outcome.approvalId);
      if (outcome.status === 'stale' && isComputedAnew(call) && !waiting.signal.aborted) {
        return this.#decide({ ...call, attempt: (call.attempt ?? 0) + 1 }, principal, signal, ended);
      }
      outcome = await this.#save(outcome, proposed);
      const refused: NativeAnswer = { decision: 'deny', words: wordsOf(outcome) };
      if (outcome.status === 'declined') this.#turns.rememberDeclined(call, principal, refused);
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

/** The most calls of one session that are remembered. */
const mostOpen = 20;

/** Returns whether two events belong to one call. Without an id they do when they name the same files. */
function isSameCall(one: NativeCall, other: NativeCall): boolean {
  if (one.call !== undefined || other.call !== undefined) return one.call === other.call;
  const [files, others] = [one, other].map(({ edits }) => JSON.stringify(edits.flatMap(pathsOf).toSorted()));
  return files === others;
}

/** Returns whether a call is computed for the present text when its file changed: a whole file would undo what changed. */
function isComputedAnew({ edits, attempt = 0 }: NativeCall): boolean {
  return attempt < mostAttempts && edits.every(({ kind }) => kind === 'replace' || kind === 'patch');
}

/** Returns why the user is asked about a call that cannot be shown, in a sentence for the card; undefined for another error. */
function whyUnseen(error: unknown): string | undefined {
  if (!(error instanceof ToolError)) return undefined;
  const reasons: Partial<Record<ErrorCode, string>> = {
    // When anything else than a secret is denied, the user is not asked about it either.
    denied: 'The file is secret: its text is neither shown here nor kept, so the change cannot be undone here.',
    binary_file: 'The file is not text, so the change can be neither shown nor undone here.',
    undecodable: 'The text of the file cannot be read, so the change can be neither shown nor undone here.',
    too_large: 'The file or the change is too large to be shown, and cannot be undone here.',
  };
  return reasons[error.code];
}

/** The identity that an assistant claims for its session. Nothing but its own cards depends on it. */
function principalOf({ assistant, session }: NativeCall): Principal {
  const digest = createHash('sha256')
    .update(JSON.stringify([assistant, session]))
    .digest('hex');
  return { credential: 'window', connectionId: `native:${digest}` };
}

/**
 * Returns whether the assistant writes these files when it may. Assistants that refuse to write through a link do not list `link`.
 * Claude Code 2.1.329 gives a new cell of a notebook a random id, so that nobody could approve its bytes.
 */
function isWrittenAsNamed({ edits, writesExactly }: NativeCall, files: readonly HandedOverFile[]): boolean {
  if (edits.some(({ kind }) => kind === 'notebook')) return false;
  if (writesExactly.includes('link')) return true;
  const named = new Set(edits.flatMap(pathsOf));
  return files.every(({ change: { path } }) => named.has(path.fsPath) || named.has(path.realPath));
}

/**
 * Returns the permission to make the approved changes; undefined when the assistant cannot be given them.
 * @param proposed the changes that the call asked for
 */
function permission(
  files: readonly HandedOverFile[],
  proposed: readonly FileChange[],
  writesExactly: readonly ExactWrite[],
): NativeAnswer | undefined {
  const differences: string[] = [];
  const approved: ApprovedFile[] = [];
  for (const { change, sha256 } of files) {
    const move = files.map((each) => each.change).find((each): each is FileMove => isMoveOf(each, change));
    // The edit of a moved file stands for both.
    if (change.kind === 'move' && files.some((each) => each.change !== change && isMoveOf(change, each.change)))
      continue;
    const asked = proposed.find((each) => each.kind === change.kind && each.path.realPath === change.path.realPath);
    const wanted = asked && textsOf(asked)?.result;
    const texts = textsOf(change) ?? { base: '', result: '' };
    const isChanged = texts.result !== (wanted ?? '');
    if (isChanged) differences.push(unifiedDiff(change.path.path, wanted ?? '', texts.result));
    approved.push({
      path: change.path.fsPath,
      change: change.kind === 'move' ? 'edit' : change.kind,
      ...(move && { movedTo: move.to.fsPath }),
      ...(sha256 !== undefined && { sha256 }),
      texts: { before: texts.base, after: texts.result },
      isChanged,
    });
  }
  const leftOut = proposed.filter(
    ({ kind, path }) => !files.some(({ change }) => change.kind === kind && change.path.realPath === path.realPath),
  );
  differences.push(...leftOut.map(({ kind, path }) => `The ${kind} of ${path.path} was left out.`));
  if (differences.length === 0) return { decision: 'allow', files: approved };
  if (!writesExactly.includes('changed')) return undefined;
  const words =
    'The user changed this edit in VS Code before it was made, so the file does not hold what you sent. ' +
    `The difference from your edit to the file is:\n${differences.join('\n')}\n` +
    'Build on the file as it is now, and do not make the rest again unless the user asks for it.';
  return { decision: 'allow', files: approved, words };
}

function isMoveOf(move: FileChange, change: FileChange): boolean {
  return move.kind === 'move' && move.path.realPath === change.path.realPath;
}

const unanswered: NativeAnswer = {
  decision: 'deny',
  words: 'Drawbridge could not ask the user, so nothing was changed. Tell the user.',
};

const wordsOfStatus: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  declined:
    "The user declined this edit in VS Code; nothing was changed. Do not make the same edit again: follow the user's message if there is one, otherwise ask what to do instead.",
  expired:
    'The user did not decide about this edit; nothing was changed. Ask the user whether it is still wanted before you make it again.',
  pending_approval:
    'The user has not decided about this edit yet; nothing was changed, and the question stays open in VS Code. Make exactly the same edit again to go on waiting, or tell the user that it waits for them.',
  stale:
    'The file changed while the user looked at this edit; nothing was changed. Read the file again, and make the edit for its present text.',
};

/** Returns the words for an edit that the assistant must not make, because of its decision or because Drawbridge made it. */
function wordsOf({ status, files, userMessage, next }: ChangeOutcome): string {
  if (status === 'applied' || status === 'partially_applied' || status === 'applied_modified') {
    const differences = files.flatMap(({ differenceFromProposal }) => differenceFromProposal ?? []).join('\n');
    const shown = differences === '' ? '' : ` It differs from your edit as follows:\n${differences}\n`;
    const unsaved = files.some(({ dirty }) => dirty === true)
      ? ' It is not saved yet, so the disk does not have it: ask the user to save the file.'
      : '';
    return `The user applied this edit in VS Code, so do not make it again.${shown}${unsaved} Read the file before you edit it further.`;
  }
  const said = userMessage === undefined || userMessage === '' ? '' : ` The user says: ${userMessage}`;
  return `${wordsOfStatus[status] ?? `This edit was not made. ${next}`}${said}`;
}

function filesOf({ files }: ChangeOutcome): string {
  return files.map(({ path }) => path).join(', ');
}

/** Without an opinion about files of other folders: the assistant's own rules decide about those. */
function refusalByError(error: unknown): NativeAnswer {
  if (error instanceof ToolError && error.code === 'outside_workspace') return { decision: 'none' };
  const { message, hint } = asToolError(error);
  return { decision: 'deny', words: `${message} ${hint}` };
}
