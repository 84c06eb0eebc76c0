import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { defineTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';

/** What became of a change that was still with the human when its call returned. */
export const getApproval = defineTool({
  name: 'get_approval',
  title: 'Get approval',
  summary: 'Tell what became of a change that was still with you when its call returned.',
  toolset: 'edit',
  risk: 'read',
  needs: ['tickets'],
  worksWithoutFolder: true,
  worksUntrusted: true,
  // Waits for the human as long as the client's profile says: a setting allows ten minutes.
  timeLimitSeconds: 630,
  description:
    "Wait for the user's decision on a call that answered pending_approval, and get its outcome. " +
    'May say pending_approval again: call again, or go on with other work.',
  input: inputFromZod(z.strictObject({ approvalId: z.string().min(1).max(100).describe('As that call gave it') })),
  output: changeOutcomeSchema,
  targets: () => [],
  async run({ approvalId }, { tickets }) {
    const outcome = await tickets.outcome(approvalId);
    if (outcome !== undefined) return outcome;
    throw new ToolError(
      'not_found',
      'No approval with this id was issued to this connection.',
      'Use the approvalId exactly as the change answered it; if that was long ago, read the file to see what it holds now.',
    );
  },
  render: renderOutcome,
});
