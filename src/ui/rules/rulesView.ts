import * as vscode from 'vscode';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { plain } from '#base/visibleText.ts';
import type { Tool } from '#call/tool.ts';
import { withKinds } from '#call/toolKinds.ts';
import { unreadableRulesId } from '#policy/editor/askingRules.ts';
import type { WindowPolicy } from '#policy/editor/policy.ts';
import { lintRules, type PastCall, type RuleFinding } from '#policy/lint.ts';
import type { ScopedRule } from '#policy/rules.ts';
import type { TreeSource } from '../lateTree.ts';
import { ruleItem, ruleItemId } from './ruleItem.ts';
import type { TriedPolicy } from './toolDecisions.ts';
import { appliesRows, differingRows } from './whatApplies.ts';

export interface RulesViewOptions {
  readonly policy: WindowPolicy;
  readonly situation: TriedPolicy;
  /** Folders or trust changed. */
  readonly onDidChangeWorkspace: Event<void>;
  readonly tools: readonly Tool[];
  readonly pastCalls: () => readonly PastCall[];
}

interface Group {
  readonly id: string;
  readonly label: string;
  readonly holds: (scoped: ScopedRule) => boolean;
}

const appliesGroup = 'group applies';

/** The Rules view: the current rules in order of precedence, and what applies now to each kind of call. */
export class RulesView implements TreeSource, Subscription {
  readonly #options: RulesViewOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly Subscription[];
  #linted: { readonly rules: readonly ScopedRule[]; readonly findings: readonly RuleFinding[] } | undefined;
  /** The rules by the ids of their rows, as last shown. */
  readonly #shown = new Map<string, ScopedRule>();

  constructor(options: RulesViewOptions) {
    this.#options = options;
    const redraw = (): void => this.refresh();
    this.#subscriptions = [options.policy.onDidChange(redraw), options.onDidChangeWorkspace(redraw)];
  }

  /** Redraws the view, because uses and past calls change without an event. */
  refresh(): void {
    this.#linted = undefined;
    this.#changed.fire();
  }

  items(parent?: vscode.TreeItem): readonly vscode.TreeItem[] {
    const { tools, situation } = this.#options;
    if (parent === undefined) return [...this.#problems(), ...this.#rulesOrNone()];
    if (parent.id === appliesGroup) return appliesRows(tools, situation);
    const group = groups().find(({ id }) => id === parent.id);
    if (group === undefined) return differingRows(parent, tools, situation);
    return this.#rules()
      .filter(group.holds)
      .map((scoped) => this.#item(scoped));
  }

  /** Returns the group of the row of a rule, so that the row can be revealed. */
  parent(item: vscode.TreeItem): vscode.TreeItem | undefined {
    const scoped = this.ruleOf(item);
    const group = scoped && groups().find(({ holds }) => holds(scoped));
    return group && groupItem(group, 1);
  }

  ruleOf(item: Pick<vscode.TreeItem, 'id'>): ScopedRule | undefined {
    return this.#shown.get(item.id ?? '');
  }

  /** The row of a rule. */
  find(ruleId: string): vscode.TreeItem | undefined {
    const scoped = this.#rules().find(({ rule }) => rule.id === ruleId);
    return scoped && this.#item(scoped);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #rules(): readonly ScopedRule[] {
    return this.#options.policy.rules().filter(({ rule }) => rule.id !== unreadableRulesId);
  }

  #item(scoped: ScopedRule): vscode.TreeItem {
    const { policy } = this.#options;
    this.#shown.set(ruleItemId(scoped), scoped);
    const { id } = scoped.rule;
    return ruleItem(scoped, {
      use: policy.file.use(id),
      findings: this.#findings().filter(({ ruleId }) => ruleId === id),
      client: policy.file.clientOf(id)?.name,
      now: policy.now(),
    });
  }

  #findings(): readonly RuleFinding[] {
    const rules = this.#options.policy.rules();
    if (this.#linted?.rules !== rules) this.#linted = { rules, findings: this.#lint(rules) };
    return this.#linted.findings;
  }

  #lint(rules: readonly ScopedRule[]): readonly RuleFinding[] {
    const { pastCalls, tools, policy } = this.#options;
    const risks = new Map(withKinds(tools).map(({ name, risk }) => [name, risk]));
    return lintRules(rules, pastCalls(), {
      tools: [...risks.keys()],
      riskOf: (tool) => risks.get(tool),
      use: (id) => policy.file.use(id),
      now: policy.now(),
    });
  }

