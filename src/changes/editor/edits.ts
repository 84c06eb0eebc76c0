/** Applies approved changes to open documents and files: all of them or none. */
import { randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import * as vscode from 'vscode';
import type { FileChange, FileRestore } from '#base/proposal.ts';
import { ChangedSinceApproval } from '#files/changedSinceApproval.ts';
import { removeEmptyFolder } from '#files/folder.ts';
import { relativeTo } from '#policy/paths.ts';
import type { Step } from './apply/step.ts';
import type { ApplyOutcome, Edits } from '../edits.ts';
import { CreationStep } from './apply/creationStep.ts';
import { DeleteStep } from './apply/deleteStep.ts';
import { EditStep } from './apply/editStep.ts';
import { placesNow } from './apply/step.ts';
import { temporaryMark } from './apply/interruptedApplies.ts';
import { MoveStep, type Rewritten } from './apply/moveStep.ts';
import { watchChanges } from './apply/watchChanges.ts';

type Change = FileChange | FileRestore;

/** A part of a step that was carried out. */
interface Part {
  readonly step: Step;
  readonly putBack: () => Promise<void>;
}

/** Applies run one at a time: two that find the base of one file at the same time would both write it. */
const inTurn = pLimit(1);

/** Checks everything first, then changes every file, or none. */
export const edits: Edits = {
  apply(changes, recordId = randomBytes(12).toString('hex')) {
    return inTurn(() => applyAlone(changes, recordId));
  },

  async findStale(changes) {
    for (const step of stepsFor(changes, '')) {
      try {
        await step.check();
      } catch (error) {
        return { path: step.path, reason: reasonOf(error) };
      }
    }
    return undefined;
  },

  watch: watchChanges,
};

async function applyAlone(changes: readonly Change[], recordId: string): Promise<ApplyOutcome> {
  const steps = stepsFor(changes, recordId);
  const ordered = inOrder(changes, steps);
  let current: Step | undefined;
  try {
    // Edits are prepared last: the files that they stage must not be found in a folder that is moved.
    for (const step of ordered.toReversed()) await (current = step).prepare();
    const edited = ordered.filter((step) => step instanceof EditStep);
    for (const step of edited) await (current = step).recheck();
    for (let letGo; (letGo = edited.find(({ isLetGo }) => isLetGo)) !== undefined;) await (current = letGo).prepare();
    return await carryOut(changes, steps);
  } catch (error) {
    if (error instanceof ChangedSinceApproval && current !== undefined) return staleOutcome(current, error);
    return { status: 'failed', reason: reasonOf(error, current), states: steps.map(() => 'not_applied') };
  } finally {
    for (const step of steps) await step.close();
  }
}

function stepsFor(changes: readonly Change[], recordId: string): readonly Step[] {
  const rewritten = new Map<string, Rewritten>();
  return changes.map((change, index) => stepFor(change, rewritten, temporaryMark(recordId, index)));
}

function stepFor(change: Change, rewritten: Map<string, Rewritten>, mark: string): Step {
  switch (change.kind) {
    case 'edit':
      return new EditStep(change, rewritten, mark);
    case 'move':
      return new MoveStep(change, rewritten);
    case 'delete':
      return new DeleteStep(change, mark);
    case 'create':
    case 'restore':
      return new CreationStep(change, mark);
    default:
      return change satisfies never;
  }
}

/** Orders edits before moves, since they name files by their old paths, and the trash last, since it is the hardest to put back. */
function inOrder(changes: readonly Change[], steps: readonly Step[]): readonly Step[] {
  const rank = (change: Change | undefined): number => {
    if (change?.kind === 'delete') return change.toTrash ? 4 : 3;
    return change?.kind === 'edit' ? 0 : change?.kind === 'move' ? 2 : 1;
  };
  const ranks = new Map(steps.map((step, index) => [step, rank(changes[index])]));
  return steps.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
}

/** Carries out all steps, or puts back those that were done. */
async function carryOut(changes: readonly Change[], steps: readonly Step[]): Promise<ApplyOutcome> {
  const ordered = inOrder(changes, steps);
  const parts: Part[] = [];
  let [current] = ordered;
  try {
    await editDocuments(ordered, parts, (step) => (current = step));
    for (const step of ordered) {
      current = step;
      await step.carryOut((putBack) => void parts.push({ step, putBack }));
    }
  } catch (error) {
    const states = await putBackAll(steps, parts);
    if (error instanceof ChangedSinceApproval && current !== undefined && !states.includes('unknown')) {
      return staleOutcome(current, error);
    }
    return { status: 'failed', reason: reasonOf(error, current), states };
  }
  const placeNow = placesNow(changes);
  const files = await Promise.all(steps.map((step) => step.finish(placeNow)));
  await removeEmptied(changes);
  return { status: 'applied', files };
}

/** The check of every open document and the edit of all of them share one synchronous turn (threat row F6). */
async function editDocuments(steps: readonly Step[], parts: Part[], at: (step: Step) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const step of steps) {
    at(step);
    step.requireNow();
  }
  const documents = steps.filter((step) => step instanceof EditStep).filter((step) => step.addTo(edit));
  const [first] = documents;
  if (first === undefined) return;
  at(first);
  for (const step of documents) parts.push({ step, putBack: () => step.putBackDocument() });
  if (!(await vscode.workspace.applyEdit(edit))) throw new ChangedSinceApproval('the text was changed in the editor');
}

/** Puts the parts back, the last one first. */
async function putBackAll(
  steps: readonly Step[],
  parts: readonly Part[],
): Promise<Extract<ApplyOutcome, { status: 'failed' }>['states']> {
  const states = new Map<Step, 'rolled_back' | 'unknown'>();
  for (const { step, putBack } of parts.toReversed()) {
    const isBack = await putBack().then(
      () => true,
      () => false,
    );
    if (!isBack) states.set(step, 'unknown');
    else if (!states.has(step)) states.set(step, 'rolled_back');
  }
  return steps.map((step) => states.get(step) ?? 'not_applied');
}

/** Removes the folders that an undone change had made, when nothing is left in them. */
async function removeEmptied(changes: readonly Change[]): Promise<void> {
  const folders = changes.flatMap((change) => {
    const { folder } = change.path;
    const emptied = change.kind === 'delete' || change.kind === 'move' ? (change.emptiedFolders ?? []) : [];
    return emptied.filter((path) => (relativeTo(folder.realPath, path) ?? '') !== '');
  });
  for (const path of folders.toSorted((one, other) => other.length - one.length)) await removeEmptyFolder(path);
}

function staleOutcome({ path }: Step, { message }: ChangedSinceApproval): ApplyOutcome {
  return { status: 'stale', path, reason: message };
}

function reasonOf(error: unknown, step?: Step): string {
  const reason = error instanceof Error ? error.message : String(error);
  return step === undefined ? reason : `${step.path}: ${reason}`;
}
