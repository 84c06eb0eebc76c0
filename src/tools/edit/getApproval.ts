import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { defineTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';

/** The `get_approval` tool: waits for the decision on a call that returned `pending_approval`. */
export const getApproval = defineTool({
  name: 'get_approval',
  title: 'Get approval',
  summary: 'Wait for your decision on a change whose call returned before you decided.',
  toolset: 'edit',
  risk: 'read',
  needs: ['tickets'],
  worksWithoutFolder: true,
  worksUntrusted: true,
  // The call waits for the user as long as the profile of the client allows, at most ten minutes.
  timeLimitSeconds: 630,
  description:
    "Wait for the user's decision on a call that answered pending_approval, and get its outcome. " +
    'While it is pending, call again, or go on with other work.',
  example: { approvalId: 'a-1f2e3d4c5b6a' },
  input: inputFromZod(
    z.strictObject({ approvalId: z.string().min(1).max(100).describe('Repeats the id of that answer') }),
  ),
  output: changeOutcomeSchema,
  targets: () => [],
  async run({ approvalId }, { tickets }) {
    const outcome = await tickets.outcome(approvalId);
    if (outcome !== undefined) return outcome;
    throw new ToolError(
      'not_found',
      'This connection has no approval with this id.',
      'Use the approvalId exactly as the result of the change gave it; if that was long ago, read the file to see its current text.',
    );
  },
  render: renderOutcome,
});
