/** A test runner for Stryker that imports the tests once: a mutant then costs milliseconds, and no process of its own. */
/* oxlint-disable unicorn/require-post-message-target-origin -- a channel between threads has no origin */
import { once } from 'node:events';
import path from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { channelName, type Question } from './questions.ts';
import { testFiles } from './groups.ts';

/** The used part of Stryker's options for a run. */
interface MutantRunOptions {
  readonly activeMutant: { readonly id: string };
  readonly testFilter?: string[];
  readonly hitLimit?: number;
}

class WarmRunner {
  readonly #channel = new BroadcastChannel(channelName);
  #vitest: Vitest | undefined;

  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    const ready = once(this.#channel, 'message');
    this.#vitest = await createVitest('test', {
      config: 'test/mutation/warm.config.ts',
      watch: false,
      pool: 'threads',
      maxWorkers: 1,
      testTimeout: 0,
      reporters: [{}],
    });
    this.#vitest.provide('mutationTests', testFiles());
    const ended = this.#vitest.start([path.resolve('test/mutation/worker.ts')]).then(({ testModules }) => {
      const errors = testModules.flatMap((module) =>
        [...module.children.allTests()].flatMap((test) => test.result().errors ?? []),
      );
      throw new Error(`The worker ended: ${errors.map(({ message }) => message).join('; ')}`);
    });
    await Promise.race([ready, ended]);
    // A later question waits for its answer until Stryker's time limit.
    ended.catch(() => {});
  }

  async dryRun(): Promise<unknown> {
    return this.#ask({ kind: 'dryRun' });
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRunOptions): Promise<unknown> {
    const tests = testFilter && { tests: testFilter };
    return this.#ask({ kind: 'mutantRun', mutant: activeMutant.id, ...tests, hasHitLimit: hitLimit !== undefined });
  }

  async dispose(): Promise<void> {
    this.#channel.postMessage({ kind: 'end' } satisfies Question);
    this.#channel.close();
    await this.#vitest?.close();
  }

  /** Sends one question at a time. */
  async #ask(question: Question): Promise<unknown> {
    const answer = once(this.#channel, 'message');
    this.#channel.postMessage(question);
    const [message] = await answer;
    return message instanceof MessageEvent ? message.data : undefined;
  }
}

function warmRunner(): WarmRunner {
  return new WarmRunner();
}
warmRunner.inject = [] as const;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'warm', factory: warmRunner }];
