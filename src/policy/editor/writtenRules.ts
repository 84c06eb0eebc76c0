import * as z from 'zod';
import { parseRule } from '../ruleSchema.ts';
import type { ScopedRule } from '../rules.ts';
import { withId } from './rulesDocument.ts';

/** The folder of a rule in the rules file; a rule without one is a user rule, which applies everywhere. */
const folderShape = z.strictObject({
  uri: z.string().min(1),
  realPath: z.string().min(1),
  /** The identity that `folderIdentity` returns. */
  identity: z.string().exactOptional(),
});

export type RuleFolder = z.infer<typeof folderShape>;

export interface WrittenUserRule {
  readonly scoped: ScopedRule;
  readonly folder?: RuleFolder;
}

const withFolder = z.looseObject({ folder: z.unknown().optional() });

/** Parses one entry of the rules file. An entry that is not valid becomes an invalid rule and is never dropped (threat row F16). */
export function readUserRule(written: unknown, tools: readonly string[]): WrittenUserRule {
  const found = withFolder.safeParse(withId(written));
  const { folder: place, ...rest } = found.success ? found.data : {};
  const { rule, invalid } = parseRule(found.success ? rest : written, { tools });
  const broken = invalid === undefined ? {} : { invalid };
  if (place === undefined) return { scoped: { scope: 'user', rule, ...broken } };
  const folder = folderShape.safeParse(place);
  if (!folder.success) {
    return {
      scoped: { scope: 'user', rule, invalid: 'Its folder is not valid: it must have a uri and a realPath.' },
    };
  }
  return {
    scoped: { scope: 'workspace', rule, folder: folder.data.realPath, ...broken },
    folder: folder.data,
  };
}

/** Returns the entry of the rules file for a rule. */
export function writeUserRule({ rule }: ScopedRule, folder: RuleFolder | undefined): object {
  return folder === undefined ? rule : { ...rule, folder };
}
