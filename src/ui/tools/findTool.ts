import * as vscode from 'vscode';
import { choiceText } from '#base/untrustedText.ts';

/** A tool as a choice; checked tools are offered. */
export interface FoundTool {
  readonly kind: 'tool' | 'other';
  readonly name: string;
  readonly isOn: boolean;
  /** The group of the tool. */
  readonly group: string;
  readonly facts: string;
  readonly text: string;
}

/** Lets the user search all tools and check those to offer. @returns the tools whose check box changed */
export async function findTools(tools: readonly FoundTool[]): Promise<readonly FoundTool[]> {
  const { t } = vscode.l10n;
  const items = tools.map((tool) => ({
    label: choiceText(tool.name),
    description: choiceText(`${tool.group} · ${tool.facts}`),
    detail: choiceText(tool.text),
    picked: tool.isOn,
    tool,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Find Tool'),
    placeHolder: t('Type a part of a name or description; checked tools are offered to assistants'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return [];
  const checked = new Set(picked.map(({ tool }) => tool));
  return tools.filter((tool) => checked.has(tool) !== tool.isOn).map((tool) => ({ ...tool, isOn: checked.has(tool) }));
}
