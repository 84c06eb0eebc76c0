import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import type { JsonSchema } from '#call/tool.ts';

type Validate = (data: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const validator = new AjvJsonSchemaValidator();
const validators = new WeakMap<JsonSchema, Validate>();

/** What a client that checks says against data that goes over the wire; undefined when it is of the schema that is listed. */
export function listedProblem(schema: JsonSchema, data: unknown): string | undefined {
  const validate = validators.get(schema) ?? validator.getValidator(schema);
  validators.set(schema, validate);
  const { valid, errorMessage } = validate(JSON.parse(JSON.stringify(data)));
  return valid ? undefined : (errorMessage ?? 'It is refused.');
}

const metaSchema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };

/** What is wrong with a schema by the meta-schema of JSON Schema 2020-12, if anything. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  return listedProblem(metaSchema, schema);
}
