import * as z from 'zod';

/** What every tool that proposes takes besides what it does. */
export const proposalInput = {
  reason: z.string().max(1000).exactOptional().describe('Why, in one sentence; the user sees it'),
  replaces: z.string().min(1).max(100).exactOptional().describe('An approvalId of yours whose place this takes'),
};

/** The address of the file or folder that a tool changes. */
export const changedPath = z.string().min(1).max(4096);
