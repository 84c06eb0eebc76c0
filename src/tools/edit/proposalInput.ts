import * as z from 'zod';

/** What every tool that proposes takes besides what it does. */
export const reasonInput = z.string().max(1000).exactOptional().describe('Why; the user sees it');

/** Besides, for texts: a change of the same lines takes the place of the one before it without it. */
export const replacesInput = z
  .string()
  .min(1)
  .max(100)
  .exactOptional()
  .describe('An approvalId of yours whose place this takes');

/** The address of the file or folder that a tool changes. */
export const changedPath = z.string().min(1).max(4096);
