import * as z from 'zod';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';

/** The `ask_user` tool: shows a question in the side bar. The answer approves nothing. */
export const askUser = defineProposingTool({
  name: 'ask_user',
  title: 'Ask user',
  summary: 'Ask you a question in the side bar; your answer does not approve any change.',
  toolset: 'editor',
  risk: 'ui',
  isOptional: true,
  worksWithoutFolder: true,
  worksUntrusted: true,
  needs: [],
  description:
    'Ask the user a question in the editor and wait for the answer. Give choices where you can; the answer is no approval ' +
    'of any change.',
  example: { question: 'Which of the two files is meant?', choices: ['src/a.ts', 'src/b.ts'] },
  input: inputFromZod(
    z.strictObject({
      question: z.string().min(1).max(2000).describe('Asks this, as plain text'),
      choices: z.array(z.string().min(1).max(200)).min(2).max(6).exactOptional().describe('Offers these answers'),
      allowText: z.boolean().default(true).describe('Lets the user write another answer'),
    }),
  ),
  output: changeOutcomeSchema,
  targets: () => [],
  reason: () => undefined,
  async propose({ question, choices = [], allowText }) {
    if (choices.length === 0 && !allowText) {
      throw new InvalidArgumentsError('allowText: must be true when there are no choices');
    }
    if (new Set(choices).size !== choices.length) throw new InvalidArgumentsError('choices: two choices are the same');
    return { kind: 'question', files: [], question, choices, allowsText: allowText };
  },
  render: renderOutcome,
});
