import * as z from 'zod';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { reasonInput } from './proposalInput.ts';

/** The `revert_change` tool: proposes the undo of an applied change, with approval like any edit. */
export const revertChange = defineProposingTool({
  name: 'revert_change',
  title: 'Revert change',
  toolset: 'edit',
  risk: 'edit',
  timeLimitSeconds: 30,
  needs: ['changes'],
  description: 'Take back an applied change; later edits are kept, or the call fails and names the files.',
  example: { approvalId: 'a-1f2e3d4c5b6a' },
  input: inputFromZod(
    z.strictObject({
      approvalId: z.string().min(1).max(100).describe('Repeats the id of list_changes'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: () => [],
  reason: ({ reason }) => reason,
  propose: ({ approvalId }, { changes }) => changes.inverse(approvalId),
  render: renderOutcome,
});
