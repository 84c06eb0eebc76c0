import type * as vscode from 'vscode';
import { ViewColumn } from './enums.ts';

/** Facts of a tab; by default a tab is neither dirty nor a preview nor pinned. */
export type TabFacts = Partial<Pick<vscode.Tab, 'label' | 'isActive' | 'isDirty' | 'isPreview' | 'isPinned'>>;

export class Tab implements vscode.Tab {
  readonly label: string;
  readonly group: TabGroup;
  readonly input: unknown;
  isActive: boolean;
  isDirty: boolean;
  readonly isPreview: boolean;
  readonly isPinned: boolean;

  constructor(group: TabGroup, input: unknown, facts: TabFacts) {
    this.group = group;
    this.input = input;
    ({
      label: this.label = '',
      isActive: this.isActive = true,
      isDirty: this.isDirty = false,
      isPreview: this.isPreview = false,
      isPinned: this.isPinned = false,
    } = facts);
  }
}

export class TabGroup implements vscode.TabGroup {
  readonly viewColumn: vscode.ViewColumn;
  isActive: boolean;
  tabs: Tab[] = [];

  constructor(viewColumn: vscode.ViewColumn, isActive = viewColumn === ViewColumn.One) {
    this.viewColumn = viewColumn;
    this.isActive = isActive;
  }

  get activeTab(): Tab | undefined {
    return this.tabs.find(({ isActive }) => isActive);
  }
}
