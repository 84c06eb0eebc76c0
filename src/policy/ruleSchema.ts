import { createHash } from 'node:crypto';
import * as z from 'zod';
import { closedReason } from './closedPaths.ts';
import { GlobError } from './globSegments.ts';
import { maximumGlobLength, parseGlob } from './pathGlob.ts';
import type { Rule } from './rules.ts';
import { quoted } from './unsafeNames.ts';

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
  command: z
    .array(z.string().max(longestAction))
    .min(1)
    .max(100)
    .exactOptional()
    .describe(
      'The words of a command that an assistant runs in its own shell: ["npm", "test"], or ["git", "add", "*"] for every command that begins so. Needs class execute.',
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

const ruleShape = z.strictObject(ruleFields);

export interface KnownNames {
  /** The names of all tools, including those that are turned off. */
  readonly tools: readonly string[];
}

export interface ParsedRule {
  /** The rule as written; for an invalid rule the readable part, so that it asks for everything that it could match. */
  readonly rule: Rule;
  /** Why the rule is not valid, and what to write instead. */
  readonly invalid?: string;
}

/** Parses one rule as the user wrote it. A part that is not valid makes the rule invalid and is never dropped (threat row F16). */
export function parseRule(value: unknown, known: KnownNames): ParsedRule {
  const written = z.record(z.string(), z.unknown()).safeParse(value);
  const id = idOf(value);
  if (!written.success) {
    return { rule: { id, effect: 'ask' }, invalid: 'A rule is an object, with "effect" and "class" or "tools".' };
  }
  const problems: string[] = [];
  const kept = new Map<string, unknown>(Object.entries({ id, effect: 'ask' }));
  for (const [key, given] of Object.entries(written.data)) {
    const problem = problemOf(key, given);
    if (problem === undefined) kept.set(key, given);
    else problems.push(problem);
  }
  const rule = ruleShape.parse(Object.fromEntries(kept));
  problems.push(...missing(written.data));
  if (written.data['effect'] === rule.effect) problems.push(...contradictions(rule));
  const named = knownTools(rule, known);
  const placed = validPaths(named.rule);
  problems.push(...named.problems, ...placed.problems);
  if (problems.length === 0) return { rule };
  return { rule: placed.rule, invalid: problems.slice(0, 3).join(' ') };
}

/** Returns an id for a rule that was written without one. */
function idOf(value: unknown): string {
  return `r-${createHash('sha256').update(serialized(value)).digest('hex').slice(0, 8)}`;
}

function serialized(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A value that JSON cannot represent did not come from a file.
    return '';
  }
}

function problemOf(key: string, given: unknown): string | undefined {
  const schema = new Map<string, z.ZodType>(Object.entries(ruleFields)).get(key);
  if (schema !== undefined) {
    const isValid = given !== undefined && schema.safeParse(given).success;
    return isValid ? undefined : `"${key}" is not valid. ${schema.description ?? ''}`;
  }
  const meant = closestName(key, Object.keys(ruleFields));
  return `${quoted(key)} is not a key of a rule; ${meant === undefined ? 'remove it' : `did you mean "${meant}"?`}`;
}

function missing(written: Readonly<Record<string, unknown>>): readonly string[] {
  const problems: string[] = [];
  if (written['effect'] === undefined) problems.push('"effect" is missing: deny, ask or allow.');
  if (written['class'] === undefined && written['tools'] === undefined) {
    problems.push('It does not say which calls it matches: add "class" or "tools".');
  }
  return problems;
}

function contradictions({ effect, class: kind, limits, action, command }: Rule): readonly string[] {
  if (command !== undefined) {
    if (kind !== 'execute' || action !== undefined) return ['"command" needs class execute, and no "action".'];
    if (command[0] === '*') return ['"command" must begin with the name of a program.'];
  }
  if (effect !== 'allow') return limits === undefined ? [] : ['"limits" counts only with allow; remove it.'];
  if (kind === 'config')
    return ['Changes of protected paths need approval each time, so no rule can allow them; use ask or deny.'];
  if (kind === 'execute' && action === undefined && command === undefined) {
    return ['A rule that allows execute must name what it allows: add "action" or "command", or use ask or deny.'];
  }
  return [];
}

