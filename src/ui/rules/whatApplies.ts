import * as vscode from 'vscode';
import type { Risk } from '#base/toolError.ts';
import { plain } from '#base/visibleText.ts';
import { kindsOf } from '#call/toolKinds.ts';
import type { Tool } from '#call/tool.ts';
import type { Decision } from '#policy/decide.ts';
import { effectIcon, effectText } from './decisionText.ts';
import { modeDetail, modeIcon, modeName } from './modeText.ts';
import { ordinaryFile, tryCallOn, type TriedPolicy } from './toolDecisions.ts';

/** A kind of tool call, for which the Rules view says in one row what applies. */
interface Kind {
  readonly id: string;
  readonly label: string;
  /** The risks of its tools; the first is that of the kind itself. */
  readonly risks: readonly [Risk, ...Risk[]];
  /** The file that stands for all files of the kind, by names from the workspace folder down. */
  readonly file: readonly string[];
  /** The words for a refusal of this kind; the usual words when absent. */
  readonly denied?: string;
}

const prefix = 'kind ';

/** Returns the rows that say what applies now: the mode, and what happens to each kind of call. */
export function appliesRows(tools: readonly Tool[], situation: TriedPolicy): readonly vscode.TreeItem[] {
  return [modeRow(situation), ...kindsIn(situation).map((kind) => kindRow(kind, tools, situation))];
}

/** Returns the tools whose decision differs from that of the kind of this row; nothing for another row. */
export function differingRows(
  parent: vscode.TreeItem,
  tools: readonly Tool[],
  situation: TriedPolicy,
): readonly vscode.TreeItem[] {
  const kind = kindsIn(situation).find(({ id }) => `${prefix}${id}` === parent.id);
  return kind === undefined ? [] : differing(kind, tools, situation).map((each) => toolRow(kind, each));
}

function modeRow({ policy }: TriedPolicy): vscode.TreeItem {
  const mode = policy.mode();
  const item = new vscode.TreeItem(vscode.l10n.t('Mode: {0}', modeName(mode)));
  item.id = 'mode';
  item.description = modeDetail(mode);
  item.tooltip = modeDetail(mode);
  item.iconPath = new vscode.ThemeIcon(modeIcon(mode));
  item.contextValue = 'mode';
  item.command = { command: 'drawbridge.setMode', title: vscode.l10n.t('Set Mode...') };
  return item;
}

/** Without a folder there are no protected and no secret files. */
function kindsIn({ workspace }: TriedPolicy): readonly Kind[] {
  const { t } = vscode.l10n;
  const kinds: readonly Kind[] = [
    { id: 'read', label: t('Read'), risks: ['read', 'ui'], file: ordinaryFile },
    { id: 'edit', label: t('Edit'), risks: ['edit'], file: ordinaryFile },
    { id: 'delete', label: t('Delete'), risks: ['delete'], file: ordinaryFile },
    { id: 'run', label: t('Run commands'), risks: ['execute', 'network', 'config'], file: ordinaryFile },
  ];
  if (workspace.folders().length === 0) return kinds;
  return [
    ...kinds,
    { id: 'protected', label: t('Edit protected files'), risks: ['edit'], file: ['.vscode', 'tasks.json'] },
    { id: 'secret', label: t('Read secret files'), risks: ['read'], file: ['.env'], denied: t('never') },
  ];
}

function kindRow(kind: Kind, tools: readonly Tool[], situation: TriedPolicy): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { effect, reason } = decisionOf(kind, situation);
  const count = differing(kind, tools, situation).length;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(kind.label, count === 0 ? None : Collapsed);
  const text = effect === 'deny' ? (kind.denied ?? effectText(effect)) : effectText(effect);
  const except = count === 0 ? [] : [count === 1 ? t('1 tool differs') : t('{0} tools differ', count)];
  item.id = `${prefix}${kind.id}`;
  item.description = [text, ...except].join(' · ');
  item.tooltip = `${kind.label}: ${text}\n${plain(reason)}`;
  item.iconPath = new vscode.ThemeIcon(effectIcon(effect));
  item.contextValue = 'kind';
  item.accessibilityInformation = { label: `${kind.label}: ${[text, ...except].join(', ')}` };
  return item;
}

interface ToolDecision {
  readonly tool: Tool;
  readonly decision: Decision;
}

/** The decision about a tool of the kind that no rule and no setting names. */
function decisionOf({ risks: [risk], file }: Kind, situation: TriedPolicy): Decision {
  const tool = { name: '', risk, worksUntrusted: risk === 'read' };
  return tryCallOn(file, tool, situation);
}

function differing(kind: Kind, tools: readonly Tool[], situation: TriedPolicy): readonly ToolDecision[] {
  const { effect } = decisionOf(kind, situation);
  return tools
    .flatMap(kindsOf)
    .filter(({ risk }) => kind.risks.includes(risk))
    .map((tool) => ({ tool, decision: tryCallOn(kind.file, tool, situation) }))
    .filter(({ decision }) => decision.effect !== effect);
}

function toolRow(kind: Kind, { tool, decision: { effect, reason } }: ToolDecision): vscode.TreeItem {
  const item = new vscode.TreeItem(tool.name);
  item.id = `tool ${kind.id} ${tool.name}`;
  item.description = [effectText(effect), plain(reason)].join(' · ');
  item.tooltip = `${tool.title}\n${item.description}`;
  item.iconPath = new vscode.ThemeIcon(effectIcon(effect));
  item.contextValue = 'tool';
  item.accessibilityInformation = { label: `${tool.name}, ${item.description}` };
  return item;
}
