import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { unreadableRulesId } from './askingRules.ts';

/**
 * The contents of a rules file. The rules are kept as written: a rule that is not valid must not be lost when another one is
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

/** @throws when the document is not a list of rules; single rules are checked by the rule parser */
export function parseRulesDocument(value: unknown): RulesDocument {
  return documentShape.parse(value);
}

const valid = z.looseObject({ id: z.string().regex(/^[\w-]{1,64}$/) });

/** Returns a new rule id that no other rule has. */
export function newRuleId(): string {
  return `r-${randomBytes(4).toString('hex')}`;
}

/** Returns the id of a written rule; a rule without an id, or with one that is not valid, gets an id made from its text. */
export function writtenId(written: unknown): string {
  const found = valid.safeParse(written);
  if (found.success) return found.data.id;
  const text = JSON.stringify(written);
  return `r-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

export interface IdentifiedRule {
  /** Unique in its document. */
  readonly id: string;
  readonly written: unknown;
  /** True when the written id belongs to another rule or is reserved. */
  readonly isTwin: boolean;
}

/** Returns the rules of a document with unique ids, so that an id always refers to one rule. */
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

/** Returns a written rule with an id. A value that is not an object is returned unchanged. */
export function withId(written: unknown): unknown {
  const found = z.record(z.string(), z.unknown()).safeParse(written);
  return found.success ? { ...found.data, id: writtenId(written) } : written;
}
