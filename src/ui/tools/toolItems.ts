import * as vscode from 'vscode';
import type { Toolset } from '#base/toolError.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { OtherTool, OtherToolState } from '#call/ports/otherTools.ts';
import type { Tool } from '#call/tool.ts';
import { kindsOf } from '#call/toolKinds.ts';
import { riskText, tokensOf, tokensText, toolsetText } from './toolText.ts';

const ids = { toolset: 'toolset:', tool: 'tool:', other: 'other:' } as const;
/** The heading of what other extensions offer. */
export const othersId = 'others';

/** What a row with a checkbox stands for. */
export interface Switched {
  readonly kind: keyof typeof ids;
  readonly name: string;
}

/** Undefined for a row without a checkbox. */
export function switchedBy(id: string | undefined): Switched | undefined {
  for (const kind of ['toolset', 'tool', 'other'] as const) {
    if (id?.startsWith(ids[kind]) === true) return { kind, name: id.slice(ids[kind].length) };
  }
  return undefined;
}

interface Row {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Plain text, a paragraph each. */
  readonly details: readonly string[];
  readonly icon?: vscode.ThemeIcon;
  readonly isOn: boolean;
}

function checkedRow({ id, label, description, details, icon, isOn }: Row): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.description = description;
  if (icon !== undefined) item.iconPath = icon;
  item.tooltip = [label, ...details].join('\n\n');
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const tooltip = isOn ? t('Offered to assistants') : t('Not offered to assistants');
  item.contextValue = isOn ? 'switch on' : 'switch off';
  item.checkboxState = { state: isOn ? Checked : Unchecked, tooltip };
  item.accessibilityInformation = { label: [label, tooltip, description, ...details].join(', ') };
  return item;
}

/** A toolset; its tools are below it. */
export function toolsetItem(toolset: Toolset, tools: readonly Tool[], isOn: (tool: Tool) => boolean): vscode.TreeItem {
  const { t } = vscode.l10n;
  const on = tools.filter(isOn);
  const item = checkedRow({
    id: ids.toolset + toolset,
    label: toolsetText(toolset),
    description: countText(on.length, tools.length) + costOf(on),
    details: [],
    isOn: on.length > 0,
  });
  item.tooltip = t('The check box turns all its tools on or off.');
  item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

function costOf(tools: readonly Tool[]): string {
  return tools.length === 0 ? '' : ` · ${tokensText(tools.reduce((sum, tool) => sum + tokensOf(tool), 0))}`;
}

/** A tool; its words are ours, or the user's own. The kinds that it has are below it. */
export function toolItem(tool: Tool, isOn: (tool: Tool) => boolean): vscode.TreeItem {
  const { text, icon } = riskText(tool.risk);
  const kinds = kindsOf(tool);
  const on = kinds.filter(isOn);
  const item = checkedRow({
    id: ids.tool + tool.name,
    label: tool.name,
    // The icon says the risk where there is no room.
    description: `${kinds.length > 1 ? `${countText(on.length, kinds.length)} · ` : ''}${tokensText(tokensOf(tool))} · ${text}`,
    details: [plain(tool.title), plain(tool.description)],
    icon: new vscode.ThemeIcon(icon),
    isOn: isOn(tool),
  });
  if (kinds.length > 1) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

/** A kind of a tool, by the name that rules and settings know it by; it costs nothing more than its tool. */
export function kindItem(kind: Tool, isOn: boolean): vscode.TreeItem {
  const { text, icon } = riskText(kind.risk);
  return checkedRow({
    id: ids.tool + kind.name,
    label: kind.name,
    description: text,
    details: [],
    icon: new vscode.ThemeIcon(icon),
    isOn,
  });
}

function countText(on: number, all: number): string {
  return vscode.l10n.t('{0} of {1}', on, all);
}

export function othersText(): string {
  return vscode.l10n.t('Other Extensions');
}

/** The heading of tools of other extensions; there are many in some editors, so it begins closed. */
export function othersItem(offered: number, all: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(othersText(), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = othersId;
  item.description = countText(offered, all);
  item.tooltip = t(
    'Tools of other extensions and of MCP servers that this editor knows. None is offered until you turn it on.',
  );
  item.accessibilityInformation = { label: [othersText(), item.description, item.tooltip].join(', ') };
  return item;
}

export interface OtherRow {
  readonly name: string;
  /** Undefined when it is not there now. */
  readonly other: OtherTool | undefined;
  readonly state: OtherToolState;
  /** The user turned the whole toolset off. */
  readonly isToolsetOff: boolean;
}

const longestDescription = 1000;

/** A tool of another extension: its words are not trusted. */
export function otherItem({ name, other, state, isToolsetOff }: OtherRow): vscode.TreeItem {
  const { t } = vscode.l10n;
  const isOn = state === 'on' || state === 'missing';
  const cost =
    other &&
    tokensText(tokensOf({ ...other, input: { jsonSchema: other.inputSchema, isForeign: true, parse: String } }));
  // Of one that an extension gave us.
  const [extension] = name.includes('/') ? name.split('/') : [];
  const problem = {
    changed: t('changed, confirm again'),
    missing: t('not available now'),
    on: isToolsetOff ? t('its toolset is off') : undefined,
    off: undefined,
  }[state];
  return checkedRow({
    id: ids.other + name,
    label: plain(name.split('/').at(-1) ?? name),
    description: [problem, cost, riskText('execute').text, extension && plain(extension)]
      .filter((part) => part !== undefined)
      .join(' · '),
    details: [
      ...(state === 'changed'
        ? [t('Its name, description or parameters have changed since you confirmed it, so it is turned off.')]
        : []),
      ...(other === undefined ? [] : [shortened(plain(other.description), longestDescription)]),
    ],
    icon:
      problem === undefined
        ? new vscode.ThemeIcon(riskText('execute').icon)
        : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    isOn,
  });
}
