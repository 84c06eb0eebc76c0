import * as vscode from 'vscode';
import { plain, shortened } from '#base/visibleText.ts';
import { toldOf, type OtherTool, type ToolPin } from '#call/ports/otherTools.ts';
import type { Tool } from '#call/tool.ts';
import { withKinds } from '#call/toolKinds.ts';
import { isOnByItself, type ToolChoices } from '#call/windowCatalog.ts';

/**
 * The user's choices with one tool, or one kind of a tool, turned on or off. A tool is turned on or off with all its kinds. A
 * choice that the tool of the kind, or the toolset, makes anyway is not written down.
 */
export function withTool(choices: ToolChoices, tool: Tool, isOn: boolean): ToolChoices {
  const rest = without(choices, [tool]);
  const ofTool = tool.kindOf === undefined ? undefined : rest[tool.kindOf];
  const byItself = ofTool ?? rest[tool.toolset] ?? isOnByItself(tool);
  return byItself === isOn ? rest : { ...rest, [tool.name]: isOn };
}

/** The user's choices with every tool of a toolset turned on or off. */
export function withToolset(choices: ToolChoices, toolset: string, tools: readonly Tool[], isOn: boolean): ToolChoices {
  const ofToolset = tools.filter((tool) => tool.toolset === toolset);
  return { ...without(choices, ofToolset), [toolset]: isOn };
}

/** The choices without those of some tools and their kinds. */
function without(choices: ToolChoices, tools: readonly Tool[]): ToolChoices {
  const names = new Set(withKinds(tools).map(({ name }) => name));
  return Object.fromEntries(Object.entries(choices).filter(([name]) => !names.has(name)));
}

export function withPin(pins: readonly ToolPin[], { name, hash }: ToolPin): readonly ToolPin[] {
  return [...withoutPin(pins, name), { name, hash }];
}

export function withoutPin(pins: readonly ToolPin[], name: string): readonly ToolPin[] {
  return pins.filter((pin) => pin.name !== name);
}

/** Code points of the name in the question. */
const longestName = 200;

/** Shows the user exactly what assistants would be told of a tool that is not ours, and asks whether they want that (threat row A50). */
export async function confirmOther(other: OtherTool, isChanged: boolean): Promise<boolean> {
  const { t } = vscode.l10n;
  const shownName = shortened(plain(other.name), longestName);
  const question = isChanged
    ? t('{0} has changed. Offer it to assistants as it is now?', shownName)
    : t('Offer {0} to assistants?', shownName);
  const told = toldOf(other);
  const detail = [
    t(
      'This tool comes from another extension, and Drawbridge cannot know what it does. You are asked before each use, unless a rule of yours allows it.',
    ),
    t('Assistants are told:'),
    told.title,
    // On one line, so that no line of it is taken for words of this dialog.
    plain(told.description),
    t('Parameters, as a JSON Schema: {0}', JSON.stringify(told.inputSchema, undefined, 1)),
    t('If any of this changes, the tool is turned off until you confirm it again.'),
  ].join('\n\n');
  const offer = t('Offer');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, offer)) === offer;
}
