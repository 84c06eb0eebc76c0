/** What the runner of hand-written mutations asks of its lanes, and what they answer. */
import * as z from 'zod';

export const laneQuestion = z.object({
  /** Files whose text is another one than before. */
  changed: z.array(z.string()).readonly(),
  /** Test files to run until one fails. */
  tests: z.array(z.string()).readonly(),
});
export type LaneQuestion = z.input<typeof laneQuestion>;

export const laneAnswer = z.object({
  /** How many tests passed. */
  passed: z.int().min(0),
  /** Test files that failed. */
  failed: z.array(z.string()),
  /** Of the first failure. */
  message: z.string(),
  hasUnhandledErrors: z.boolean(),
});
export type LaneAnswer = z.infer<typeof laneAnswer>;
