/** Keeps what is redacted when a text is edited by its redacted form. */
import { anyMarker, type HiddenPiece } from '#audit/redactText.ts';
import { findSecrets } from '#audit/secretShapes.ts';
import { ToolError } from '#base/toolError.ts';
import { toLf, type LineText } from './lineText.ts';

/** A hidden piece that stays in the edited text. */
interface KeptPiece {
  readonly piece: HiddenPiece;
  /** Its offset in the edited text, which may have CRLF. */
  readonly at: number;
}

/** The text after edits, as it is put together, with the places of the hidden pieces that stay. */
export class TextAfter {
  readonly kept: KeptPiece[] = [];
  readonly #base: LineText;
  readonly #pieces: string[] = [];
  #length = 0;

  /** @param base is the text that is edited */
  constructor(base: LineText) {
    this.#base = base;
  }

  append(piece: string): void {
    if (piece === '') return;
    // CR at the end of one line and LF of an empty next line would become one line end.
    if (piece.startsWith('\n') && this.#pieces.at(-1)?.endsWith('\r') === true) this.#add('\r');
    this.#add(piece);
  }

  /** Appends an unchanged part of the base. @param range is the part in the base, with the end as an offset in its LF form */
  keep(part: string, { from, to }: { readonly from: number; readonly to: number }): void {
    const first = this.#length;
    this.append(part);
    const start = this.#length - part.length;
    if (part === '' || this.#length === first) return;
    for (const piece of this.#base.hidden) {
      if (piece.shownEnd > to) break;
      const at = this.#base.originalOffset(piece.shownStart);
      if (at >= from) this.kept.push({ piece, at: start + at - from });
    }
  }

  /** Appends the bytes of a hidden piece. */
  keepPiece(piece: HiddenPiece): void {
    this.append(this.#base.original.slice(piece.start, piece.end));
    this.kept.push({ piece, at: this.#length - (piece.end - piece.start) });
  }

  text(): string {
    return this.#pieces.join('');
  }

  #add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/** Splits a text at the markers that stand for something hidden in the base. */
export function partsOf(text: string, base: LineText): readonly (string | HiddenPiece)[] {
  if (base.hidden.length === 0 || !text.includes('[redacted:')) return [text];
  const pieces = new Map(base.hidden.map((piece) => [piece.marker, piece]));
  const parts: (string | HiddenPiece)[] = [];
  let at = 0;
  for (const { 0: marker, index } of text.matchAll(anyMarker)) {
    const piece = pieces.get(marker);
    if (piece === undefined) continue;
    parts.push(text.slice(at, index), piece);
    at = index + marker.length;
  }
  parts.push(text.slice(at));
  return parts;
}

/** Returns whether an offset of the text lies inside a marker. */
export function cutsMarker({ hidden }: LineText, offset: number): boolean {
  return hidden.some(({ shownStart, shownEnd }) => shownStart < offset && offset < shownEnd);
}

/** Returns what is hidden in ranges of the text. */
export function hiddenIn(
  { hidden }: LineText,
  ranges: readonly { readonly start: number; readonly end: number }[],
): ReadonlySet<HiddenPiece> {
  if (hidden.length === 0) return new Set();
  return new Set(
    hidden.filter(({ shownStart, shownEnd }) =>
      ranges.some(({ start, end }) => start <= shownStart && shownEnd <= end),
    ),
  );
}

/** A new text has a marker that no replaced text has. */
export function markerFromElsewhere(path: string, { marker }: HiddenPiece): ToolError {
  return new ToolError(
    'redacted_text',
    `${marker} stands in ${path}, but in none of the texts that this call replaces there; nothing was changed.`,
    'A marker keeps its secret where it is replaced: include its line in oldText, or leave the marker out.',
  );
}

/**
 * Checks that each secret that stays is recognized after the edits by the same text around it. Without this check, an edit of the
 * name before a secret would show it at the next read, and whether it does would tell what it is (threat row A30).
 * @param result may have CRLF
 * @throws ToolError `redacted_text`
 */
export function refuseShown(path: string, base: LineText, result: string, kept: readonly KeptPiece[]): void {
  if (kept.length === 0) return;
  const lf = toLf(result);
  const secrets = findSecrets(lf);
  let next = 0;
  for (const { piece, at } of lfOffsets(result, kept)) {
    const { type, contextStart, contextEnd } = piece.secret;
    while ((secrets[next]?.contextEnd ?? Infinity) <= at) next += 1;
    const found = secrets[next];
    const isHidden =
      found?.type === type &&
      at - found.contextStart === piece.start - contextStart &&
      lf.slice(found.contextStart, found.contextEnd) === base.original.slice(contextStart, contextEnd);
    if (!isHidden) throw shown(path, piece);
  }
}

/** Returns the pieces with their offsets in the text with LF, in order. */
function lfOffsets(result: string, kept: readonly KeptPiece[]): readonly KeptPiece[] {
  let [done, doneLf] = [0, 0];
  return kept
    .toSorted((a, b) => a.at - b.at)
    .map(({ piece, at }) => {
      doneLf += toLf(result.slice(done, at)).length;
      done = at;
      return { piece, at: doneLf };
    });
}

function shown(path: string, { marker }: HiddenPiece): ToolError {
  return new ToolError(
    'redacted_text',
    `This would leave the secret of ${marker} in ${path} without all of the text by which it is recognized; nothing was changed.`,
    'Keep the name, the scheme, or the BEGIN and END lines around the marker and all of its lines, or leave the secret out as a whole; or ask the user to change it.',
  );
}
