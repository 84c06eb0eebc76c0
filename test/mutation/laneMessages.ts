/** The messages between the runner of hand-written mutations and its lanes. */
import * as z from 'zod';

export const laneQuestion = z.object({
  /** Files whose text changed. */
  changed: z.array(z.string()).readonly(),
  /** Test files to run until one fails. */
  tests: z.array(z.string()).readonly(),
});
export type LaneQuestion = z.input<typeof laneQuestion>;

export const laneAnswer = z.object({
  /** The number of passed tests. */
  passed: z.int().min(0),
  /** Test files that failed. */
  failed: z.array(z.string()),
  /** The message of the first failure. */
  message: z.string(),
  hasUnhandledErrors: z.boolean(),
});
export type LaneAnswer = z.infer<typeof laneAnswer>;
