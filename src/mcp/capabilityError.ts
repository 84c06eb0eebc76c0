import { Buffer } from 'node:buffer';
import * as z from 'zod';

/** MissingRequiredClientCapability (2026-07-28). */
const code = -32021;
const frame = /^event: message\ndata: (.*)\n\n$/s;
const message = z.object({ error: z.object({ code: z.literal(code) }) });

/**
 * The message of a stream that begins, and so ends, with the refusal of a client that cannot be asked what it must be asked.
 * Its status must be 400 (SEP-2575), which the SDK forgets when it streams every answer, as it must here to keep silent calls
 * alive. Undefined for anything else.
 * @param chunk the first of the stream
 */
export function capabilityError(chunk: Uint8Array): string | undefined {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  // Nearly every answer is none, and may be large.
  if (!bytes.includes(`"code":${code}`)) return undefined;
  const [, data] = frame.exec(bytes.toString()) ?? [];
  return data !== undefined && message.safeParse(JSON.parse(data)).success ? data : undefined;
}
