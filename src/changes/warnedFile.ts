/** The warnings of a file of a change, and the places that must have been on screen before the change is approved (threat row A39). */
import { textsOf } from '#base/proposal.ts';
import { diffRows, type LineRow } from './diffRows.ts';
import type { Review } from './review.ts';
import { asProposed, currentText, reviewOfChange, type Choice, type ReviewedChange } from './selection.ts';
import { deletedSecrets, nameWarnings, warningsOf, type Warning } from './warnings.ts';

/** A place that a warning is about: a line of one side (1-based), or the name of the file. */
export type WarnedPlace = { readonly side: 'before' | 'after'; readonly line: number } | { readonly side: 'name' };

export interface WarnedFile {
  readonly warnings: readonly Warning[];
  /** Also those in hunks that the user left out. */
  readonly places: readonly WarnedPlace[];
}

interface Known extends WarnedFile {
  /** The text that the user typed; undefined for the proposed one. */
  readonly typed: string | undefined;
}

const known = new WeakMap<ReviewedChange, Known>();

/** Returns the warnings of a file. They are computed once for each text, whatever the user leaves out. */
export function warnedFile(reviewed: ReviewedChange, choice: Choice = asProposed): WarnedFile {
  const review = reviewOfChange(reviewed, choice);
  const typed = review?.edited ? choice.text : undefined;
  const last = known.get(reviewed);
  if (last !== undefined && last.typed === typed) return last;
  const warned = { typed, ...(review ? ofTexts(reviewed, choice, review) : ofName(reviewed)) };
  known.set(reviewed, warned);
  return warned;
}

/** Returns the places of a file that count now: those in hunks that would be applied. */
export function neededPlaces(reviewed: ReviewedChange, choice: Choice = asProposed): readonly WarnedPlace[] {
  if (!choice.included) return [];
  const { places } = warnedFile(reviewed, choice);
  const review = reviewOfChange(reviewed, choice);
  if (places.length === 0 || review === undefined) return places;
  const out = review.hunks.filter(({ included }) => !included);
  return places.filter((place) => place.side === 'name' || !out.some((hunk) => holds(hunk, place)));
}

function holds(
  hunk: Review['hunks'][number],
  { side, line }: { readonly side: 'before' | 'after'; readonly line: number },
) {
  const [start, lines] = side === 'before' ? [hunk.baseStart, hunk.baseLines] : [hunk.resultStart, hunk.resultLines];
  return line > start && line <= start + lines.length;
}

/** Returns what a place is remembered by: the user has not seen a line whose text is another one by now. */
export function placeKey(
  reviewed: ReviewedChange,
  choice: Choice | undefined,
  index: number,
  place: WarnedPlace,
): string {
  if (place.side === 'name') return `${index} name`;
  const { side, line } = place;
  const hunk = reviewOfChange(reviewed, choice)?.hunks.find((each) => holds(each, place));
  const text =
    side === 'before' ? hunk?.baseLines[line - 1 - hunk.baseStart] : hunk?.resultLines[line - 1 - hunk.resultStart];
  return `${index} ${side} ${line} ${text ?? ''}`;
}

function ofName({ change, sameLook }: ReviewedChange): WarnedFile {
  const names = change.kind === 'move' ? `${change.path.path}/${change.to.path}` : change.path.path;
  const warnings: Warning[] = [
    ...nameWarnings(names),
    ...(sameLook === undefined ? [] : [{ kind: 'same_look', name: sameLook } as const]),
  ];
  return { warnings, places: warnings.length === 0 ? [] : [{ side: 'name' }] };
}

function ofTexts(reviewed: ReviewedChange, choice: Choice, review: Review): WarnedFile {
  const { change } = reviewed;
  const name = ofName(reviewed);
  const base = textsOf(change)?.base ?? '';
  if (change.kind === 'delete') return name;
  const text = warningsOf(diffRows(base, review), {
    baseLineCount: base === '' ? 0 : base.split('\n').length,
    unifiedLineEnds: change.kind === 'edit' ? change.base.unifiedLineEnds : 0,
    deletedSecrets: deletedSecrets(base, currentText(change, { ...choice, included: true }) ?? ''),
  });
  return { warnings: [...name.warnings, ...text.warnings], places: [...name.places, ...text.lines.map(placeOf)] };
}

function placeOf({ kind, line }: LineRow): WarnedPlace {
  return { side: kind === 'removed' ? 'before' : 'after', line };
}
