import * as z from 'zod';
import type { NativeFileEdit } from '#base/nativeEdit.ts';

const path = z.string().min(1).max(4096);

/** The schema of a file edit as the hook program sends it, and as the record keeps it for the same edit made again. */
export const nativeFileEdit = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('replace'),
    path,
    oldText: z.string(),
    newText: z.string(),
    all: z.boolean(),
    takesLineEnd: z.union([z.boolean(), z.literal('wholeLines')]).optional(),
  }),
  z.strictObject({ kind: z.literal('write'), path, text: z.string(), keepsCrlf: z.boolean().optional() }),
  z.strictObject({
    kind: z.literal('notebook'),
    path,
    mode: z.enum(['replace', 'insert', 'delete']),
    cell: z.string().optional(),
    source: z.string(),
    cellType: z.enum(['code', 'markdown']).optional(),
  }),
  z.strictObject({ kind: z.literal('patch'), folder: path, text: z.string(), paths: z.array(path).min(1).max(1000) }),
]) satisfies z.ZodType<NativeFileEdit>;
