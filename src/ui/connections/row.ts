import * as vscode from 'vscode';

interface Row {
  /** Stable, so that what is selected stays so when the view is drawn anew. */
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly description: string;
  /** Lines below the label when the pointer rests on the row; a screen reader gets them with the row. */
  readonly details?: readonly string[];
  /** What the manifest's menus know it by. */
  readonly contextValue: string;
  /** What Enter or a click does. */
  readonly command?: vscode.Command;
}

/** A row of the Connections view. */
export function rowItem({ id, label, icon, description, details = [], contextValue, command }: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = description;
  item.tooltip = [label, ...details].join('\n');
  item.accessibilityInformation = { label: [label, description, ...details].filter(Boolean).join(', ') };
  item.contextValue = contextValue;
  if (command !== undefined) item.command = command;
  return item;
}

type Section = 'assistants' | 'tokens' | 'otherWindows';

/** A heading; its rows are below it. The windows beside this one are seldom asked for, so theirs begins closed. */
export function sectionItem(section: Section, count: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const label = {
    assistants: t('Assistants'),
    tokens: t('Access Tokens'),
    otherWindows: t('Other Windows'),
  }[section];
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, section === 'otherWindows' ? Collapsed : Expanded);
  item.id = section;
  item.description = String(count);
  item.accessibilityInformation = { label: `${label}, ${count}` };
  item.contextValue = section;
  return item;
}
