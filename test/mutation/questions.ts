/** The messages of the runner to the worker thread, over the broadcast channel of this name. */
import { z } from 'zod';

export const channelName = 'mutation';

export const questionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('dryRun') }),
  z.object({
    kind: z.literal('mutantRun'),
    mutant: z.string(),
    /** Ids of the tests that reach the mutant; absent means all. */
    tests: z.array(z.string()).optional(),
    /** True when a mutant stops after far more hits than the original. */
    hasHitLimit: z.boolean(),
  }),
  z.object({ kind: z.literal('end') }),
]);
export type Question = z.infer<typeof questionSchema>;

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute paths of the test files. */
    readonly mutationTests: readonly string[];
  }
}
