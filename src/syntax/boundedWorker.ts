import * as threads from 'node:worker_threads';

export interface BoundedWorkerOptions {
  /** Absolute path of the worker's program. Its first message says that it is ready; then it answers requests in their order. */
  readonly program: string;
  /** The data with which the worker starts. */
  readonly data: unknown;
  /** Milliseconds that one request may take. */
  readonly timeLimit: number;
}

/** Milliseconds for the start of the thread, which takes long only on a machine that is busy. */
const startLimit = 10_000;

interface RunningWorker<Answer> {
  readonly thread: threads.Worker;
  /** Resolves when the worker waits for requests; false when it failed. */
  readonly ready: Promise<boolean>;
  /** Receives what the worker sends next; undefined when it failed. */
  receive: ((message: Answer | undefined) => void) | undefined;
}

/**
 * One worker thread that gets one request after the other. It starts with the first request, and is ended when it needs too long,
 * so that no text can hold up the extension host. The next request starts another.
 */
export class BoundedWorker<Request, Answer> {
  readonly #options: BoundedWorkerOptions;
  #worker: RunningWorker<Answer> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: BoundedWorkerOptions) {
    this.#options = options;
  }

  /** Returns undefined when the time is up, when the signal aborts or when the worker fails. */
  ask(request: Request, signal?: AbortSignal, timeLimit = this.#options.timeLimit): Promise<Answer | undefined> {
    const answered = this.#last.then(() => (signal?.aborted ? undefined : this.#askNow(request, timeLimit)));
    this.#last = answered;
    return signal ? unlessAborted(answered, signal) : answered;
  }

  /** Ends the worker. The next request starts another. */
  dispose(): void {
    if (this.#worker) this.#end(this.#worker);
  }

  async #askNow(request: Request, timeLimit: number): Promise<Answer | undefined> {
    const worker = (this.#worker ??= this.#start());
    if (!(await worker.ready) || this.#worker !== worker) return undefined;
    return this.#nextMessage(worker, timeLimit, () => worker.thread.postMessage(request, []));
  }

  #start(): RunningWorker<Answer> {
    const thread = new threads.Worker(this.#options.program, {
      workerData: this.#options.data,
      // The worker needs nothing of the extension host, whose environment may hold secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const worker: RunningWorker<Answer> = { thread, ready, receive: undefined };
    thread.on('message', (message: Answer) => worker.receive?.(message));
    for (const event of ['error', 'messageerror', 'exit']) thread.on(event, () => this.#end(worker));
    // A listener for messages keeps the process alive, so this comes after it.
    thread.unref();
    void this.#nextMessage(worker, startLimit, () => {}).then((message) => resolve(message !== undefined));
    return worker;
  }

  /** Resolves with what the worker sends next. Ends the worker and resolves with undefined when it needs too long. */
  #nextMessage(worker: RunningWorker<Answer>, limit: number, ask: () => void): Promise<Answer | undefined> {
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

  #end(worker: RunningWorker<Answer>): void {
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
