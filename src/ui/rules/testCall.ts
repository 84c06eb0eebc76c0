import * as vscode from 'vscode';
import type { Purpose, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { plain } from '#base/visibleText.ts';
import type { Tool } from '#call/tool.ts';
import { kindsOf } from '#call/toolKinds.ts';
import type { Decision } from '#policy/decide.ts';
import { effectIcon, effectText, stepName } from './decisionText.ts';
import { tryCall, type TriedPolicy } from './toolDecisions.ts';

export interface TestCallOptions {
  readonly situation: TriedPolicy;
  readonly tools: readonly Tool[];
  readonly resolve: (address: string, purpose: Purpose) => Promise<ResolvedPath>;
  readonly showRule: (ruleId: string) => Promise<void>;
}

interface ShownStep extends vscode.QuickPickItem {
  readonly ruleId?: string;
}

/** Runs "Test a Call...": shows the decision about a call and every step to it. The call is not made. */
export async function testCall({ situation, tools, resolve, showRule }: TestCallOptions): Promise<void> {
  const title = vscode.l10n.t('Drawbridge: Test a Call');
  const picked = await vscode.window.showQuickPick(
    tools.flatMap(kindsOf).map((tool) => ({ label: tool.name, description: tool.title, tool })),
    { title, placeHolder: vscode.l10n.t('Which tool would be called?'), matchOnDescription: true },
  );
  if (picked === undefined) return;
  const { tool } = picked;
  const path = await vscode.window.showInputBox({
    title: `${title}: ${tool.name}`,
    prompt: vscode.l10n.t('With which file or folder? Leave it empty for none.'),
    placeHolder: 'src/main.ts',
    value: activePath(),
  });
  if (path === undefined) return;
  const steps = await stepsOf(tool, path.trim(), situation, resolve);
  const step = await vscode.window.showQuickPick(steps, {
    title: [tool.name, plain(path.trim())].filter(Boolean).join(' '),
    placeHolder: vscode.l10n.t('The steps of the decision; the last one decided. Select a rule to show it.'),
    matchOnDescription: true,
  });
  if (step?.ruleId !== undefined) await showRule(step.ruleId);
}

async function stepsOf(
  tool: Tool,
  path: string,
  situation: TriedPolicy,
  resolve: TestCallOptions['resolve'],
): Promise<readonly ShownStep[]> {
  try {
    const paths = path === '' ? [] : [await resolve(path, tool.risk === 'read' ? 'read' : 'change')];
    return shownSteps(tryCall(tool, paths, situation));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [
      {
        label: `$(${effectIcon('deny')}) ${vscode.l10n.t('This call {0}', effectText('deny'))}`,
        description: error.code,
        detail: plain(error.message),
      },
    ];
  }
}

/** Returns the decision first, then every step. */
export function shownSteps({ effect, reason, mode, explain, rule }: Decision): readonly ShownStep[] {
  const decided: ShownStep = {
    label: `$(${effectIcon(effect)}) ${vscode.l10n.t('This call {0}', effectText(effect))}`,
    description: plain(reason),
    ...(rule && { ruleId: rule.id }),
  };
  const steps = explain.map((each, index): ShownStep => {
    const isLast = index === explain.length - 1;
    return {
      label: `${isLast ? '$(arrow-right)' : '$(dash)'} ${stepName(each, mode)}`,
      description: plain(each.detail),
      ...(each.rule && { ruleId: each.rule.id }),
    };
  });
  return [decided, ...steps];
}

function activePath(): string {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) === undefined) return '';
  return vscode.workspace.asRelativePath(uri);
}
