import { defineCompletion } from '#call/completion.ts';
import { definePrompt, type Prompt, type PromptArgument, type PromptMessage } from '#call/prompt.ts';
import { InputRequiredError } from '#call/tool.ts';
import { elicit, textField } from './clientRequests.ts';
import { redPixel } from './media.ts';

const common = { judgedAs: 'test_simple_text', needs: [], targets: () => [], arguments: [] } as const;

const says = (text: string): PromptMessage => ({ role: 'user', content: { type: 'text', text } });

const values = ['test1', 'test2', 'other'];
const completion = defineCompletion({
  judgedAs: 'test_simple_text',
  needs: [],
  async complete(typed) {
    const fitting = values.filter((value) => value.startsWith(typed));
    return { values: fitting, total: fitting.length };
  },
});

function argument(name: string, description: string): PromptArgument {
  return { name, title: name, description, required: true, completion };
}

export const prompts: readonly Prompt[] = [
  definePrompt({
    ...common,
    name: 'test_simple_prompt',
    title: 'Simple',
    description: 'A prompt without arguments.',
    messages: async () => [says('This is a simple prompt for testing.')],
  }),
  definePrompt({
    ...common,
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'A prompt with two arguments.',
    arguments: [argument('arg1', 'First test argument'), argument('arg2', 'Second test argument')],
    messages: async ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }),
  definePrompt({
    ...common,
    name: 'test_prompt_with_embedded_resource',
    title: 'With a resource',
    description: 'A prompt that embeds a resource.',
    arguments: [argument('resourceUri', 'URI of the resource to embed')],
    messages: async ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          annotations: {},
        },
      },
      says('Please process the embedded resource above.'),
    ],
  }),
  definePrompt({
    ...common,
    name: 'test_prompt_with_image',
    title: 'With an image',
    description: 'A prompt that shows an image.',
    messages: async () => [
      { role: 'user', content: { type: 'image', data: redPixel, mimeType: 'image/png', annotations: {} } },
      says('Please analyze the image above.'),
    ],
  }),
  definePrompt({
    ...common,
    name: 'test_input_required_result_prompt',
    title: 'With a question',
    description: 'A prompt that asks the user first.',
    async messages(_given, { clientInput }) {
      const given = textField(clientInput, 'user_context', 'context');
      if (given === undefined) {
        const question = elicit('What context should the prompt use?', { context: { type: 'string' } });
        throw new InputRequiredError({ user_context: question });
      }
      return [says(`Use the following context: ${given}`)];
    },
  }),
];
