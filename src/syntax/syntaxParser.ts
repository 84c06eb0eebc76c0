import * as threads from 'node:worker_threads';
import type { CheckedLanguage, SyntaxLanguage, SyntaxTree } from '#base/syntaxTree.ts';
import type { ParseRequest, TreeBounds, WorkerMessage, WorkerStart } from './parseMessages.ts';

/** The places and bounds of a parser. */
export interface SyntaxParserOptions {
  /** Absolute path of the worker's program: `dist/syntaxWorker.cjs`. */
  readonly program: string;
  /** Absolute path of the folder with the runtime and the grammars: `dist/syntax`. */
  readonly folder: string;
  /** The longest text of which a tree is made, in UTF-16 code units. */
  readonly longestText?: number;
  readonly bounds?: TreeBounds;
  /** Milliseconds that one text may take. */
  readonly timeLimit?: number;
}

/** Parses texts in one worker thread, one text after the other. */
export interface SyntaxParser {
  /**
   * Returns the tree of a text. Returns undefined when the text or its tree is too large, when the time is up, when the signal
   * aborts or when the worker fails: the caller must treat such a text as one that it does not understand.
   */
  parse(language: SyntaxLanguage, text: string, signal?: AbortSignal): Promise<SyntaxTree | undefined>;
  /**
   * Returns the lines (1-based) on which a text has syntax errors. Returns undefined in the cases in which `parse` does, but for texts
   * of up to 1 MiB.
   */
  errors(language: CheckedLanguage, text: string, signal?: AbortSignal): Promise<readonly number[] | undefined>;
  /** Ends the worker. The next text starts another. */
  dispose(): void;
}

/** A command line of more than 64 KiB is no command that anybody reads on a card. */
const longestCommand = 64 * 1024;
const longestFile = 1024 * 1024;
const usualBounds: TreeBounds = { nodes: 100_000, depth: 400 };
const usualTimeLimit = 2_000;
/** Milliseconds for the start of the thread, which takes long only on a machine that is busy. */
const startLimit = 10_000;

/** Creates a parser that starts its worker with the first text. */
export function createSyntaxParser(options: SyntaxParserOptions): SyntaxParser {
  return new WorkerParser(options);
}

interface RunningWorker {
  readonly thread: threads.Worker;
  /** Resolves when the worker waits for texts; false when it failed. */
  readonly ready: Promise<boolean>;
  /** Receives what the worker sends next; undefined when it failed. */
  receive: ((message: WorkerMessage | undefined) => void) | undefined;
}

class WorkerParser implements SyntaxParser {
  readonly #options: SyntaxParserOptions;
  #worker: RunningWorker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SyntaxParserOptions) {
    this.#options = options;
  }

  parse(language: SyntaxLanguage, text: string, signal?: AbortSignal): Promise<SyntaxTree | undefined> {
    if (text.length > (this.#options.longestText ?? longestCommand)) return Promise.resolve(undefined);
    return this.#inTurn(
      { kind: 'tree', language, text },
      (answer) => (answer.kind === 'tree' ? answer.tree : undefined),
      signal,
    );
  }

  errors(language: CheckedLanguage, text: string, signal?: AbortSignal): Promise<readonly number[] | undefined> {
    if (text.length > longestFile) return Promise.resolve(undefined);
    return this.#inTurn(
      { kind: 'errors', language, text },
      (answer) => (answer.kind === 'errors' ? answer.lines : undefined),
      signal,
    );
  }

  #inTurn<Result>(
    request: ParseRequest,
    read: (answer: WorkerMessage) => Result | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Result | undefined> {
    const answered = this.#last.then(async () => {
      const answer = signal?.aborted ? undefined : await this.#parseNow(request);
      return answer && read(answer);
    });
    this.#last = answered;
    return signal ? unlessAborted(answered, signal) : answered;
  }

  dispose(): void {
    if (this.#worker) this.#end(this.#worker);
  }

  async #parseNow(request: ParseRequest): Promise<WorkerMessage | undefined> {
    const worker = (this.#worker ??= this.#start());
    if (!(await worker.ready) || this.#worker !== worker) return undefined;
    return this.#nextMessage(worker, this.#options.timeLimit ?? usualTimeLimit, () =>
      worker.thread.postMessage(request, []),
    );
  }

  #start(): RunningWorker {
    const { folder, bounds = usualBounds } = this.#options;
    const start: WorkerStart = { folder, bounds };
    const thread = new threads.Worker(this.#options.program, {
      workerData: start,
      // The worker needs nothing of the extension host, whose environment may hold secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const worker: RunningWorker = { thread, ready, receive: undefined };
    thread.on('message', (message: WorkerMessage) => worker.receive?.(message));
    for (const event of ['error', 'messageerror', 'exit']) thread.on(event, () => this.#end(worker));
    // A listener for messages keeps the process alive, so this comes after it.
    thread.unref();
    void this.#nextMessage(worker, startLimit, () => {}).then((message) => resolve(message?.kind === 'ready'));
    return worker;
  }

  /** Resolves with what the worker sends next. Ends the worker and resolves with undefined when it needs too long. */
  #nextMessage(worker: RunningWorker, limit: number, ask: () => void): Promise<WorkerMessage | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end(worker), limit).unref();
      worker.receive = (message) => {
        clearTimeout(timer);
        worker.receive = undefined;
        resolve(message);
      };
      ask();
    });
  }

  #end(worker: RunningWorker): void {
    if (this.#worker === worker) this.#worker = undefined;
    worker.receive?.(undefined);
    void worker.thread.terminate();
  }
}

async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
