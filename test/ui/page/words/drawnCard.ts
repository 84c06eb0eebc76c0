import { chunkOf } from '#ui/approvals/cardRows.ts';
import { Drawings, type Drawing } from '#ui/approvals/drawings.ts';
import { pageApproval, type Surroundings } from '#ui/approvals/pageData.ts';
import type { Approval } from '#changes/approval.ts';
import type { FileFacts, PageApproval, PageRow } from '#ui/page/messages.ts';
import { cardOf } from '#ui/page/words/cardText.ts';
import { hunkHeader, rowLabel } from '#ui/page/words/rowText.ts';
import { english } from '#ui/page/words/translate.ts';
import type { Card } from '#ui/page/words/view.ts';
import { FakeApprovals, type FakeRequest } from '../../../fakes/approvals.ts';

export const t = english;

export const context = { t, place: 'sideBar' } as const;

const surroundings: Surroundings = {
  ownSelection: false,
  watchingTasks: [],
  notes: [],
  hasSuccessor: false,
  isElsewhere: false,
  unseen: { named: [], total: 0 },
};

/** Returns an approval as the page gets it. */
export function dataOf(
  approval: Approval,
  drawing?: Drawing,
  facts: Partial<Surroundings> = {},
  found: readonly FileFacts[] = [],
): PageApproval {
  return pageApproval(approval, drawing, found, { ...surroundings, ...facts });
}

/** Returns the card of an approval of which nothing is drawn: a finished one, or one whose texts cannot be read. */
export function undrawnCard(request: FakeRequest, facts: Partial<Surroundings> = {}): Card {
  return cardOf(dataOf(new FakeApprovals().add(request), undefined, facts), context);
}

/** A card with its rows. */
export interface Drawn {
  readonly card: Card;
  readonly page: PageApproval;
  /** The rows of each file. */
  readonly rows: readonly (readonly PageRow[])[];
  /** The rows of the arguments of an action. */
  readonly arguments: readonly PageRow[];
}

/** Returns the card of a waiting approval after an act of the user, with its rows. */
export async function drawn(
  request: FakeRequest,
  act?: (approvals: FakeApprovals, id: string) => void,
  found: readonly FileFacts[] = [],
): Promise<Drawn> {
  const approvals = new FakeApprovals();
  const { id } = approvals.add(request);
  act?.(approvals, id);
  const current = await new Drawings(approvals).current(id);
  if (!current) throw new Error('No approval');
  const { approval, drawing } = current;
  const unseen = approvals.unseenPlaces(id);
  const page = dataOf(approval, drawing, { unseen: { named: unseen.slice(0, 3), total: unseen.length } }, found);
  return {
    card: cardOf(page, context),
    page,
    rows: drawing?.files.map((file) => chunkOf(file, 0)) ?? [],
    arguments: drawing?.arguments ? chunkOf(drawing.arguments, 0) : [],
  };
}

/** Returns the card of a waiting approval after an act of the user. */
export async function drawnCard(
  request: FakeRequest,
  act?: (approvals: FakeApprovals, id: string) => void,
  found: readonly FileFacts[] = [],
): Promise<Card> {
  return (await drawn(request, act, found)).card;
}

/** Returns the words of the headers of all hunks. */
export function headersOf({ card, page, rows }: Drawn): readonly ReturnType<typeof hunkHeader>[] {
  return rows.flatMap((own, index) =>
    own.flatMap((row) => {
      const [file, state] = [card.files[index], page.drawing?.files[index]];
      return row.kind === 'hunk' && file && state ? [hunkHeader(row, file, state, t)] : [];
    }),
  );
}

/** Returns the kind and the label of a row. */
export function labelOf(row: PageRow): string {
  const isLine = row.kind === 'added' || row.kind === 'removed' || row.kind === 'context';
  return `${row.kind} ${isLine ? rowLabel(row, t) : ''}`;
}

/** Returns the parts of a row that has a text. */
export function partsOf(row: PageRow | undefined): readonly { readonly text: string; readonly escaped?: true }[] {
  return row && 'parts' in row ? row.parts : [];
}
