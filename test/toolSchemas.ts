import * as prettier from 'prettier';
import { annotationsOf } from '#call/annotations.ts';
import { tools } from '#tools/index.ts';

/** What clients are told of each tool, as JSON by name: a change of it shows in the difference of `test/toolSchemas.json`. */
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
