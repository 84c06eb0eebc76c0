import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { SharedFile } from '../sharedFile.ts';

/** An access token as the user sees it, without its secret. Times are in milliseconds since the epoch. */
export interface AccessToken {
  readonly name: string;
  readonly created: number;
  readonly lastUsed: number | undefined;
}

/** The options of {@link AccessTokens}. */
export interface AccessTokensOptions {
  /** Absolute path of the state folder of this user. */
  readonly home: string;
  readonly clock: Clock;
  /** Returns a new secret of at least 256 random bits, and makes sure that logs redact it. */
  readonly makeSecret: () => string;
  readonly onError: (error: unknown) => void;
}

const mostTokens = 100;
/** The time of use of a token is recorded at most this often. */
const usedMilliseconds = 60_000;
const validName = /^[\w.-](?:[\w .-]{0,38}[\w.-])?$/;
/** Names with another meaning: `any` is every assistant in a rule, `window` the principal with the window's own secret. */
const reservedNames: readonly string[] = ['any', 'window'];

const storedToken = z.looseObject({
  name: z
    .string()
    .regex(validName)
    .refine((name) => !reservedNames.includes(name.toLowerCase()), 'this name is reserved'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created: z.iso.datetime(),
  lastUsed: z.iso.datetime().optional(),
});
const storedTokens = z.looseObject({
  version: z.literal(1),
  tokens: z
    .array(storedToken)
    .max(mostTokens)
    .refine((all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length, 'two have one name'),
});
type StoredTokens = z.infer<typeof storedTokens>;

/** The hash of a token, which the server compares with the hash of a presented one. */
interface TokenHash {
  readonly name: string;
  readonly sha256: Buffer;
}

/**
 * The access tokens of this user, kept in `~/.drawbridge/tokens.json`. Every window accepts them, and none keeps a secret (threat
 * row H12). While the file cannot be read, no token is accepted, but none counts as revoked either.
 */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #file: SharedFile<StoredTokens>;
  readonly #subscription: Subscription;
  readonly #changed = new Emitter<void>();
  /** Fires when a token was created, used or revoked in any window, and when the file becomes readable or unreadable. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #revoked = new Emitter<string>();
  /** Fires with the name of a token that was revoked in any window. A new token may already have that name. */
  readonly onDidRevoke: Event<string> = this.#revoked.event;
  #hashes: ReadonlyMap<string, TokenHash>;
  /** Monotonic time at which this window last recorded the use of a token, by name. */
  readonly #recorded = new Map<string, number>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
    this.#file = new SharedFile<StoredTokens>({
      home: options.home,
      name: 'tokens.json',
      parse: (value) => storedTokens.parse(value),
      empty: { version: 1, tokens: [] },
      onError: options.onError,
    });
    this.#hashes = hashesOf(this.#file.value);
    this.#subscription = this.#file.onDidChange(() => this.#take());
  }

  /** Absolute path of the file of tokens. */
  get path(): string {
    return this.#file.path;
  }

  /** All tokens, in the order of their creation. */
  get all(): readonly AccessToken[] {
    return this.#file.value.tokens.map(({ name, created, lastUsed }) => ({
      name,
      created: Date.parse(created),
      lastUsed: lastUsed === undefined ? undefined : Date.parse(lastUsed),
    }));
  }

  /** Why no token is accepted now, as a sentence for the user; undefined when the file can be read. */
  get problem(): string | undefined {
    return this.#file.problem;
  }

  /** Returns the hashes of all accepted tokens after checking the disk, so that a revocation by another window counts at once. */
  credentials(): readonly TokenHash[] {
    this.#file.latest();
    return this.#file.problem === undefined ? [...this.#hashes.values()] : [];
  }

  /** Returns true when the token that had this name at `time` (milliseconds since the epoch) may still exist. */
  stillHas(name: string, time: number): boolean {
    if (this.#file.problem !== undefined) return true;
    return this.all.some((token) => token.name === name && token.created <= time);
  }

  /** Returns why a new token cannot have this name, as a sentence for the user, or undefined when it can. */
  nameProblem(name: string): string | undefined {
    return nameProblem(name, this.#file.value);
  }

  /**
   * Creates a token.
   * @returns the secret, which is stored nowhere
   * @throws when the token cannot have this name, or the file cannot be written
   */
  async create(name: string): Promise<string> {
    const secret = this.#options.makeSecret();
    const sha256 = createHash('sha256').update(secret).digest('hex');
    const created = new Date(this.#options.clock.now()).toISOString();
    await this.#file.update((now) => {
      const problem = nameProblem(name, now);
      if (problem !== undefined) throw new Error(problem);
      return { ...now, tokens: [...now.tokens, { name, sha256, created }] };
    });
    return secret;
  }

  /**
   * Revokes a token.
   * @throws when the file cannot be written
   */
  async revoke(name: string): Promise<void> {
    await this.#file.update((now) => ({ ...now, tokens: now.tokens.filter((token) => token.name !== name) }));
  }

  /** Records that a request used this token, at most once a minute. */
  used(name: string): void {
    const { clock, onError } = this.#options;
    const recorded = this.#recorded.get(name);
    if (recorded !== undefined && clock.monotonic() - recorded < usedMilliseconds) return;
    this.#recorded.set(name, clock.monotonic());
    this.#file.update((now) => withUse(now, name, clock.now())).catch(onError);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#file.dispose();
  }

  #take(): void {
    const before = this.#hashes;
    if (this.#file.problem === undefined) this.#hashes = hashesOf(this.#file.value);
    const revoked = [...before.values()].filter(({ name, sha256 }) => !this.#hashes.get(name)?.sha256.equals(sha256));
    for (const { name } of revoked) {
      this.#recorded.delete(name);
      this.#revoked.fire(name);
    }
    this.#changed.fire();
  }
}

function hashesOf({ tokens }: StoredTokens): ReadonlyMap<string, TokenHash> {
  return new Map(tokens.map(({ name, sha256 }) => [name, { name, sha256: Buffer.from(sha256, 'hex') }]));
}

function nameProblem(name: string, { tokens }: StoredTokens): string | undefined {
  const { t } = vscode.l10n;
  const isSame = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  if (name === '') return t('Enter a name, for example that of the program that will use the token.');
  if (name.length > 40) return t('The name is longer than 40 characters.');
  if (!validName.test(name)) {
    return t('A name has letters without accents, digits, "_", ".", "-" and spaces between them.');
  }
  if (reservedNames.some(isSame)) return t('The name "{0}" is reserved. Choose another one.', name);
  if (tokens.some((token) => isSame(token.name))) {
    return t('There is a token "{0}" already. Choose another name, or revoke that token first.', name);
  }
  if (tokens.length >= mostTokens) return t('There are {0} tokens already. Revoke one first.', mostTokens);
  return undefined;
}

/** Returns the tokens with a new time of use, or unchanged when any window recorded one within the last minute. */
function withUse(stored: StoredTokens, name: string, now: number): StoredTokens {
  const token = stored.tokens.find((each) => each.name === name);
  const isRecent = token?.lastUsed !== undefined && Math.abs(now - Date.parse(token.lastUsed)) < usedMilliseconds;
  if (token === undefined || isRecent) return stored;
  const used = { ...token, lastUsed: new Date(now).toISOString() };
  return { ...stored, tokens: stored.tokens.map((each) => (each === token ? used : each)) };
}
