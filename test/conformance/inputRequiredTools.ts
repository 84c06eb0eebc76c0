import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { InputRequiredError, type ClientRequest, type Tool } from '#call/tool.ts';
import { elicit, fieldOf, listRoots, rootsOf, sample, sampledAnswer, textField } from './clientRequests.ts';
import { fixtureTool, noArguments } from './fixtureTool.ts';

const askName = elicit('What is your name?', { name: { type: 'string' } });
const askConfirmation = elicit('Please confirm', { ok: { type: 'boolean' } });

const firstRound = z.object({ round: z.literal(1) });
const secondRound = z.object({ round: z.literal(2), name: z.string() });

/** Returns the state of the tool from its earlier rounds; undefined in the first round. */
function roundOf(state: string | undefined): z.infer<typeof firstRound> | z.infer<typeof secondRound> | undefined {
  return state === undefined ? undefined : z.union([firstRound, secondRound]).parse(JSON.parse(state));
}

/** SEP-2322: the result holds a request to the client, and the client repeats the call with the response. */
export const inputRequiredTools: readonly Tool[] = [
  fixtureTool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name.',
    input: noArguments,
    answer(_input, { clientInput }) {
      const name = textField(clientInput, 'user_name', 'name');
      if (name === undefined) throw new InputRequiredError({ user_name: askName });
      return `Hello, ${name}!`;
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_sampling',
    description: 'Asks the model of the client.',
    input: noArguments,
    answer(_input, { clientInput }) {
      const answer = sampledAnswer(clientInput, 'capital_question');
      if (answer === undefined)
        throw new InputRequiredError({ capital_question: sample('What is the capital of France?', 100) });
      return `Sampling response: ${answer}`;
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the roots of the client.',
    input: noArguments,
    answer(_input, { clientInput }) {
      const roots = rootsOf(clientInput, 'client_roots');
      if (roots === undefined) throw new InputRequiredError({ client_roots: listRoots });
      return `The client has ${roots.length} root(s): ${roots.join(', ')}`;
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_request_state',
    description: 'Remembers something between two rounds.',
    input: noArguments,
    answer(_input, { clientInput }) {
      if (fieldOf(clientInput, 'confirm', 'ok') === undefined)
        throw new InputRequiredError({ confirm: askConfirmation }, 'remembered');
      if (clientInput.state !== 'remembered') throw new ToolError('internal', 'It was forgotten.', 'Start again.');
      return 'state-ok: what was remembered came back';
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks for three things at once.',
    input: noArguments,
    answer(_input, { clientInput }) {
      const name = textField(clientInput, 'user_name', 'name');
      const greeting = sampledAnswer(clientInput, 'greeting');
      const roots = rootsOf(clientInput, 'client_roots');
      if (name === undefined || greeting === undefined || roots === undefined) {
        const requests = { user_name: askName, greeting: sample('Generate a greeting', 50), client_roots: listRoots };
        throw new InputRequiredError(requests, 'asked');
      }
      return `${greeting} ${name}: ${roots.length} root(s)`;
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, one after the other.',
    input: noArguments,
    answer(_input, { clientInput }) {
      const state = roundOf(clientInput.state);
      if (state === undefined) throw new InputRequiredError({ step1: askName }, JSON.stringify({ round: 1 }));
      if (state.round === 1) {
        const name = textField(clientInput, 'step1', 'name') ?? 'unknown';
        const step2 = elicit('What is your favorite color?', { color: { type: 'string' } });
        throw new InputRequiredError({ step2 }, JSON.stringify({ round: 2, name }));
      }
      return `${state.name} likes ${textField(clientInput, 'step2', 'color') ?? 'no color'}`;
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_tampered_state',
    description: 'Remembers something that a client may not alter.',
    input: noArguments,
    answer(_input, { clientInput }) {
      if (clientInput.state === undefined || fieldOf(clientInput, 'confirm', 'ok') === undefined)
        throw new InputRequiredError({ confirm: askConfirmation }, 'sealed');
      return 'integrity-ok: the state was not altered';
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks for what the client can be asked for.',
    input: noArguments,
    answer(_input, { clientInput }) {
      if (Object.keys(clientInput.responses).length > 0) return 'The client has answered.';
      const every: Record<string, ClientRequest> = {
        user_name: askName,
        greeting: sample('Generate a short greeting', 50),
        client_roots: listRoots,
      };
      const possible = Object.entries(every).filter(([, { method }]) => clientInput.supported?.includes(method));
      if (possible.length === 0) return 'The client can be asked for nothing.';
      throw new InputRequiredError(Object.fromEntries(possible));
    },
  }),
  fixtureTool({
    name: 'test_missing_capability',
    description: 'Asks the model of the client, whether it has one or not.',
    input: noArguments,
    answer(_input, { clientInput }) {
      const answer = sampledAnswer(clientInput, 'llm_answer');
      if (answer === undefined)
        throw new InputRequiredError({ llm_answer: sample('Reply with the single word: pong', 16) });
      return answer;
    },
  }),
];
