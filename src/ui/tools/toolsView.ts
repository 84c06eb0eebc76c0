import * as vscode from 'vscode';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import type { Toolset } from '#base/toolError.ts';
import { stateOf, type OtherTool, type OtherTools, type OtherToolState, type ToolPin } from '#call/ports/otherTools.ts';
import type { Tool } from '#call/tool.ts';
import { kindsOf, withKinds } from '#call/toolKinds.ts';
import type { ToolChoices, WindowCatalog } from '#call/windowCatalog.ts';
import type { LateView, TreeSource } from '../lateTree.ts';
import { rowId } from '../rowId.ts';
import { findTools, type FoundTool } from './findTool.ts';
import { confirmOther, withoutPin, withPin, withTool, withToolset } from './switchTools.ts';
import {
  kindItem,
  otherItem,
  othersId,
  othersItem,
  othersText,
  switchedBy,
  toolItem,
  toolsetItem,
} from './toolItems.ts';
import { riskText, tokensOf, tokensText, toolsetText } from './toolText.ts';

export interface ToolsViewOptions {
  readonly view: {
    readonly tree: LateView['tree'];
    readonly view: Pick<
      vscode.TreeView<vscode.TreeItem>,
      'visible' | 'description' | 'onDidChangeVisibility' | 'onDidChangeCheckboxState'
    >;
  };
  readonly catalog: Pick<WindowCatalog, 'tools' | 'isTurnedOff' | 'onDidChange'>;
  /** Those of the catalog that are tools of other extensions. */
  readonly relayed: () => readonly Tool[];
  readonly otherTools: Pick<OtherTools, 'all' | 'watch' | 'onDidChange'>;
  readonly choices: () => ToolChoices;
  readonly pins: () => readonly ToolPin[];
  /** Choices or pins are other ones. */
  readonly onDidChangeSettings: Event<void>;
  readonly saveChoices: (choices: ToolChoices) => PromiseLike<void>;
  readonly savePins: (pins: readonly ToolPin[]) => PromiseLike<void>;
  readonly onError: (error: unknown) => void;
}

/** Every tool with what it does at worst, what it costs, and whether assistants are offered it. */
export class ToolsView implements Subscription {
  readonly #options: ToolsViewOptions;
  readonly #redraw = new Emitter<void>();
  readonly #subscriptions: readonly Subscription[];
  #watching: Subscription | undefined;

