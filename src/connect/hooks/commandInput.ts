import type * as z from 'zod/mini';
import { UnreadableCommand } from './hookAdapter.ts';

/** Returns the input of a command tool. @throws UnreadableCommand when it has another shape */
export function commandInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.output<T> {
  const { data, error } = schema.safeParse(input);
  if (error !== undefined) throw new UnreadableCommand(error.message);
  return data;
}
