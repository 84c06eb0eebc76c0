import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Event, Subscription } from '#base/event.ts';
import type { Purpose, ResolvedPath } from '#base/files.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Tool } from '#call/tool.ts';
import type { WindowPolicy } from '#policy/editor/policy.ts';
import { settingsOfWorkspace } from '#policy/editor/workspaceSettings.ts';
import type { PastCall } from '#policy/lint.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { LateView } from '../lateTree.ts';
import { RuleCommands } from './ruleCommands.ts';
import { RuleNotices } from './ruleNotices.ts';
import { RulesEditor } from './rulesEditor.ts';
import { RulesView } from './rulesView.ts';
import { setMode } from './setMode.ts';
import { testCall } from './testCall.ts';

export interface RulesSetUpOptions {
  readonly policy: WindowPolicy;
  readonly workspace: Workspace;
  readonly pathRules: PathRules;
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  readonly view: LateView;
  readonly pastCalls: () => readonly PastCall[];
  /** Fires when calls arrive or end, which changes hits and past calls. */
  readonly onDidChangeCalls: Event<void>;
  readonly resolve: (address: string, purpose: Purpose) => Promise<ResolvedPath>;
  readonly warn: (text: string) => void;
}

const redrawMilliseconds = 2000;

/** Sets up the views and commands of rules and modes. */
export function setUpRules(options: RulesSetUpOptions) {
  const { policy, workspace, pathRules, tools, view, pastCalls } = options;
  const situation = { policy, workspace, pathRules };
  const rulesView = new RulesView({ policy, situation, tools, pastCalls, onDidChangeWorkspace: workspace.onDidChange });
  const editor = new RulesEditor(policy.file, () => policy.now());
  const commands = new RuleCommands({ policy, view: rulesView, treeView: view.view, editor, pastCalls });
  const showRule = (id: string): Promise<void> => commands.show(id);
  const open = (path: string): void => void vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
  const notices = new RuleNotices({
    policy,
    openRulesFile: () => void editor.open(),
    openFile: open,
    showRules: () => void vscode.commands.executeCommand('drawbridge.rules.focus'),
  });
  return {
    disposables: [
      rulesView,
      notices,
      view.tree.attach(rulesView),
      redrawWithCalls(rulesView, options),
      warnOfSettings(options),
    ] satisfies readonly Subscription[],
    commands: {
      setMode: () => setMode(policy.windowMode),
      addRule: () => editor.openWithNewRule(),
      openRulesFile: () => editor.open(),
      testCall: () => testCall({ situation, tools, resolve: options.resolve, showRule }),
      removeRule: (target: unknown) => commands.remove(target),
      editRule: (target: unknown) => commands.edit(target),
      renewRule: (target: unknown) => commands.renew(target),
      openRuleFile: (target: unknown) => commands.openFile(target),
      showRule: (target: unknown) => commands.show(target),
    },
  };
}

/** Redraws the hits at intervals, and only while the view is visible. */
function redrawWithCalls(rulesView: RulesView, { view, clock, onDidChangeCalls }: RulesSetUpOptions): Subscription {
  let timer: Subscription | undefined;
  const subscriptions = [
    view.view.onDidChangeVisibility(({ visible }) => void (visible && rulesView.refresh())),
    onDidChangeCalls(() => {
      if (!view.view.visible) return;
      timer ??= clock.after(redrawMilliseconds, () => {
        timer = undefined;
        rulesView.refresh();
      });
    }),
  ];
  return {
    dispose() {
      timer?.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** Threat row A1: logs once that a workspace tries to change settings of Drawbridge. */
function warnOfSettings({ workspace, warn }: RulesSetUpOptions): Subscription {
  const told = new Set<string>();
  const look = (): void => {
    for (const { name, path } of settingsOfWorkspace(workspace.folders())) {
      if (told.has(`${name}\n${path}`)) continue;
      told.add(`${name}\n${path}`);
      warn(`${name} in ${path} has no effect: a workspace cannot set it. Remove it there.`);
    }
  };
  look();
  return workspace.onDidChange(look);
}
