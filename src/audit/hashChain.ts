import { createHash, hash as hashOf } from 'node:crypto';

/** What the first line of a run has in the place of the hash of the line before it. */
export const chainStart = '0'.repeat(64);

const seal = /,"prev":"(?<prev>[0-9a-f]{64})","hash":"(?<hash>[0-9a-f]{64})"\}$/;
const sealLength = `,"prev":"${chainStart}","hash":"${chainStart}"}`.length;
const hashLength = `,"hash":"${chainStart}"}`.length;

export interface Seal {
  /** Hash of the line before. */
  readonly previous: string;
  readonly hash: string;
}

/**
 * A record with its place in the chain: `prev` is the hash of the line before, `hash`, the last member, is the SHA-256 of the
 * line as it is without that member. Who changes a line and leaves the rest is found by that line; who computes hashes anew
 * must do so up to the last line, which the window that writes them remembers (threat row A23).
 * @param json an object with at least one member
 */
export function sealLine(json: string, previous: string): { readonly line: string; readonly hash: string } {
  const withPrevious = `${json.slice(0, -1)},"prev":"${previous}"`;
  const hash = sha256(`${withPrevious}}`);
  return { line: `${withPrevious},"hash":"${hash}"}`, hash };
}

/** What a line says about its place; undefined when it has no such end. Says nothing about whether that is true. */
export function readSeal(line: Buffer): Seal | undefined {
  const { prev, hash } = seal.exec(line.toString('latin1', Math.max(0, line.length - sealLength)))?.groups ?? {};
  return prev === undefined || hash === undefined ? undefined : { previous: prev, hash };
}

/** Over bytes: what is not UTF-8 can look like something else once it is decoded. */
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
