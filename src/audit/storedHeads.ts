/** Keeps the end of each run in the secret storage, where a program that changes the files of the record cannot change it. */
import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { makePrivateFolder, type StateFolder } from '#home/stateFolder.ts';
import { parseAuditFileName, runOf } from './auditFiles.ts';
import type { ChainHead } from './chainedFiles.ts';
import type { FileAuditLog } from './fileAuditLog.ts';
import { runEnd, type RunEnd } from './runEnds.ts';

/** The two methods of the secret storage that are needed. */
export interface SecretValues {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
}

export interface StoredHeadsOptions {
  readonly storage: SecretValues;
  readonly state: Pick<StateFolder, 'home' | 'audit'>;
  /** Name of this machine: the secret storage of an editor also serves remote machines, which have records of their own. */
  readonly host: string;
  /** How long the lock stays after a change: other windows see what was stored a moment later. */
  readonly settleMilliseconds?: number;
}

/** The stored heads while this window holds the lock of the record. */
export interface HeldHeads {
  /** @throws when the secret storage cannot be read */
  read(): Promise<readonly RunEnd[]>;
  /** @throws when the secret storage cannot be written */
  write(heads: readonly RunEnd[]): Promise<void>;
}

/** Age after which the lock of a crashed window is taken over. A change takes less than a second. */
const staleMilliseconds = 5000;
/** Retries for about 20 seconds, which is longer than a stale lock lasts. */
const lockRetries = { retries: 220, factor: 1.2, minTimeout: 5, maxTimeout: 100, randomize: true };
/** How long to wait for the secret storage, which may ask the user to unlock a keyring. */
const longestWait = 10_000;

/** The heads of all runs whose files are there: one line per run that its file must contain. */
export class StoredHeads {
  readonly #options: StoredHeadsOptions;
  readonly #key: string;

  constructor(options: StoredHeadsOptions) {
    this.#options = options;
    const id = hash('sha256', JSON.stringify([options.host, options.state.audit]), 'hex');
    this.#key = `drawbridge.auditHeads.${id.slice(0, 16)}`;
  }

  /**
   * Runs `work` under the lock of the record: one window at a time changes the heads or removes files.
   * @throws when another window does not release the lock in time
   */
  async locked<T>(work: (held: HeldHeads) => Promise<T>): Promise<T> {
    const { state, settleMilliseconds = 300 } = this.#options;
    makePrivateFolder(state.home, state.audit);
    let isOvertaken = false;
    let hasWritten = false;
    const release = await lock(state.audit, {
      lockfilePath: join(state.audit, 'lock'),
      stale: staleMilliseconds,
      retries: lockRetries,
      onCompromised: () => (isOvertaken = true),
    }).catch((error: unknown) => {
      throw new Error('The audit record could not be locked. Try again.', { cause: error });
    });
    try {
      return await work({
        read: () => this.#read(),
        write: async (heads) => {
          if (isOvertaken) throw new Error('Another window took over the lock of the audit record.');
          hasWritten = true;
          await inTime(this.#options.storage.store(this.#key, JSON.stringify(heads)));
        },
      });
    } finally {
      if (hasWritten) await setTimeout(settleMilliseconds, undefined, { ref: false });
      if (!isOvertaken) await release().catch(() => undefined);
    }
  }

  async #read(): Promise<readonly RunEnd[]> {
    const text = await inTime(this.#options.storage.get(this.#key));
    return text === undefined ? [] : z.array(runEnd).parse(JSON.parse(text));
  }
}

async function inTime<T>(answer: PromiseLike<T>): Promise<T> {
  const abort = new AbortController();
  const tooLate = setTimeout(longestWait, undefined, { ref: false, signal: abort.signal }).then(() => {
    throw new Error('The secret storage does not answer.');
  });
  tooLate.catch(() => undefined);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    abort.abort();
  }
}

/** Returns the heads with that of a run, unless a later line of the run is there already. */
export function withHead(heads: readonly RunEnd[], head: ChainHead): readonly RunEnd[] {
  if (head.seq === 0) return heads;
  const run = runOf(head);
  const known = heads.find(({ auditFile }) => runOfFile(auditFile) === run);
  if (known !== undefined && known.seq >= head.seq) return heads;
  return [
    ...heads.filter((each) => each !== known),
    { auditFile: basename(head.path), seq: head.seq, hash: head.hash },
  ];
}

/** Returns the id of the run that wrote a file; undefined for another name. */
export function runOfFile(auditFile: string): string | undefined {
  const name = parseAuditFileName(auditFile);
  return name && runOf(name);
}

/** A head is stored after this many lines, and at the latest this long after a line. */
const mostUnstoredLines = 100;
const unstoredMilliseconds = 60_000;

export interface HeadKeeperOptions {
  readonly heads: StoredHeads;
  readonly fileAuditLog: Pick<FileAuditLog, 'head' | 'onDidWrite'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Stores the head of this run after its first line, now and then, and at its end; never within a call. */
export class HeadKeeper {
  readonly #options: HeadKeeperOptions;
  readonly #written: Subscription;
  #isNew = true;
  #unstored = 0;
  #timer: Subscription | undefined;
  #storing: Promise<void> | undefined;

  constructor(options: HeadKeeperOptions) {
    this.#options = options;
    this.#written = options.fileAuditLog.onDidWrite(() => {
      this.#unstored += 1;
      if (this.#isNew || this.#unstored >= mostUnstoredLines) void this.#store();
      else this.#storeLater();
      this.#isNew = false;
    });
  }

  /** Stores the last head. Lines that are written later are not counted. */
  async end(): Promise<void> {
    this.#written.dispose();
    await this.#storing;
    await this.#store();
    this.#timer?.dispose();
  }

  #storeLater(): void {
    this.#timer ??= this.#options.clock.after(unstoredMilliseconds, () => void this.#store());
  }

  #store(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#storing ??= this.#storeNow().finally(() => {
      this.#storing = undefined;
      if (this.#unstored > 0) this.#storeLater();
    });
    return this.#storing;
  }

  async #storeNow(): Promise<void> {
    const { heads, fileAuditLog, onError } = this.#options;
    if (this.#unstored === 0) return;
    try {
      await heads.locked(async (held) => {
        const counted = this.#unstored;
        const before = await held.read();
        const after = withHead(before, fileAuditLog.head);
        if (after !== before) await held.write(after);
        this.#unstored -= counted;
      });
    } catch (error) {
      // The lines stay counted, so that their head is stored a minute later even if no line follows.
      onError(error);
    }
  }
}
