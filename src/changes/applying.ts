import { canonicalJson } from '#base/canonicalJson.ts';
import type { Clock } from '#base/clock.ts';
import type { Media } from '#base/media.ts';
import { nativeCommandTool } from '#base/nativeCommand.ts';
import { isNativeTool } from '#base/nativeEdit.ts';
import { messageOf } from '#base/messageOf.ts';
import type { ActionProposal, ChangesProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import type { Problems, ProblemsSnapshot } from '#language/problems.ts';
import { withProblemsOf } from '#language/problemsChange.ts';
import { applyApproved, type Applied, type Recheck } from './apply.ts';
import type { Approval, SettleWay, UndoResult } from './approval.ts';
import type { FileOutcome, Writer } from './approver.ts';
import type { ChangeEffect } from './events.ts';
import { keepFound, outcomesOf } from './foundParts.ts';
import { addressAfter, realMovesOf, type Moved } from './moves.ts';
import { proposalHash } from './proposalHash.ts';
import type { PendingTurn } from './record.ts';
import type { ApprovalRecords } from './records.ts';
import { findParts, type FoundPart } from './recovery.ts';
import type { ChangeRequest } from './requests.ts';
import type { ApprovalMachine } from './runner.ts';
import {
  appliedParts,
  movesOf,
  redoUndone,
  undoApplied,
  type Part,
  type Reversal,
  type UndoDependencies,
} from './undo.ts';

/**
 * Carries out an action, if its tool is still offered.
 * @throws ToolError when it could not be carried out, or only in part
 */
export type Act = (tool: string, proposal: ActionProposal, signal: AbortSignal) => Promise<ActionResult>;

/** How an action ended. */
export type Acted = Pick<Approval, 'note' | 'output' | 'outputIsError'> & { readonly state: 'applied' | 'failed' };

export interface ApplyingDependencies extends UndoDependencies {
  readonly clock: Clock;
  readonly problems: Problems;
  /** Returns the paths of the files that import one that would be deleted or moved; without such a file, one that would be edited. */
  readonly usersOf: (files: ChangesProposal['files']) => Promise<readonly string[]>;
  /** Judges the policy, workspace trust and every path again right before the apply. */
  readonly recheck: Recheck;
  readonly act: Act;
}

/** The problems before a change. */
interface NotedProblems {
  readonly snapshot: ProblemsSnapshot;
  /** Files that are gone afterwards, and those that use them; the change leaves the text of these alone. */
  readonly others: readonly string[];
}

/** Milliseconds that an apply waits for a language service that is starting. */
const problemsMilliseconds = 1000;

/** Milliseconds for which images and sounds that an action returned stay in memory. */
const mediaMilliseconds = 10 * 60_000;

/**
 * Carries decisions out, and undoes them. A change is applied after its record is on disk, by Drawbridge, or by the assistant that
 * waits to write its own edit (`addWriter`).
 */
export class Applying {
  readonly #machine: ApprovalMachine;
  readonly #records: ApprovalRecords;
  readonly #dependencies: ApplyingDependencies;
  /** The problems of the files before each change. */
  readonly #problems = new Map<string, Promise<NotedProblems | undefined>>();
  /** The problems of the files that import an edited one, before each change. */
  readonly #importers = new Map<string, { readonly snapshot: ProblemsSnapshot; readonly paths: readonly string[] }>();
  /** The assistants that write their approved changes by themselves, by the ids of the approvals. */
  readonly #writers = new Map<string, Writer>();
  /** Aborts the actions that are being carried out. */
  readonly #acting = new Map<string, AbortController>();
  readonly #media = new Map<string, readonly Media[]>();

  constructor(machine: ApprovalMachine, records: ApprovalRecords, dependencies: ApplyingDependencies) {
    this.#machine = machine;
    this.#records = records;
    this.#dependencies = dependencies;
  }

  /** Notes the assistant that waits to write a change by itself once it is approved. */
  addWriter(id: string, writer: Writer): void {
    this.#writers.set(id, writer);
    void this.#forgetEndedWriter(id, writer);
  }

  /** Forgets the assistant that waits to write a change, so that Drawbridge writes it. */
  removeWriter(id: string): void {
    this.#writers.delete(id);
  }

  async #forgetEndedWriter(id: string, writer: Writer): Promise<void> {
    await writer.ended;
    if (this.#writers.get(id) === writer) this.#writers.delete(id);
  }

  /** Applies a change once its record and the texts before it are on disk. Resolves when the files are written; never rejects. */
  async apply({ id, proposal, choices }: Extract<ChangeEffect, { type: 'apply' }>): Promise<void> {
    const result = await this.#applyRecorded(id, proposal, choices).catch((error: unknown): Applied => ({
      state: 'failed',
      note: messageOf(error),
    }));
    this.#machine.send({ type: 'applyEnded', id, result });
  }

  async #applyRecorded(id: string, proposal: ChangesProposal, choices: ChangeRequest['choices']): Promise<Applied> {
    await this.#records.written(id).catch((error: unknown) => {
      throw new Error(
        `The text before the change could not be kept for undo, so nothing was changed: ${String(error)}`,
      );
    });
    await this.#problemsNotedInTime(id);
    const { approval, kept } = this.#request(id);
    return applyApproved({ approval, proposal, choices, kept }, this.#dependencies, this.#writers.get(id));
  }

  /** Carries out an action once its record is on disk. After a crash meanwhile it is reported and not repeated. Never rejects. */
  async carryOut(id: string, proposal: ActionProposal): Promise<void> {
    const result = await this.#carryOutRecorded(id, proposal).catch((error: unknown): Acted => ({
      state: 'failed',
      note: messageOf(error),
    }));
    this.#acting.delete(id);
    this.#machine.send({ type: 'actionEnded', id, result });
  }

  /** Carries out exactly the action that the approval is bound to, or nothing. */
  async #carryOutRecorded(id: string, proposal: ActionProposal): Promise<Acted> {
    await this.#records.written(id).catch((error: unknown) => {
      throw new Error(`Its record could not be kept, so nothing was done: ${String(error)}`);
    });
    const { act, recheck } = this.#dependencies;
    const { tool, proposalHash: hash, principal, judgement } = this.#request(id).approval;
    const acting = new AbortController();
    this.#acting.set(id, acting);
    if (proposalHash(tool, proposal) !== hash) {
      return { state: 'failed', note: 'This is not what was approved (hash_mismatch); nothing was done.' };
    }
    const refusal = await recheck(tool, proposal, principal, judgement.effect === 'ask');
    if (refusal !== undefined) return { state: 'failed', note: `${refusal} Nothing was done.` };
    if (isNativeTool(tool) || tool === nativeCommandTool) {
      const permitted = this.#writers.get(id)?.permit() ?? false;
      if (permitted === true) return { state: 'applied' };
      if (permitted === 'later') {
        const note = 'The assistant no longer waits. It may make exactly the same call once in the next 15 minutes.';
        return { state: 'applied', note };
      }
      return { state: 'failed', note: 'The assistant no longer waits to make this call, so nothing was done.' };
    }
    try {
      // JSON as the card showed it and the hash covers it: a number that is too large, for one, is null there.
      const approved = canonicalJson(proposal.arguments);
      const given: unknown = JSON.parse(approved);
      // `JSON.parse` of Node 24 misreads some escaped field names (nodejs/node#63785).
      if (canonicalJson(given) !== approved) {
        return {
          state: 'failed',
          note: 'Its arguments could not be read back as they were approved; nothing was done.',
        };
      }
      const { text, media, isError } = await act(tool, { ...proposal, arguments: given }, acting.signal);
      if (media !== undefined) this.#keepMedia(id, media);
      return { state: 'applied', ...(text !== '' && { output: text }), ...(isError && { outputIsError: true }) };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { state: 'failed', note: error.message, output: `${error.message} ${error.hint}`, outputIsError: true };
    }
  }

  /** Asks an action that is being carried out to stop. It decides itself how it ends. */
  abort(id: string): void {
    this.#acting.get(id)?.abort();
  }

  /** Returns the images and sounds that an action returned in the last ten minutes. They are too large for the record. */
  mediaOf(id: string): readonly Media[] {
    return this.#media.get(id) ?? [];
  }

  #keepMedia(id: string, media: readonly Media[]): void {
    this.#media.set(id, media);
    this.#dependencies.clock.after(mediaMilliseconds, () => this.#media.delete(id));
  }

  // ---- Problems ---------------------------------------------------------------------------------------------------

  /** Notes the problems of the files that a change may alter, and of those that use a file which goes from its place. */
  noteProblems(id: string, proposal: ChangesProposal): void {
    if (proposal.files.length === 0) return;
    const noted = this.#notedProblems(proposal).catch(() => undefined);
    this.#problems.set(id, noted);
    // The language service answers for the change itself first, because an apply waits for that.
    void noted.then(() => this.#noteImporters(id, proposal)).catch(() => undefined);
  }

  async #noteImporters(id: string, { files }: ChangesProposal): Promise<void> {
    const { problems, usersOf } = this.#dependencies;
    const isWaiting = (): boolean => this.#machine.state.requests.get(id)?.approval.state === 'waiting';
    if (!isWaiting() || files.some(({ kind }) => kind !== 'edit')) return;
    const own = new Set(files.map(({ path }) => path.realPath));
    const paths = (await usersOf(files)).filter((path) => !own.has(path));
    if (paths.length === 0) return;
    const snapshot = await problems.snapshot(paths);
    // A snapshot that was still being taken during the apply may hold problems of the new text.
    if (isWaiting()) this.#importers.set(id, { snapshot, paths });
  }

  async #notedProblems({ files }: ChangesProposal): Promise<NotedProblems> {
    const { problems, usersOf } = this.#dependencies;
    const paths = files.flatMap(({ kind, path }) => (kind === 'delete' ? [] : [path.realPath]));
    const gone = files.flatMap(({ kind, path }) => (kind === 'delete' ? [path.realPath] : []));
    const leaves = files.some(({ kind }) => kind === 'delete' || kind === 'move');
    const users = leaves ? await usersOf(files) : [];
    const others = users.length === 0 ? [] : [...gone, ...users.filter((user) => !paths.includes(user))];
    return { snapshot: await problems.snapshot([...paths, ...others]), others };
  }

  /** Resolves when the problems before a change are noted, or cannot be. */
  async problemsNoted(id: string): Promise<void> {
    await this.#problems.get(id);
  }

  forgetProblems(id: string): void {
    this.#problems.delete(id);
    this.#importers.delete(id);
  }

  /** To note the problems, the editor may open the files for a moment, and must not close them during the apply. */
  async #problemsNotedInTime(id: string): Promise<void> {
    const patience = Promise.withResolvers<undefined>();
    const timer = this.#dependencies.clock.after(problemsMilliseconds, () => patience.resolve(undefined));
    await Promise.race([this.#problems.get(id), patience.promise]);
    timer.dispose();
  }

  /** The user sees at once that the change was applied. The assistant is answered with what it did to the problems. */
  async compareProblems(id: string, proposal: ChangesProposal): Promise<void> {
    const importers = this.#importers.get(id);
    const noted = await this.#problems.get(id);
    const paths = [...pathsAfter(proposal), ...(noted?.others ?? [])];
    const own = await noted?.snapshot.changeSince(paths).catch(() => undefined);
    const others = await importers?.snapshot.changeSince(importers.paths).catch(() => undefined);
    const problems = own && others ? withProblemsOf(own, others) : own;
    this.#machine.send({ type: 'problemsCompared', id, problems });
  }

  // ---- Undo and redo ----------------------------------------------------------------------------------------------

  async undo(id: string): Promise<UndoResult> {
    const request = this.#machine.state.requests.get(id);
    const state = request?.approval.state;
    if (state === 'partly_applied') return this.settle(id, 'takeBack');
    const isPossible = request?.kind === 'changes' && request.approval.canUndo;
    if (!isPossible || (state !== 'applied' && state !== 'failed')) return { status: 'not_possible' };
    return this.#reverse(id, 'undo', appliedParts(request), false);
  }

  /**
   * Finishes a change that a crash left half done, or takes it back. Each file is compared with its texts from before and after
   * first: one that holds neither is named and left alone.
   */
  async settle(id: string, way: SettleWay): Promise<UndoResult> {
    const request = this.#halfDone(id);
    if (request === undefined) return { status: 'not_possible' };
    const { history } = this.#dependencies;
    const parts = await findParts(request, this.#dependencies);
    const kept = await keepFound(request.kept, parts, history);
    // The user may have decided meanwhile, on another page.
    if (this.#halfDone(id) === undefined) return { status: 'not_possible' };
    this.#machine.send({ type: 'contentsKept', id, kept });
    const from = way === 'finish' ? 'before' : 'after';
    const turned = parts.flatMap(({ index, found }) =>
      found === from && kept[index] ? [{ index, kept: kept[index] }] : [],
    );
    const settled = { way, parts, made: movesOf(parts.filter(({ found }) => found === 'after')) };
    return this.#reverse(id, way === 'finish' ? 'redo' : 'undo', turned, false, settled);
  }

  #halfDone(id: string): ChangeRequest | undefined {
    const request = this.#machine.state.requests.get(id);
    const isFree = request?.kind === 'changes' && request.pending === undefined;
    return isFree && request.approval.state === 'partly_applied' ? request : undefined;
  }

  async redo(id: string): Promise<UndoResult> {
    const request = this.#machine.state.requests.get(id);
    const isPossible = request?.kind === 'changes' && request.approval.state === 'undone' && request.approval.canRedo;
    return isPossible ? this.#reverse(id, 'redo', appliedParts(request), false) : { status: 'not_possible' };
  }

  /** Undoes some files of a change exactly. The others stay as they are. */
  async undoParts(id: string, parts: readonly Part[]): Promise<UndoResult> {
    const canUndo = this.#machine.state.requests.get(id)?.approval.canUndo === true;
    return canUndo ? this.#reverse(id, 'undo', parts, true) : { status: 'not_possible' };
  }

  /** Writes down first what it is about to do, as an apply does, so that a crash is found at the next start. */
  async #reverse(
    id: string,
    direction: PendingTurn['direction'],
    parts: readonly Part[],
    isPart: boolean,
    settled?: Settled,
  ): Promise<UndoResult> {
    this.#machine.send({ type: 'reversalBegan', id, reversal: { direction, files: parts.map(({ index }) => index) } });
    const reverseRecorded = async (): Promise<Reversal> => {
      try {
        await this.#records.written(id);
      } catch (error) {
        const message = `The history record could not be written, so nothing was changed: ${String(error)}`;
        return { result: { status: 'failed', message }, kept: this.#request(id).kept };
      }
      return direction === 'undo'
        ? undoApplied(this.#request(id), parts, this.#dependencies)
        : redoUndone(this.#request(id), parts, this.#dependencies, settled?.made);
    };
    const { result, kept } = await this.#records.track(reverseRecorded());
    const outcomes = settled && this.#settledOutcomes(id, settled, result);
    this.#machine.send({ type: 'reversalEnded', id, result, kept, isPart, ...(outcomes && { outcomes }) });
    return result;
  }

  /** Returns what the files of a half-done change are after it was settled, or could not be. */
  #settledOutcomes(id: string, { way, parts }: Settled, { status }: UndoResult): FileOutcome[] {
    const isFinished = way === 'finish' && status === 'redone';
    const now = parts.map((part) =>
      isFinished && part.found === 'before' ? { ...part, found: 'after' as const } : part,
    );
    return outcomesOf(this.#request(id), now);
  }

  #request(id: string) {
    const request = this.#machine.state.requests.get(id);
    if (request === undefined) throw new Error(`Approval ${id} was forgotten while it was carried out`);
    return request;
  }
}

/** How the user settles a half-done change, and what its files were found to be before. */
interface Settled {
  readonly way: SettleWay;
  readonly parts: readonly FoundPart[];
  readonly made: readonly Moved[];
}

/** Returns the real paths of the files of a change, as they are named after it. */
function pathsAfter(proposal: ChangesProposal): string[] {
  const moves = realMovesOf(proposal);
  return proposal.files.flatMap(({ kind, path }) => (kind === 'delete' ? [] : [addressAfter(path.realPath, moves)]));
}
