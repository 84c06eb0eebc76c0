import { createHmac, randomBytes } from 'node:crypto';
import { findSecrets, markerOf, redactionsIn, redactPart } from './secretShapes.ts';

/** As long as the window runs, equal secrets have equal markers; nobody who sees one can try out guesses. */
const key = randomBytes(32);

/** Fingerprints that were given out, so that a marker of ours can be told from a text that looks like one. */
const given = new Set<string>();
const maximumGiven = 20_000;

function fingerprint(secret: string): string {
  const digits = createHmac('sha256', key).update(secret).digest('hex').slice(0, 8);
  if (given.size >= maximumGiven) given.clear();
  given.add(digits);
  return digits;
}

/** A text as a model may see it: secrets by their shape are markers (threat row A8). */
export interface RedactedText {
  /** All of it, with as many lines as before. */
  readonly text: string;
  /** The part between two offsets of the original text. It may begin or end within a secret. */
  part(start: number, end: number): string;
}

/**
 * Redacts a whole text. To be asked before a text is cut: a part of a secret has no shape any more. What is redacted stays
 * as it is.
 */
export function redactText(text: string): RedactedText {
  const secrets = findSecrets(text);
  const part = (start: number, end: number): string => redactPart(text, secrets, fingerprint, { start, end });
  return { text: secrets.length === 0 ? text : part(0, text.length), part };
}

/** The marker for a piece of text that may belong to a secret. */
export function markerOfPiece(piece: string): string {
  return markerOf('unknown', fingerprint(piece));
}

/** The markers in a text that {@link redactText} has put into one. */
export function ownRedactionsIn(text: string): readonly string[] {
  return redactionsIn(text).filter((marker) => given.has(marker.slice(-9, -1)));
}

/** Whether a text has a marker that stands for a hidden secret: one that the other text does not really hold. */
export function hidesSecret(text: string, base: string): boolean {
  return redactionsIn(text).some((marker) => !base.includes(marker));
}