  constructor(options: ToolsViewOptions) {
    this.#options = options;
    const { view, catalog, otherTools, onDidChangeSettings, onError } = options;
    const source: TreeSource = { items: (parent) => this.#items(parent), onDidChange: this.#redraw.event };
    this.#subscriptions = [
      ...[catalog.onDidChange, otherTools.onDidChange, onDidChangeSettings].map((changed) =>
        changed(() => this.#draw()),
      ),
      view.view.onDidChangeCheckboxState(({ items }) => void this.#switchRows(items).catch(onError)),
      view.view.onDidChangeVisibility(() => this.#watch()),
      view.tree.attach(source),
    ];
    this.#draw();
    this.#watch();
  }

  dispose(): void {
    this.#watching?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Turns what a row stands for on or off; does nothing for anything else. */
  async turn(row: unknown, isOn: boolean): Promise<void> {
    await this.#switch(rowId(row), isOn);
  }

  /** Lets the user search all tools, and turns on and off what they check. */
  async findTool(): Promise<void> {
    const changed = await findTools([...this.#own().map(this.#found), ...this.#others().map(foundOther)]);
    const tools = changed.filter(({ kind }) => kind === 'tool');
    let choices = this.#options.choices();
    for (const { name, isOn } of tools) {
      const tool = this.#own().find((each) => each.name === name);
      if (tool !== undefined) choices = withTool(choices, tool, isOn);
    }
    if (tools.length > 0) await this.#options.saveChoices(choices);
    for (const { kind, name, isOn } of changed) {
      if (kind === 'other') await this.#switchOther(name, isOn);
    }
  }

  #items(parent: vscode.TreeItem | undefined): readonly vscode.TreeItem[] {
    if (parent === undefined) return this.#sections();
    if (parent.id === othersId) {
      const isToolsetOff = this.#options.choices()['commands'] === false;
      return this.#others().map((row) => otherItem({ ...row, isToolsetOff }));
    }
    const section = switchedBy(parent.id);
    if (section?.kind === 'toolset') {
      return this.#own()
        .filter(({ toolset }) => toolset === section.name)
        .map((tool) => toolItem(tool, (each) => this.#isOn(each)));
    }
    const tool = this.#own().find(({ name }) => section?.kind === 'tool' && name === section.name);
    const kinds = tool === undefined ? [] : kindsOf(tool);
    return kinds.length > 1 ? kinds.map((kind) => kindItem(kind, this.#isOn(kind))) : [];
  }

  #sections(): readonly vscode.TreeItem[] {
    const tools = this.#own();
    const toolsets = new Set<Toolset>(tools.map(({ toolset }) => toolset));
    const others = this.#others();
    return [
      ...[...toolsets].map((toolset) =>
        toolsetItem(
          toolset,
          tools.filter((tool) => tool.toolset === toolset),
          (tool) => this.#isOn(tool),
        ),
      ),
      ...(others.length === 0 ? [] : [othersItem(others.filter(({ state }) => state === 'on').length, others.length)]),
    ];
  }

  #own(): readonly Tool[] {
    const relayed = new Set(this.#options.relayed());
    return this.#options.catalog.tools.filter((tool) => !relayed.has(tool));
  }

  #others(): readonly ShownOther[] {
    const pins = this.#options.pins();
    const others = this.#options.otherTools.all();
    const names = new Set(others.map(({ name }) => name));
    return [
      ...others.map((other) => ({ name: other.name, other, state: stateOf(other, pins) })),
      ...pins
        .filter(({ name }) => !names.has(name))
        .map(({ name }) => ({ name, other: undefined, state: 'missing' as const })),
    ];
  }

  readonly #found = (tool: Tool): FoundTool => ({
    kind: 'tool',
    name: tool.name,
    isOn: this.#isOn(tool),
    group: toolsetText(tool.toolset),
    facts: `${riskText(tool.risk).text} · ${tokensText(tokensOf(tool))}`,
    text: tool.description,
  });

  #isOn(tool: Tool): boolean {
    return !this.#options.catalog.isTurnedOff(tool);
  }

  async #switchRows(rows: readonly (readonly [vscode.TreeItem, vscode.TreeItemCheckboxState])[]): Promise<void> {
    const { Checked } = vscode.TreeItemCheckboxState;
    for (const [{ id }, state] of rows) await this.#switch(id, state === Checked);
    // A box that the user takes back, or that changes nothing, is drawn as it was.
    this.#draw();
  }

  async #switch(id: string | undefined, isOn: boolean): Promise<void> {
    const { choices, saveChoices } = this.#options;
    const switched = switchedBy(id);
    if (switched?.kind === 'toolset') {
      return saveChoices(withToolset(choices(), switched.name, this.#own(), isOn));
    }
    if (switched?.kind === 'other') return this.#switchOther(switched.name, isOn);
    const tool = withKinds(this.#own()).find(({ name }) => name === switched?.name);
    if (tool !== undefined) await saveChoices(withTool(choices(), tool, isOn));
  }

  async #switchOther(name: string, isOn: boolean): Promise<void> {
    const { pins, savePins } = this.#options;
    if (!isOn) return savePins(withoutPin(pins(), name));
    // What the user saw is what is let in, whatever it becomes meanwhile.
    const row = this.#others().find((each) => each.name === name);
    if (row?.other === undefined || row.state === 'on') return;
    if (await confirmOther(row.other, row.state === 'changed')) await savePins(withPin(pins(), row.other));
  }

  #draw(): void {
    const { view, catalog } = this.#options;
    const on = catalog.tools.filter((tool) => this.#isOn(tool));
    view.view.description = tokensText(on.reduce((sum, tool) => sum + tokensOf(tool), 0));
    this.#redraw.fire();
  }

  #watch(): void {
    const { view, otherTools } = this.#options;
    if (view.view.visible) this.#watching ??= otherTools.watch();
    else {
      this.#watching?.dispose();
      this.#watching = undefined;
    }
  }
}

interface ShownOther {
  readonly name: string;
  readonly other: OtherTool | undefined;
  readonly state: OtherToolState;
}

function foundOther({ name, other, state }: ShownOther): FoundTool {
  return {
    kind: 'other',
    name,
    isOn: state === 'on' || state === 'missing',
    group: othersText(),
    facts: riskText('execute').text,
    text: other?.description ?? '',
  };
}
