import * as z from 'zod';

/** The `reason` input field of every tool that proposes. */
export const reasonInput = z.string().max(1000).exactOptional().describe('Tells the user why');

/** The `replaces` input field of text edits; a change of the same lines replaces the earlier one without it. */
export const replacesInput = z
  .string()
  .min(1)
  .max(100)
  .exactOptional()
  .describe('Replaces your proposal of this approvalId');

/** The input schema of the path that a tool changes. */
export const changedPath = z.string().min(1).max(4096);
