import type * as vscode from 'vscode';
import { editor, events } from './editor.ts';
import { ViewColumn } from './enums.ts';
import { Tab, type TabFacts, TabGroup } from './tabGroup.ts';

/** The column of the group, the first one unless it is given, and facts of the tab. */
export type OpenFacts = TabFacts & { readonly group?: vscode.ViewColumn };

/** Opens a tab in the first group, or in another one, which is made when it is not there. */
export function openTab(input: unknown, { group = ViewColumn.One, ...facts }: OpenFacts = {}): Tab {
  const into = editor.groups.find(({ viewColumn }) => viewColumn === group) ?? new TabGroup(group);
  if (!editor.groups.includes(into)) editor.groups.push(into);
  const tab = new Tab(into, input, facts);
  if (tab.isActive) for (const other of into.tabs) other.isActive = false;
  into.tabs.push(tab);
  events.tabsChanged.fire({ opened: [tab], closed: [], changed: [] });
  return tab;
}

export function closeTabs(closed: readonly vscode.Tab[]): void {
  for (const group of editor.groups) group.tabs = group.tabs.filter((tab) => !closed.includes(tab));
  events.tabsChanged.fire({ opened: [], closed, changed: [] });
}

/** Every tab of every group. */
export const allTabs = (): readonly Tab[] => editor.groups.flatMap(({ tabs }) => tabs);

function isTab(each: vscode.Tab | vscode.TabGroup): each is vscode.Tab {
  return 'input' in each;
}

export const tabGroups = {
  get all() {
    return editor.groups;
  },
  get activeTabGroup() {
    return editor.groups.find(({ isActive }) => isActive) ?? new TabGroup(ViewColumn.One);
  },
  onDidChangeTabs: events.tabsChanged.event,
  onDidChangeTabGroups: events.tabGroupsChanged.event,
  async close(tabs: vscode.Tab | vscode.TabGroup | readonly (vscode.Tab | vscode.TabGroup)[]): Promise<boolean> {
    closeTabs([tabs].flat().filter(isTab));
    return true;
  },
} satisfies vscode.TabGroups;
