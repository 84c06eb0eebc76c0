import { InvalidArgumentsError } from '#base/toolError.ts';
import { problemsOf } from './jsonSchemaCheck.ts';
import type { InputSchema, JsonSchema } from './tool.ts';

/** The number of problems in one refusal; more do not help a model. */
const mostProblems = 5;

/**
 * Returns the input of a foreign tool from its JSON Schema, which clients are shown as it is. The arguments are checked and passed
 * on as they came, without defaults filled in.
 */
export function inputFromJsonSchema(schema: JsonSchema): InputSchema<unknown> {
  const rooted: JsonSchema = { ...schema, type: 'object' };
  return {
    jsonSchema: rooted,
    parse(value) {
      const problems = problemsOf(value, rooted);
      if (problems.length > 0) throw new InvalidArgumentsError(problems.slice(0, mostProblems).join('; '));
      return value;
    },
  };
}