interface Checked {
  readonly rule: Rule;
  readonly problems: readonly string[];
}

/** Replaces an unknown tool by the known one it resembles, or drops it; when no tool is left, the rule matches any tool. */
function knownTools(rule: Rule, { tools: known }: KnownNames): Checked {
  const { tools, ...rest } = rule;
  const unknown = tools?.filter((name) => !known.includes(name)) ?? [];
  if (tools === undefined || unknown.length === 0) return { rule, problems: [] };
  const meant = unknown.map((name) => ({ name, closest: closestName(name, known) }));
  const problems = meant.map(({ name, closest }) =>
    closest === undefined
      ? `There is no tool ${quoted(name)}; remove it.`
      : `There is no tool ${quoted(name)}; did you mean "${closest}"?`,
  );
  const possible = [...tools.filter((name) => known.includes(name)), ...meant.flatMap(({ closest }) => closest ?? [])];
  return { rule: possible.length === 0 ? rest : { ...rest, tools: possible }, problems };
}

/** Treats a path that is not valid as every path, and an exclusion that is not valid as no exclusion. */
function validPaths(rule: Rule): Checked {
  const { paths, ...rest } = rule;
  if (paths === undefined) return { rule, problems: [] };
  const judged = paths.map((path) => ({ path, problem: globProblem(path) }));
  const broken = judged.filter(({ problem }) => problem !== undefined);
  if (broken.length === 0) return { rule, problems: rule.effect === 'allow' ? closedPaths(rule) : [] };
  const problems = broken.map(({ path, problem = '' }) => `The path ${quoted(path)} ${problem}.`);
  const readable = judged.flatMap(({ path, problem }) => (problem === undefined ? [path] : []));
  const couldBeAny = readable.length === 0 || broken.some(({ path }) => !path.startsWith('!'));
  return { rule: couldBeAny ? rest : { ...rest, paths: readable }, problems };
}

/** Reports paths whose every match a built-in rule closes: an allow rule for them would look right and do nothing. */
function closedPaths({ paths = [], class: kind }: Rule): readonly string[] {
  return paths.flatMap((path) => {
    const reason = path.startsWith('!') ? undefined : closedReason(path, kind);
    return reason === undefined ? [] : [`No rule can allow ${quoted(path)}: ${reason}.`];
  });
}

function globProblem(path: string): string | undefined {
  try {
    parseGlob(path, 'asWritten');
    parseGlob(path, 'widened');
    return undefined;
  } catch (error) {
    if (error instanceof GlobError) return error.message;
    throw error;
  }
}

const folder = z
  .strictObject({ uri: z.string(), realPath: z.string(), identity: z.string().exactOptional() })
  .exactOptional()
  .describe('The workspace folder that the rule is for; written by Drawbridge.');

const writtenRule = z
  .strictObject({ ...ruleFields, id: ruleFields.id.exactOptional(), folder })
  .meta({ anyOf: [{ required: ['class'] }, { required: ['tools'] }] });

/** The JSON Schema of a rules file, for the JSON editor. */
export const ruleJsonSchema: object = /* @__PURE__ */ z.toJSONSchema(
  z.strictObject({ $schema: z.string().exactOptional(), version: z.literal(1), rules: z.array(writtenRule) }),
  { target: 'draft-7' },
);

/** Returns the known name that is closest to a mistyped one; undefined when none is close. */
export function closestName(written: string, known: readonly string[]): string | undefined {
  if (written.length > 64) return undefined;
  const nearest = known
    .map((name) => ({ name, distance: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)[0];
  return nearest !== undefined && nearest.distance <= Math.max(1, written.length / 4) ? nearest.name : undefined;
}

/** Returns the edit distance of two texts: how many characters must be inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, character] of Array.from(from).entries()) {
    const next = [at + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const [replaced = 0, inserted = 0, removed = 0] = [row[column], next[column], row[column + 1]];
      next.push(Math.min(replaced + (character === other ? 0 : 1), inserted + 1, removed + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
