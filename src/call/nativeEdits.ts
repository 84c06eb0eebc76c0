/** The edits that assistants make with tools of their own: judged, shown and recorded as every other change before they are made. */
import { createHash } from 'node:crypto';
import type { ApprovedFile, NativeAnswer, NativeCall } from '#base/nativeEdit.ts';
import type { Principal } from '#base/principal.ts';
import { type FileChange, textsOf } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ChangeOutcome, OutcomeStatus } from '#changes/approver.ts';
import { unifiedDiff } from '#changes/unifiedDiff.ts';
import { assistantWriter, type HandedOverFile, type WriterDependencies } from './assistantWriter.ts';
import { asToolError, type CoreDependencies, runTool } from './callTool.ts';
import type { Tool } from './tool.ts';

export interface NativeEditDependencies extends CoreDependencies {
  /** Computes the changes of a call. */
  readonly tool: Tool;
  readonly writing: WriterDependencies;
}

/** A call of an assistant that may be writing what was approved. */
interface OpenCall {
  readonly call: string;
  /** Ends the wait for the bytes. */
  readonly end: () => void;
}

/** Seconds that the call of an assistant waits: longer than a card stays. */
const waitSeconds = 24 * 60 * 60;

/** Answers the hooks of assistants. */
export class NativeEdits {
  readonly #dependencies: NativeEditDependencies;
  readonly #lastSeen = new Map<string, number>();
  #isSuspended = false;
  /** By principal; an assistant makes one call after the other. */
  readonly #open = new Map<string, OpenCall>();

  constructor(dependencies: NativeEditDependencies) {
    const { profileFor } = dependencies;
    this.#dependencies = {
      ...dependencies,
      profileFor: (client, revision) => ({ ...profileFor(client, revision), approvalSeconds: waitSeconds }),
    };
  }

  /** When an edit of each assistant last came to this window, in milliseconds since the epoch, by the name of the assistant. */
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
    const key = `${principal.connectionId ?? ''} ${call.agent ?? ''}`;
    const open = this.#open.get(key);
    if (call.event === 'after') {
      if (open?.call === call.call) open.end();
      return { decision: 'none' };
    }
    // The next call shows that the one before has ended.
    open?.end();
    const ended = Promise.withResolvers<undefined>();
    this.#open.set(key, { call: call.call, end: () => ended.resolve(undefined) });
    return this.#decide(call, principal, signal, ended.promise);
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
    const handOver = (files: readonly HandedOverFile[]): boolean => {
      if (waiting.signal.aborted) return false;
      signal.removeEventListener('abort', leave);
      answered.resolve(permission(call, files, proposed));
      return true;
    };
    const { approver, writing, tool } = this.#dependencies;
    const writer = assistantWriter({ handOver, ended }, writing);
    const request = {
      tool: tool.name,
      arguments: { tool: call.tool, edits: call.edits },
      principal,
      client: { name: call.agent === undefined ? call.assistant : `${call.assistant} (${call.agent})`, version: '' },
      era: '2026' as const,
      protocolVersion: undefined,
      signal: waiting.signal,
    };
    let proposed: readonly FileChange[] = [];
    let outcome: ChangeOutcome | undefined;
    const dependencies: CoreDependencies = {
      ...this.#dependencies,
      approver: {
        async request(asked) {
          proposed = asked.proposal.files;
          outcome = await approver.request({ ...asked, writer });
          return outcome;
        },
        permitRead: (asked) => approver.permitRead(asked),
        outcome: (id, asked) => approver.outcome(id, asked),
      },
    };
    const answer = (given: NativeAnswer): void => {
      if (!this.#isSuspended) answered.resolve(given);
    };
    void runTool(tool, request, dependencies).then(
      () => answer(outcome === undefined ? unanswered : refusal(outcome)),
      (error: unknown) => answer(refusalByError(error)),
    );
    return answered.promise;
  }
}

/** The identity that an assistant claims for its session. Nothing but its own cards depends on it. */
function principalOf({ assistant, session }: NativeCall): Principal {
  const digest = createHash('sha256')
    .update(JSON.stringify([assistant, session]))
    .digest('hex');
  return { credential: 'window', connectionId: `native:${digest}` };
}

/** @param proposed the changes that the call asked for */
function permission(
  { edits }: NativeCall,
  files: readonly HandedOverFile[],
  proposed: readonly FileChange[],
): NativeAnswer {
  const differences: string[] = [];
  const approved = files.map(({ change, sha256 }): ApprovedFile => {
    const path = edits.find((edit) => isPathOf(change.path, edit.path))?.path ?? change.path.fsPath;
    const asked = proposed.find((each) => each.path.realPath === change.path.realPath);
    const wanted = asked === undefined ? undefined : textsOf(asked)?.result;
    const file = { path, ...(sha256 !== undefined && { sha256 }) };
    const after = change.result.text;
    if (after === wanted) return file;
    differences.push(unifiedDiff(change.path.path, wanted ?? '', after));
    return { ...file, texts: { before: change.kind === 'edit' ? change.base.text : '', after } };
  });
  if (differences.length === 0) return { decision: 'allow', files: approved };
  const words =
    'The user changed this edit in VS Code before it was made, so the file does not hold what you sent. ' +
    `The difference from your edit to the file is:\n${differences.join('\n')}\n` +
    'Build on the file as it is now, and do not make the rest again unless the user asks for it.';
  return { decision: 'allow', files: approved, words };
}

function isPathOf({ fsPath, realPath }: HandedOverFile['change']['path'], path: string): boolean {
  return path === fsPath || path === realPath;
}

const unanswered: NativeAnswer = {
  decision: 'deny',
  words: 'Drawbridge could not ask the user, so nothing was changed. Tell the user.',
};

/** Returns the words for an edit that the assistant must not make, because of its decision or because Drawbridge made it. */
function refusal(outcome: ChangeOutcome): NativeAnswer {
  return { decision: 'deny', words: wordsOf(outcome) };
}

const wordsOfStatus: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  declined:
    "The user declined this edit in VS Code; nothing was changed. Do not make the same edit again: follow the user's message if there is one, otherwise ask what to do instead.",
  expired:
    'The user did not decide about this edit; nothing was changed. Ask the user whether it is still wanted before you make it again.',
  stale:
    'The file changed while the user looked at this edit; nothing was changed. Read the file again, and make the edit for its present text.',
};

function wordsOf({ status, files, userMessage, next }: ChangeOutcome): string {
  if (status === 'applied' || status === 'partially_applied' || status === 'applied_modified') {
    const differences = files.flatMap(({ differenceFromProposal }) => differenceFromProposal ?? []).join('\n');
    const shown = differences === '' ? '' : ` It differs from your edit as follows:\n${differences}\n`;
    return `The user applied this edit in VS Code, so do not make it again.${shown} Read the file before you edit it further.`;
  }
  const said = userMessage === undefined || userMessage === '' ? '' : ` The user says: ${userMessage}`;
  return `${wordsOfStatus[status] ?? `This edit was not made. ${next}`}${said}`;
}

/** Without an opinion about files of other folders: the assistant's own rules decide about those. */
function refusalByError(error: unknown): NativeAnswer {
  if (error instanceof ToolError && error.code === 'outside_workspace') return { decision: 'none' };
  const { message, hint } = asToolError(error);
  return { decision: 'deny', words: `${message} ${hint}` };
}
