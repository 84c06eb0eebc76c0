import { InvalidArgumentsError } from '#base/toolError.ts';
import { problemsOf } from './jsonSchemaCheck.ts';
import type { InputSchema, JsonSchema } from './tool.ts';

/** More problems than these do not help a model. */
const mostProblems = 5;

/**
 * The input schema of a tool that is not ours: shown to clients as it is. Arguments are checked and passed on as they came,
 * defaults not filled in.
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
