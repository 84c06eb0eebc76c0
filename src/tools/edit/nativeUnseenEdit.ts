import * as z from 'zod';
import { nativeUnseenTool } from '#base/nativeEdit.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';

/**
 * An edit that an assistant makes with a tool of its own, and that no card can show, because the file is secret, no text or too large.
 * The user approves or declines it without seeing it. Its text is neither read nor kept. No assistant is offered this tool.
 */
export const nativeUnseenEdit = defineProposingTool({
  name: nativeUnseenTool,
  title: 'Edit with its own tool, not shown',
  toolset: 'edit',
  risk: 'edit',
  isUnseen: true,
  needs: [],
  description: 'An edit that an assistant makes with a tool of its own, and that cannot be shown.',
  input: inputFromZod(
    z.strictObject({ tool: z.string(), call: z.string(), paths: z.array(z.string()).min(1), why: z.string() }),
  ),
  output: changeOutcomeSchema,
  targets: ({ paths }) => paths,
  reason: () => undefined,
  async propose({ call, why }, { targets }) {
    const paths = targets.map(({ path }) => path);
    return {
      kind: 'action',
      files: [],
      title: `Edit ${paths.join(', ')} without showing you the change`,
      definition: nativeUnseenTool,
      // Two calls that cannot be told apart by what is shown must not share a card.
      arguments: { paths, call },
      places: targets,
      remarks: [why],
    };
  },
  render: renderOutcome,
});
