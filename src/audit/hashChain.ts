/** Seals and checks lines that form a hash chain, so that a later change of the record is found. */
import { createHash, hash as hashOf } from 'node:crypto';

/** The first line of a run carries this value as its `prev`, because no line stands before it. */
export const chainStart = '0'.repeat(64);

const seal = /,"prev":"(?<prev>[0-9a-f]{64})","hash":"(?<hash>[0-9a-f]{64})"\}$/;
const sealLength = `,"prev":"${chainStart}","hash":"${chainStart}"}`.length;
const hashLength = `,"hash":"${chainStart}"}`.length;

export interface Seal {
  /** SHA-256 of the previous line. */
  readonly previous: string;
  readonly hash: string;
}

/**
 * Adds a record to the chain: `prev` is the hash of the previous line, and `hash`, the last member, is the SHA-256 of the line
 * without that member. A changed line no longer matches its hash. An attacker who recomputes the hashes must do so up to the
 * last line, and the window that writes the chain remembers the hash of that line (threat row A23).
 * @param json a JSON object with at least one member
 */
export function sealLine(json: string, previous: string): { readonly line: string; readonly hash: string } {
  const withPrevious = `${json.slice(0, -1)},"prev":"${previous}"`;
  const hash = sha256(`${withPrevious}}`);
  return { line: `${withPrevious},"hash":"${hash}"}`, hash };
}

/** Reads `prev` and `hash` from the end of a line, without checking them. Returns undefined when the line has no seal. */
export function readSeal(line: Buffer): Seal | undefined {
  const { prev, hash } = seal.exec(line.toString('latin1', Math.max(0, line.length - sealLength)))?.groups ?? {};
  return prev === undefined || hash === undefined ? undefined : { previous: prev, hash };
}

/** Reads `seq` from the beginning of a line of version 2; undefined for any other line. */
export function sequenceOf(line: Buffer): number | undefined {
  const digits = /^\{"v":2,"seq":(\d{1,15}),/.exec(line.toString('latin1', 0, 40))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Checks the hash of a line over its bytes: decoding would replace invalid UTF-8, so that two lines could look equal. */
export function isSealIntact(line: Buffer, { hash }: Seal): boolean {
  return (
    createHash('sha256')
      .update(line.subarray(0, line.length - hashLength))
      .update('}')
      .digest('hex') === hash
  );
}

function sha256(text: string): string {
  return hashOf('sha256', text, 'hex');
}
