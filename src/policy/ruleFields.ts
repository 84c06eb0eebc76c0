import * as z from 'zod';
import { maximumGlobLength } from './pathGlob.ts';

const timestamp = z.iso.datetime({ offset: true });
const count = z.int().min(1);

/** The most characters of an action: the user could not read a longer one. */
const longestAction = 2000;

/** The keys of a rule. The user sees the description of a key when its value is not valid. */
export const ruleFields = {
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .describe('A name for the rule that no other rule has: up to 64 letters, digits, - and _.'),
  effect: z
    .enum(['deny', 'ask', 'allow'])
    .describe(
      'One of deny, ask and allow. A deny wins over every ask, an ask over every allow; the order of rules does not matter.',
    ),
  class: z
    .enum(['read', 'edit', 'delete', 'execute', 'network', 'config', 'ui'])
    .exactOptional()
    .describe(
      'One of read, edit, delete, execute, network, config (every change of a protected path) and ui. With tools, both must match.',
    ),
  tools: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(100)
    .exactOptional()
    .describe('A list of names of tools, such as ["apply_edit"].'),
  paths: z
    .array(z.string().min(1).max(maximumGlobLength))
    .min(1)
    .max(100)
    .exactOptional()
    .describe(
      'A list of globs, relative to the workspace folder: ["src/**/*.ts", "!src/generated/**"]. Without a / one matches at any depth; ! excludes; home: and folder:<name>: start elsewhere. Without paths, the rule matches every path.',
    ),
  action: z
    .string()
    .min(1)
    .max(longestAction)
    .exactOptional()
    .describe(
      'The action: the id of a command and its arguments as JSON, exactly as a card shows them, up to 2000 characters. A rule that allows an action must name it.',
    ),
  limits: z
    .strictObject({
      maxFiles: count.exactOptional().describe('Files of one call: a whole number.'),
      maxChangedLines: count.exactOptional().describe('Changed lines of one call: a whole number.'),
    })
    .exactOptional()
    .describe('For allow: maxFiles and maxChangedLines of one call, whole numbers. A call with more does not match.'),
  client: z
    .string()
    .min(1)
    .max(100)
    .exactOptional()
    .describe('The name of an access token, or any. Without it, the rule matches every assistant.'),
  expires: timestamp.exactOptional().describe('The end of the rule, as a time such as 2026-12-31T00:00:00Z.'),
  origin: z
    .strictObject({
      how: z.enum(['card', 'editor', 'file']),
      at: timestamp,
      approvalId: z.string().min(1).max(100).exactOptional(),
    })
    .exactOptional()
    .describe('Where the rule came from: how (card, editor or file), at (a time) and approvalId.'),
  note: z.string().max(1000).exactOptional().describe('Your own words, up to 1000 characters.'),
};
