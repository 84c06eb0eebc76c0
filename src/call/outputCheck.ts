import type * as z from 'zod';

/**
 * Whether data is exactly what a schema says, unknown fields included: the listed schema allows none, and clients that check
 * refuse the whole result.
 * @throws Error that names the place, and nothing of what is there
 */
export function checkOutput(schema: z.ZodType, data: unknown): void {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new Error(`The output is not of its schema: ${places(parsed.error)}`);
  const unknown = unknownField(data, parsed.data, '');
  if (unknown !== undefined) throw new Error(`The output has a field that its schema does not know: ${unknown}`);
}

function places(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/** What a schema does not know, parsing leaves out. */
function unknownField(data: unknown, parsed: unknown, path: string): string | undefined {
  if (!isContainer(data) || !isContainer(parsed) || data === parsed) return undefined;
  for (const [name, field] of Object.entries(data)) {
    const place = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(parsed, name)) return place;
    const below = unknownField(field, parsed[name], place);
    if (below !== undefined) return below;
  }
  return undefined;
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
