import * as z from 'zod';
import {
  defineTool,
  inputFromZod,
  outputFromZod,
  type InputSchema,
  type Rendering,
  type Tool,
  type ToolContext,
} from '#call/tool.ts';

interface FixtureTool<Input> {
  /** The name that the scenario calls. */
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema<Input>;
  /** The text of the result. */
  answer(input: Input, context: ToolContext<never>): string | Promise<string>;
  /** Further content of the result. */
  readonly besides?: Omit<Rendering, 'text'>;
}

export const noArguments = inputFromZod(z.strictObject({}));

const output = outputFromZod(z.object({ answer: z.string() }));

/** Returns a tool for a scenario of the conformance suite, which reads nothing and changes nothing. */
export function fixtureTool<Input>(fixture: FixtureTool<Input>): Tool {
  const { name, description, input, besides } = fixture;
  return defineTool<Input, { answer: string }, never>({
    name,
    title: name,
    description,
    toolset: 'workspace',
    risk: 'read',
    needs: [],
    input,
    output,
    targets: () => [],
    run: async (given, context) => ({ answer: await fixture.answer(given, context) }),
    render: ({ answer }) => ({ text: answer, ...besides }),
  });
}
