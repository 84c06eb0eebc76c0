import * as z from 'zod';
import { parseRule } from '../ruleSchema.ts';
import type { ScopedRule } from '../rules.ts';
import { withId } from './rulesDocument.ts';

/** Which folder a rule of the rules file is for; a rule without one is the user's, everywhere. */
const folderShape = z.strictObject({
  uri: z.string().min(1),
  realPath: z.string().min(1),
  /** As `folderIdentity` makes it. */
  identity: z.string().exactOptional(),
});

export type RuleFolder = z.infer<typeof folderShape>;

export interface WrittenUserRule {
  readonly scoped: ScopedRule;
  readonly folder?: RuleFolder;
}

const withFolder = z.looseObject({ folder: z.unknown().optional() });

/** Reads one entry of the rules file. Whatever cannot be understood becomes an invalid rule, never nothing (threat row F16). */
export function readUserRule(written: unknown, tools: readonly string[]): WrittenUserRule {
  const found = withFolder.safeParse(withId(written));
  const { folder: place, ...rest } = found.success ? found.data : {};
  const { rule, invalid } = parseRule(found.success ? rest : written, { tools });
  const broken = invalid === undefined ? {} : { invalid };
  if (place === undefined) return { scoped: { scope: 'user', rule, ...broken } };
  const folder = folderShape.safeParse(place);
  if (!folder.success) {
    return {
      scoped: { scope: 'user', rule, invalid: 'Its folder cannot be understood: it has a uri and a realPath.' },
    };
  }
  return {
    scoped: { scope: 'workspace', rule, folder: folder.data.realPath, ...broken },
    folder: folder.data,
  };
}

/** The entry of the rules file for a rule. */
export function writeUserRule({ rule }: ScopedRule, folder: RuleFolder | undefined): object {
  return folder === undefined ? rule : { ...rule, folder };
}
