import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { unreadableRulesId } from './askingRules.ts';

/**
 * A file of rules. The rules are kept as they are written: what cannot be understood must not be lost when another rule is
 * added or removed.
 */
export interface RulesDocument {
  readonly version: 1;
  readonly rules: readonly unknown[];
}

export const noRules: RulesDocument = { version: 1, rules: [] };

const documentShape = z.strictObject({
  $schema: z.string().exactOptional(),
  version: z.literal(1),
  rules: z.array(z.unknown()).max(2000),
});

/** @throws when the document as a whole is not a list of rules; a rule that cannot be understood is the parser of rules' to judge */
export function parseRulesDocument(value: unknown): RulesDocument {
  return documentShape.parse(value);
}

const valid = z.looseObject({ id: z.string().regex(/^[\w-]{1,64}$/) });

/** A new id of a rule, unlike those of all others. */
export function newRuleId(): string {
  return `r-${randomBytes(4).toString('hex')}`;
}

/** The id of a rule as it is written; one that a human wrote without an id, or with an impossible one, has one made of its text. */
export function writtenId(written: unknown): string {
  const found = valid.safeParse(written);
  if (found.success) return found.data.id;
  const text = JSON.stringify(written);
  return `r-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

export interface IdentifiedRule {
  /** No other rule of its document has it. */
  readonly id: string;
  readonly written: unknown;
  /** The id that is written is another rule's, or ours. */
  readonly isTwin: boolean;
}

/** The rules of a document, each under an id of its own: what is done with one by its id is done with no other. */
export function identified(rules: readonly unknown[]): readonly IdentifiedRule[] {
  const taken = new Set([unreadableRulesId]);
  return rules.map((written) => {
    const id = writtenId(written);
    let own = id;
    for (let count = 2; taken.has(own); count += 1) own = `${id.slice(0, 58)}-${count}`;
    taken.add(own);
    return { id: own, written, isTwin: own !== id };
  });
}

/** A rule as it is written, with an id. What is no object stays what it is. */
export function withId(written: unknown): unknown {
  const found = z.record(z.string(), z.unknown()).safeParse(written);
  return found.success ? { ...found.data, id: writtenId(written) } : written;
}
