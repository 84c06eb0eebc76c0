import * as vscode from 'vscode';

interface Row {
  /** A stable id keeps the selection when the view redraws. */
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly description: string;
  /** Sentences that are read with the row by a screen reader, and stand first in the tooltip. */
  readonly spoken?: readonly string[];
  /** Further sentences of the tooltip. */
  readonly details?: readonly string[];
  /** The value that the menus of the manifest test. */
  readonly contextValue: string;
  /** The command that Enter or a click runs. */
  readonly command?: vscode.Command;
}

/** Returns a row of the Connections view. */
export function rowItem({
  id,
  label,
  icon,
  description,
  spoken = [],
  details = [],
  contextValue,
  command,
}: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = description;
  item.tooltip = [label, ...spoken, ...details].join('\n');
  item.accessibilityInformation = { label: [label, description, ...spoken].filter(Boolean).join(', ') };
  item.contextValue = contextValue;
  if (command !== undefined) item.command = command;
  return item;
}

type Section = 'assistants' | 'tokens' | 'otherWindows';

/** Returns a heading with rows below it. The section of other windows starts collapsed, because it is seldom needed. */
export function sectionItem(section: Section, count: string): vscode.TreeItem {
  const { t } = vscode.l10n;
  const label = {
    assistants: t('Assistants'),
    tokens: t('Access Tokens'),
    otherWindows: t('Other Windows'),
  }[section];
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, section === 'otherWindows' ? Collapsed : Expanded);
  item.id = section;
  item.description = count;
  item.accessibilityInformation = { label: `${label}, ${count}` };
  item.contextValue = section;
  return item;
}
