import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import type { Clock } from '#base/clock.ts';

/** A secret that authenticates requests. Only its hash is kept. */
export interface Credential {
  /** `window`, or the name of a token. */
  readonly name: string;
  readonly sha256: Buffer;
}

/** The authenticated sender of one HTTP request. */
export interface Caller {
  readonly credential: string;
  /** SHA-256 (hex) of the caller's connection secret; undefined when the caller sent none. */
  readonly connection: string | undefined;
  /** Real path of the folder in which the caller says that it works; undefined when something else says that it means this window. */
  readonly worksIn?: string | undefined;
}

/** Makes a secret of 256 bits from the system's random source, in base64url. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the credential of a secret: its name and the SHA-256 of the secret. */
export function credentialOf(name: string, secret: string): Credential {
  return { name, sha256: sha256(secret) };
}

/**
 * Returns the credential that an `Authorization` header proves, or undefined. Compares every credential in constant time,
 * so that the time taken shows neither the bytes nor the position of a match (threat row H1).
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

/** Returns whether a credential that a request proved earlier is still accepted. */
export function isStillValid(proved: Credential, credentials: readonly Credential[]): boolean {
  return credentials.some(({ name, sha256: known }) => name === proved.name && known.equals(proved.sha256));
}

/** Returns whether a `Drawbridge-Connection` header has the form of a secret: 128 bits or more, hex or base64url. */
export function isConnectionSecret(header: string): boolean {
  return /^[\w-]{22,128}$/.test(header);
}

/** Returns the SHA-256 (hex) that identifies a connection by its secret. */
export function connectionOf(secret: string): string {
  return sha256(secret).toString('hex');
}

/** Returns the path in a `Drawbridge-Folder` header, which is percent-encoded, without its dots; undefined when it is no absolute path. */
export function folderOf(header: string): string | undefined {
  try {
    const path = decodeURIComponent(header);
    return isAbsolute(path) && path.length <= maximumPath && !path.includes('\0') ? resolve(path) : undefined;
  } catch {
    return undefined;
  }
}

/** UTF-16 units. No system has longer paths. */
const maximumPath = 4096;

/** Limits of failed authentications: above `failures` in a window, wrong credentials are answered 429 for the lock time. */
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

/** Counts failed authentications of all listeners of one process. It never delays callers with a valid token. */
export class FailureGuard {
  readonly #clock: Clock;
  readonly #limits: FailureLimits;
  #times: number[] = [];
  #lockedUntil = 0;

  constructor(clock: Clock, limits: FailureLimits = defaultFailureLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Records one failure. Returns true when the request must be answered 429. */
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
