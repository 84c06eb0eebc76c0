import * as z from 'zod';
import { InputRequiredError, inputFromZod, type ClientRequest, type InputSchema, type Tool } from '#call/tool.ts';
import { elicit, sample, sampledAnswer } from './clientRequests.ts';
import { fixtureTool, noArguments } from './fixtureTool.ts';

const titles = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([value, title]) => ({ const: value, title }));

const defaults = {
  name: { type: 'string', description: 'User name', default: 'John Doe' },
  age: { type: 'integer', description: 'User age', default: 30 },
  score: { type: 'number', description: 'User score', default: 95.5 },
  status: {
    type: 'string',
    description: 'User status',
    enum: ['active', 'inactive', 'pending'],
    default: 'active',
  },
  verified: { type: 'boolean', description: 'Verification status', default: true },
};

const choices = {
  untitledSingle: { type: 'string', description: 'Select one option', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    description: 'Select one option with titles',
    oneOf: titles(['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option']),
  },
  legacyEnum: {
    type: 'string',
    description: 'Select one option (legacy)',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: {
    type: 'array',
    description: 'Select multiple options',
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  },
  titledMulti: {
    type: 'array',
    description: 'Select multiple options with titles',
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titles(['value1', 'First Choice'], ['value2', 'Second Choice'], ['value3', 'Third Choice']) },
  },
};

/** Asks the user once and returns the response as text, whatever it is. */
function formTool<Input>(
  name: string,
  description: string,
  input: InputSchema<Input>,
  request: (input: Input) => ClientRequest,
): Tool {
  return fixtureTool<Input>({
    name,
    description,
    input,
    answer(given, { clientInput }) {
      const response = clientInput.responses['form'];
      if (response === undefined) throw new InputRequiredError({ form: request(given) });
      return `Elicitation completed: ${JSON.stringify(response)}`;
    },
  });
}

/** Tools for the scenarios of the 2025 era, which send a request to the client during the call. */
export const elicitationTools: readonly Tool[] = [
  fixtureTool({
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    input: inputFromZod(z.strictObject({ prompt: z.string() })),
    answer({ prompt }, { clientInput }) {
      if (clientInput.responses['model'] === undefined) throw new InputRequiredError({ model: sample(prompt, 100) });
      return `LLM response: ${sampledAnswer(clientInput, 'model')}`;
    },
  }),
  formTool(
    'test_elicitation',
    'Asks the user a question.',
    inputFromZod(z.strictObject({ message: z.string() })),
    ({ message }) => elicit(message, { response: { type: 'string', description: "User's response" } }),
  ),
  formTool('test_elicitation_sep1034_defaults', 'Asks with default values (SEP-1034).', noArguments, () =>
    elicit('Please review the defaults', defaults, []),
  ),
  formTool('test_elicitation_sep1330_enums', 'Asks with choices of every form (SEP-1330).', noArguments, () =>
    elicit('Please choose', choices, []),
  ),
];