  /** Without rules the view says at once what applies now, and offers to add a rule. */
  #rulesOrNone(): readonly vscode.TreeItem[] {
    const rules = this.#rules();
    const { tools, situation } = this.#options;
    if (rules.length === 0) return [...appliesRows(tools, situation), addRuleItem()];
    const counted = groups().flatMap((group) => {
      const count = rules.filter(group.holds).length;
      return count === 0 ? [] : [groupItem(group, count)];
    });
    return [...counted, appliesItem()];
  }

  #problems(): readonly vscode.TreeItem[] {
    const { file, managed, repository } = this.#options.policy;
    const found = [
      { problem: managed.settings.problem, path: managed.path },
      { problem: file.problem, path: file.path },
      ...repository.folders,
    ];
    const ignored = repository.folders.filter((folder) => folder.ignored > 0);
    return [
      ...found.flatMap(({ problem, path }) => (problem === undefined ? [] : [problemItem(problem, path, 'error')])),
      ...ignored.map(({ folder, path }) =>
        problemItem(
          vscode.l10n.t('A repository cannot allow anything, so the allow rules of “{0}” are ignored.', folder.name),
          path,
          'warning',
        ),
      ),
    ];
  }
}

/** The groups in order of precedence: the upper group decides first. */
function groups(): readonly Group[] {
  const isStrict = ({ rule, invalid }: ScopedRule): boolean => rule.effect !== 'allow' || invalid !== undefined;
  const isOwn = ({ scope }: ScopedRule): boolean => scope === 'user' || scope === 'workspace' || scope === 'session';
  const allowing = (scope: ScopedRule['scope']) => (scoped: ScopedRule) => scoped.scope === scope && !isStrict(scoped);
  const { t } = vscode.l10n;
  return [
    { id: 'group managed', label: t('Your Organization'), holds: ({ scope }) => scope === 'managed' },
    { id: 'group repository', label: t('This Repository'), holds: ({ scope }) => scope === 'repository' },
    { id: 'group strict', label: t('Deny and Ask'), holds: (scoped) => isOwn(scoped) && isStrict(scoped) },
    { id: 'group session', label: t('Allow for This Session'), holds: allowing('session') },
    { id: 'group workspace', label: t('Allow in This Workspace'), holds: allowing('workspace') },
    { id: 'group user', label: t('Allow Always'), holds: allowing('user') },
  ];
}

function groupItem({ id, label }: Group, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.description = String(count);
  return item;
}

function appliesItem(): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(t('What Applies Now'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = appliesGroup;
  item.tooltip = t('The mode, and what happens to each kind of call in this workspace.');
  return item;
}

function addRuleItem(): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(t('Add Rule...'));
  item.id = 'addRule';
  item.iconPath = new vscode.ThemeIcon('add');
  item.description = t('to allow, ask or deny more');
  item.command = { command: 'drawbridge.addRule', title: t('Add Rule...') };
  return item;
}

function problemItem(problem: string, path: string, severity: 'error' | 'warning'): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(problem));
  item.id = `problem ${path} ${severity}`;
  const colour = severity === 'error' ? 'list.errorForeground' : 'list.warningForeground';
  item.iconPath = new vscode.ThemeIcon(severity, new vscode.ThemeColor(colour));
  item.tooltip = plain(problem);
  item.command = { command: 'vscode.open', title: vscode.l10n.t('Open File'), arguments: [vscode.Uri.file(path)] };
  return item;
}
