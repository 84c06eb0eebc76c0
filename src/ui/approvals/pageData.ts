import { createHash } from 'node:crypto';
import { hiddenCharacters } from '#base/visibleText.ts';
import { isNativeTool } from '#base/nativeEdit.ts';
import type { Approval, ApprovalAction, WaitingRead } from '#changes/approval.ts';
import { sameChanges } from '#changes/sameChanges.ts';
import { classifyNames } from '#policy/nameRules.ts';
import { dangerOf } from '#policy/protectedRows.ts';
import type { Mode } from '#policy/rules.ts';
import type { FileFacts, PageApproval, PageDrawing, PageFile, PageGroup, PageRead } from '#ui/page/messages.ts';
import { joinsBatch } from '#ui/page/words/groupText.ts';
import * as z from 'zod';
import type { Drawing, Drawings, FileChanges } from './drawings.ts';

/** Characters of the arguments and of the output that the page gets. */
const [shownArguments, shownOutput] = [4000, 20_000];

const nativeArguments = z.object({ tool: z.string() });

/** What the page shows of an approval besides the approval itself. */
export type Surroundings = Pick<
  PageApproval,
  'ownSelection' | 'rules' | 'savedRule' | 'watchingTasks' | 'notes' | 'hasSuccessor' | 'isElsewhere' | 'unseen'
>;

/** Returns an approval as the page gets it. */
export function pageApproval(
  approval: Approval,
  drawing: Drawing | undefined,
  facts: readonly FileFacts[],
  surroundings: Surroundings,
): PageApproval {
  const { arguments: given, output, roots: _, displayedAt: __, ...shown } = approval;
  const ownTool = isNativeTool(approval.tool) ? nativeArguments.safeParse(given).data?.tool : undefined;
  return {
    ...surroundings,
    approval: shown,
    ...(drawing && { drawing: pageDrawing(approval, drawing, facts) }),
    arguments: cut(JSON.stringify(given, undefined, 2) ?? '', shownArguments),
    ...(ownTool !== undefined && { ownTool }),
    ...(output !== undefined && { output: cut(output, shownOutput) }),
    hiddenInAction: approval.action ? hiddenInAction(approval.action) : [],
  };
}

/** Returns a read as the page gets it. */
export function pageRead(read: WaitingRead): PageRead {
  const { id, tool, client, paths, reason, explain, requestedAt, expiresAt } = read;
  const shown = { id, tool, client, paths, reason, explain, requestedAt, expiresAt };
  return { ...shown, proposalHash: readHash(read), secret: paths.filter(isSecret) };
}

/** Returns the hash that stands for what a read card shows. */
export function readHash({ id, paths }: Pick<WaitingRead, 'id' | 'paths'>): string {
  return createHash('sha256')
    .update(JSON.stringify([id, paths]))
    .digest('hex');
}

/**
 * Returns the groups of approvals that arrived together and still wait, two or more of each.
 * @param isWarned returns whether an approval has a warning, so that it is approved by itself alone (threat row A41)
 */
export function groupsOf(open: readonly Approval[], isWarned: (id: string) => boolean): PageGroup[] {
  const isTogether = (approval: Approval): boolean => joinsBatch(approval) && !isWarned(approval.id);
  const groups = Map.groupBy(open, ({ groupId }) => groupId);
  return [...groups].flatMap(([id, members]) =>
    members.length < 2
      ? []
      : [{ id, ids: members.map((each) => each.id), batch: members.filter(isTogether).map((each) => each.id) }],
  );
}

/**
 * Returns the ids of waiting edits that asked only because of an earlier mode, and that this mode would apply. One with a warning,
 * or whose text is not known yet, keeps waiting.
 */
export function allowedByMode(
  open: readonly Approval[],
  mode: Mode,
  drawings: Pick<Drawings, 'last'>,
  isWarned: (id: string) => boolean,
): string[] {
  if (mode !== 'acceptEdits' && mode !== 'unattended') return [];
  const isClean = ({ id }: Approval): boolean => drawings.last(id) !== undefined && !isWarned(id);
  return open
    .filter((approval) => joinsBatch(approval) && approval.risk === 'edit' && isClean(approval))
    .filter(({ judgement }) => judgement.explain.at(-1)?.step === 'default' && !judgement.onceOnly)
    .map(({ id }) => id);
}

function isSecret(path: string): boolean {
  return classifyNames(`/${path}`).class === 'secret';
}

function pageDrawing(
  approval: Approval,
  { number, files, arguments: given }: Drawing,
  facts: readonly FileFacts[],
): PageDrawing {
  const same = sameAs(approval, files);
  return {
    number,
    files: files.map((file, index) => pageFile(file, approval.files[index]?.protectedBy, same[index], facts[index])),
    ...(given && { argumentRows: given.segments.length }),
  };
}

function pageFile(
  { hunks, canSelect, warnings, segments, baseLines, namePart }: FileChanges,
  protectedBy: string | undefined,
  same: number | undefined,
  facts: FileFacts | undefined,
): PageFile {
  const danger = protectedBy === undefined ? undefined : dangerOf(protectedBy);
  const headers = segments.flatMap(({ row }, index) => (row.kind === 'hunk' ? [index] : []));
  return {
    hunks: hunks.map(({ included, origin, linked }, index) => ({
      included,
      origin,
      linked,
      row: headers[index] ?? 0,
    })),
    canSelect,
    warnings,
    ...facts,
    ...(danger !== undefined && { danger }),
    ...(namePart !== undefined && { part: namePart }),
    rows: segments.length,
    baseLines,
    ...(same !== undefined && { sameAs: same }),
  };
}

/** Returns for each file the index of the first file that has the same change. Only plain edits are the same as others. */
function sameAs({ files }: Approval, changes: readonly FileChanges[]): readonly (number | undefined)[] {
  return sameChanges(
    changes.map(({ hunks }, index) => {
      const file = files[index];
      const isPlain =
        file?.change === 'edit' && !file.overwrites && !file.edited && file.protectedBy === undefined && !file.viaLink;
      return isPlain && hunks.every(({ included }) => included) ? hunks : [];
    }),
  );
}

function hiddenInAction({ arguments: given, definition, paths }: ApprovalAction): string[] {
  return hiddenCharacters([JSON.stringify(given) ?? '', definition, ...paths].join('\n'));
}

function cut(text: string, length: number): { readonly text: string; readonly left: number } {
  return { text: text.slice(0, length), left: Math.max(0, text.length - length) };
}
