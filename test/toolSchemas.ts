import * as prettier from 'prettier';
import { annotationsOf } from '#call/annotations.ts';
import { tools } from '#tools/index.ts';

/** Returns the tool definitions that clients get, as JSON by name; `test/toolSchemas.json` shows each change of them. */
export async function toolSchemas(): Promise<string> {
  const listed = tools.map((tool) => {
    const { name, title, description, toolset, risk, input, output } = tool;
    const annotations = annotationsOf(tool);
    return [
      name,
      { title, description, toolset, risk, annotations, input: input.jsonSchema, output: output.jsonSchema },
    ];
  });
  return prettier.format(JSON.stringify(Object.fromEntries(listed)), {
    ...(await prettier.resolveConfig('test/toolSchemas.json')),
    parser: 'json',
  });
}
