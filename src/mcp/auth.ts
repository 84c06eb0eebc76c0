import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';

/** A secret that opens the door, kept only as its hash. */
export interface Credential {
  /** `window`, or the name of a token. */
  readonly name: string;
  readonly sha256: Buffer;
}

/** Who stands behind one HTTP request. */
export interface Caller {
  readonly credential: string;
  /** SHA-256 (hex) of the caller's own connection secret; absent when it sent none. */
  readonly connection: string | undefined;
}

/** 256 bits from the system's random source, base64url. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function credentialOf(name: string, secret: string): Credential {
  return { name, sha256: sha256(secret) };
}

/**
 * The credential that an `Authorization` header proves, or undefined. Every credential is compared in constant time, so
 * that neither the bytes nor the position of a match shows in the time taken (threat row H1).
 */
export function authenticate(header: string | undefined, credentials: readonly Credential[]): Credential | undefined {
  const token = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
  if (token === undefined) return undefined;
  const presented = sha256(token);
  let found: Credential | undefined;
  for (const credential of credentials) {
    if (timingSafeEqual(presented, credential.sha256)) found = credential;
  }
  return found;
}

/** Whether what a request has proved still lets it in. */
export function isStillValid(proved: Credential, credentials: readonly Credential[]): boolean {
  return credentials.some(({ name, sha256: known }) => name === proved.name && known.equals(proved.sha256));
}

/** Whether a `Drawbridge-Connection` header can be a secret at all: 128 bits or more, hex or base64url. */
export function isConnectionSecret(header: string): boolean {
  return /^[\w-]{22,128}$/.test(header);
}

/** The hash under which a connection's secret is known. */
export function connectionOf(secret: string): string {
  return sha256(secret).toString('hex');
}

/** How many wrong credentials a process bears before it answers slowly. */
export interface FailureLimits {
  readonly failures: number;
  readonly windowMilliseconds: number;
  readonly lockMilliseconds: number;
}

const defaultFailureLimits: FailureLimits = {
  failures: 10,
  windowMilliseconds: 60_000,
  lockMilliseconds: 60_000,
};

/** Counts failed authentications of all listeners of one process. Callers with a valid token never meet it. */
export class FailureGuard {
  readonly #clock: Clock;
  readonly #limits: FailureLimits;
  #times: number[] = [];
  #lockedUntil = 0;

  constructor(clock: Clock, limits: FailureLimits = defaultFailureLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Records one failure; true when it must be answered 429. */
  fail(): boolean {
    const now = this.#clock.monotonic();
    if (now < this.#lockedUntil) return true;
    this.#times = this.#times.filter((time) => now - time < this.#limits.windowMilliseconds);
    this.#times.push(now);
    if (this.#times.length <= this.#limits.failures) return false;
    this.#times = [];
    this.#lockedUntil = now + this.#limits.lockMilliseconds;
    return true;
  }
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
