import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { SharedFile } from '../sharedFile.ts';

/** An access token as a human knows it; its secret exists nowhere here. Times in milliseconds since the epoch. */
export interface AccessToken {
  readonly name: string;
  readonly created: number;
  readonly lastUsed: number | undefined;
}

export interface AccessTokensOptions {
  /** The state folder of this user, absolute. */
  readonly home: string;
  readonly clock: Clock;
  /** A new secret, at least 256 random bits; whoever makes it also keeps it out of logs. */
  readonly makeSecret: () => string;
  readonly onError: (error: unknown) => void;
}

const mostTokens = 100;
const usedMilliseconds = 60_000;
const validName = /^[\w.-](?:[\w .-]{0,38}[\w.-])?$/;
/** Rules say `any` for every client, and principals `window` for those that know the window's own secret. */
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

/** What the server compares a presented token with. */
interface TokenHash {
  readonly name: string;
  readonly sha256: Buffer;
}

/**
 * The access tokens of this user, `~/.drawbridge/tokens.json`: every window accepts them, none keeps a secret (threat row
 * H12). While the file cannot be read no token is accepted; nothing counts as revoked for that.
 */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #file: SharedFile<StoredTokens>;
  readonly #subscription: Subscription;
  readonly #changed = new Emitter<void>();
  /** Made, used or revoked, in any window; or the file cannot be read. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #revoked = new Emitter<string>();
  /** A token of this name is gone, in whatever window that was done; a new one may have the name already. */
  readonly onDidRevoke: Event<string> = this.#revoked.event;
  #hashes: ReadonlyMap<string, TokenHash>;
  /** When this window last recorded the use of a token, by name; monotonic. */
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

  /** The file that they are in. */
  get path(): string {
    return this.#file.path;
  }

  /** In the order in which they were made. */
  get all(): readonly AccessToken[] {
    return this.#file.value.tokens.map(({ name, created, lastUsed }) => ({
      name,
      created: Date.parse(created),
      lastUsed: lastUsed === undefined ? undefined : Date.parse(lastUsed),
    }));
  }

  /** Why no token is accepted at all, for a human. */
  get problem(): string | undefined {
    return this.#file.problem;
  }

  /** What is accepted now, checked against the disk: a token that another window revoked is gone at once. */
  credentials(): readonly TokenHash[] {
    this.#file.latest();
    return this.#file.problem === undefined ? [...this.#hashes.values()] : [];
  }

  /** Whether the token that had this name at a time (milliseconds since the epoch) still may be there. */
  stillHas(name: string, time: number): boolean {
    if (this.#file.problem !== undefined) return true;
    return this.all.some((token) => token.name === name && token.created <= time);
  }

  /** Why a new token cannot have this name, for a human; undefined when it can. */
  nameProblem(name: string): string | undefined {
    return nameProblem(name, this.#file.value);
  }

  /**
   * Makes a token.
   * @returns its secret, which nobody can ask for again
   * @throws when it cannot have this name, or the file cannot be written
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

  /** @throws when the file cannot be written */
  async revoke(name: string): Promise<void> {
    await this.#file.update((now) => ({ ...now, tokens: now.tokens.filter((token) => token.name !== name) }));
  }

  /** A request came with this token; written down at most once a minute. */
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
  if (reservedNames.some(isSame)) return t('The name "{0}" has a meaning of its own. Take another one.', name);
  if (tokens.some((token) => isSame(token.name))) {
    return t('There is a token "{0}" already. Take another name, or revoke that token first.', name);
  }
  if (tokens.length >= mostTokens) return t('There are {0} tokens already. Revoke one first.', mostTokens);
  return undefined;
}

/** Not when any window wrote it down within the last minute. */
function withUse(stored: StoredTokens, name: string, now: number): StoredTokens {
  const token = stored.tokens.find((each) => each.name === name);
  const isRecent = token?.lastUsed !== undefined && Math.abs(now - Date.parse(token.lastUsed)) < usedMilliseconds;
  if (token === undefined || isRecent) return stored;
  const used = { ...token, lastUsed: new Date(now).toISOString() };
  return { ...stored, tokens: stored.tokens.map((each) => (each === token ? used : each)) };
}
