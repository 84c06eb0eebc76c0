import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import type { JsonSchema } from '#call/tool.ts';

type Validate = (data: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const validator = new AjvJsonSchemaValidator();
const validators = new WeakMap<JsonSchema, Validate>();

/** Returns the error of a client that validates data against the listed schema; undefined when the data is valid. */
export function listedProblem(schema: JsonSchema, data: unknown): string | undefined {
  const validate = validators.get(schema) ?? validator.getValidator(schema);
  validators.set(schema, validate);
  const { valid, errorMessage } = validate(JSON.parse(JSON.stringify(data)));
  return valid ? undefined : (errorMessage ?? 'It is refused.');
}

const metaSchema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };

/** Returns how a schema breaks the meta-schema of JSON Schema 2020-12; undefined when it is valid. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  return listedProblem(metaSchema, schema);
}
