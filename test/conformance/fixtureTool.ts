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
  /** As the scenario calls it. */
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema<Input>;
  /** What it answers in words. */
  answer(input: Input, context: ToolContext<never>): string | Promise<string>;
  /** What it answers besides. */
  readonly besides?: Omit<Rendering, 'text'>;
}

export const noArguments = inputFromZod(z.strictObject({}));

const output = outputFromZod(z.object({ answer: z.string() }));

/** A tool as a scenario of the conformance suite wants it: it reads nothing and changes nothing. */
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
