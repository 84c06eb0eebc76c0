import type { Workspace } from '#base/workspace.ts';
import { matchesRule, restricts, type Caller, type RuleRequest, type RuleTarget } from './matching.ts';
import { openFolders } from './folderLabels.ts';
import { inEveryFolder, inInnermostFolder } from './nestedFolders.ts';
import type { PathRules } from './protectedPaths.ts';
import type { Policy, RuleEffect, RuleReference, RuleScope, ScopedRule } from './rules.ts';
import type { Subject } from './subject.ts';

export interface RuleSituation {
  readonly caller: Caller;
  readonly pathRules: PathRules;
  readonly policy: Policy;
  readonly workspace: Pick<Workspace, 'folders'>;
}

/** Returns the matching rules of the caller, in the order of {@link scopes}. */
export function matchingRules(
  subject: Pick<Subject, 'risk' | 'targets' | 'files' | 'changedLines' | 'action' | 'command'>,
  { caller, pathRules, policy, workspace }: RuleSituation,
): readonly ScopedRule[] {
  const rules = policy.rules();
  if (rules.length === 0) return [];
  const folders = workspace.folders();
  const [folder, ...others] = openFolders(folders);
  const requestFor = (targets: readonly RuleTarget[]): RuleRequest => ({
    ...caller,
    class: subject.risk,
    targets,
    files: subject.files,
    get changedLines() {
      return subject.changedLines;
    },
    ...(subject.action !== undefined && { action: subject.action }),
    ...(subject.command && { commands: subject.command.parts.map(({ words }) => words) }),
    ...(folder && others.length === 0 && { onlyFolder: folder.realPath }),
    now: policy.now(),
    home: pathRules.home,
  });
  const anyReading = requestFor(
    subject.targets.flatMap((target) => inEveryFolder(target.place, folders).map((place) => ({ ...target, place }))),
  );
  const innermost = requestFor(
    subject.targets.map((target) => ({ ...target, place: inInnermostFolder(target.place, folders) })),
  );
  const matching = rules.filter((rule) =>
    restricts(rule) ? matchesRule(rule, anyReading) : reaches(rule, innermost) && matchesRule(rule, innermost),
  );
  return matching.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope));
}

/** Returns false for a rule that the user made for a session in the open folders, when a work tree of them is changed. */
function reaches({ rule, scope }: ScopedRule, { targets }: RuleRequest): boolean {
  if (scope !== 'session' || targets.every(({ place }) => place.folder.worktree === undefined)) return true;
  return rule.paths?.every((path) => path.startsWith('folder:')) === true;
}

const scopes: readonly RuleScope[] = ['managed', 'session', 'workspace', 'user', 'repository'];

/** Returns the decision of the first rule with this effect. */
export function byRule(
  rules: readonly ScopedRule[],
  effect: RuleEffect,
  among: readonly RuleScope[] = scopes,
): { readonly effect: RuleEffect; readonly reason: string; readonly rule: RuleReference } | undefined {
  const found = rules.find((each) => effectOf(each) === effect && among.includes(each.scope));
  if (found === undefined) return undefined;
  const { rule, scope, invalid } = found;
  const why = invalid === undefined ? '' : `, which cannot be understood: ${invalid}`;
  return { effect, reason: `${effect} rule ${rule.id} (${scope})${why}`, rule: { id: rule.id, scope } };
}

/** Returns the effect of a rule: a rule that is not valid asks, and a repository or managed rule never allows. */
function effectOf({ rule, scope, invalid }: ScopedRule): RuleEffect | 'none' {
  if (invalid !== undefined) return 'ask';
  return rule.effect === 'allow' && (scope === 'repository' || scope === 'managed') ? 'none' : rule.effect;
}
