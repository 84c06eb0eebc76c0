import { beforeEach, describe, expect, test } from 'vitest';
import { TreeItemCheckboxState, type TreeCheckboxChangeEvent, type TreeItem } from 'vscode';
import * as z from 'zod';
import { Emitter } from '#base/event.ts';
import type { OtherTool, ToolPin } from '#call/ports/otherTools.ts';
import { defineTool, inputFromZod, outputFromZod, type Tool } from '#call/tool.ts';
import { type ToolChoices, WindowCatalog } from '#call/windowCatalog.ts';
import { RelayedTools } from '#tools/commands/relayedTools.ts';
import { LateTree } from '#ui/lateTree.ts';
import { tokensOf } from '#ui/tools/toolText.ts';
import { ToolsView } from '#ui/tools/toolsView.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeOtherTools, otherTool } from '../../fakes/otherTools.ts';

beforeEach(() => {
  resetEditor();
});

const { Checked, Unchecked } = TreeItemCheckboxState;

interface More extends Pick<Tool, 'isOptional'> {
  readonly namesByKind?: Readonly<Record<string, string>>;
}

function tool(name: string, toolset: Tool['toolset'], more: More = {}): Tool {
  return defineTool({
    name,
    title: `Title of ${name}`,
    description: `Does ${name}.`,
    toolset,
    risk: 'read',
    needs: [],
    input: inputFromZod(z.strictObject({})),
    output: outputFromZod(z.object({})),
    targets: () => [],
    run: async () => ({}),
    render: () => ({ text: '' }),
    ...more,
  });
}

function scene(others: readonly OtherTool[] = [], own: readonly Tool[] = []) {
  const otherTools = new FakeOtherTools();
  otherTools.tools = others;
  let choices: ToolChoices = {};
  let pins: readonly ToolPin[] = [];
  const changed = new Emitter<void>();
  const relayed = new RelayedTools({
    otherTools,
    pins: () => pins,
    onDidChangePins: changed.event,
    onStale: () => undefined,
  });
  const catalog = new WindowCatalog({
    tools: [
      tool('read_file', 'workspace'),
      tool('find_files', 'workspace'),
      tool('ask_user', 'editor', { isOptional: true }),
      ...own,
    ],
    sources: [relayed],
    resources: [],
    prompts: [],
    choices: () => choices,
    mode: () => 'manual',
    isTrusted: () => true,
    isHeld: () => false,
  });
  changed.event(() => catalog.refresh());
  const tree = new LateTree();
  const checked = new Emitter<TreeCheckboxChangeEvent<TreeItem>>();
  const visibility = new Emitter<{ visible: boolean }>();
  const treeView = {
    visible: false,
    description: '',
    onDidChangeCheckboxState: checked.event,
    onDidChangeVisibility: visibility.event,
  };
  const errors: unknown[] = [];
  const save = async (next: ToolChoices): Promise<void> => {
    choices = next;
    changed.fire();
  };
  const view = new ToolsView({
    view: { tree, view: treeView },
    catalog,
    relayed: () => relayed.tools,
    otherTools,
    choices: () => choices,
    pins: () => pins,
    onDidChangeSettings: changed.event,
    saveChoices: save,
    async savePins(next) {
      pins = next;
      changed.fire();
    },
    onError: (error) => errors.push(error),
  });
  const all = (parent?: TreeItem): TreeItem[] => tree.getChildren(parent).flatMap((item) => [item, ...all(item)]);
  const row = (id: string): TreeItem => {
    const found = all().find((item) => item.id === id);
    if (found === undefined) throw new Error(`There is no row ${id}`);
    return found;
  };
  return {
    view,
    otherTools,
    catalog,
    treeView,
    visibility,
    errors,
    row,
    rows: () => all().map((item) => `${boxOf(item)} ${item.id} | ${String(item.description)}`),
    choices: () => choices,
    save,
    pins: () => pins,
    /** Clicks a check box and waits for its effect. */
    check: async (id: string, isOn: boolean): Promise<void> => {
      checked.fire({ items: [[row(id), isOn ? Checked : Unchecked]] });
      await new Promise((resolve) => setImmediate(resolve));
    },
    offered: () => catalog.offered.map(({ name }) => name),
  };
}

function boxOf({ checkboxState: box }: TreeItem): string {
  if (box === undefined) return ' ';
  return (typeof box === 'object' ? box.state : box) === Checked ? 'x' : 'o';
}

describe('the Tools view', () => {
  test('shows every tool by toolset, with its purpose, its cost, and whether it is offered', () => {
    const { rows, treeView, row, catalog } = scene([otherTool()]);
    const costs = catalog.tools.map(tokensOf);
    const [readFile = 0, findFiles = 0, askUser = 0] = costs;
    expect(rows()).toEqual([
      `x toolset:workspace | 2 of 2 · ~${readFile + findFiles} tokens`,
      `x tool:read_file | ~${readFile} tokens · reads`,
      `x tool:find_files | ~${findFiles} tokens · reads`,
      'o toolset:editor | 0 of 1',
      `o tool:ask_user | ~${askUser} tokens · reads`,
      '  others | 0 of 1',
      expect.stringMatching(/^o other:toy_count \| ~\d+ tokens · runs something$/),
    ]);
    expect(treeView.description).toBe(`~${readFile + findFiles} tokens`);
    expect(row('tool:read_file').tooltip).toBe('read_file\n\nTitle of read_file\n\nDoes read_file.');
    expect(row('tool:ask_user').accessibilityInformation?.label).toMatch(/^ask_user, Not offered to assistants, ~/);
  });

  test('computes the cost of a tool from what the model receives, four bytes to a token', () => {
    const input = { jsonSchema: { type: 'object' }, parse: String };
    // {"name":"a","description":"ä","inputSchema":{"type":"object"}} is 63 bytes.
    expect(tokensOf({ name: 'a', description: 'ä', input })).toBe(16);
  });

  test('turns a tool off and on by its check box, and writes no other setting', async () => {
    const { check, offered, choices } = scene();
    await check('tool:read_file', false);
    expect(offered()).toEqual(['find_files']);
    expect(choices()).toEqual({ read_file: false });
    await check('tool:read_file', true);
    expect(choices()).toEqual({});
    await check('tool:ask_user', true);
    expect(choices()).toEqual({ ask_user: true });
    expect(offered()).toEqual(['read_file', 'find_files', 'ask_user']);
  });

  test('turns a tool on and off by the menu of its row too', async () => {
    const { view, row, offered, choices } = scene();
    expect(row('tool:read_file').contextValue).toBe('switch on');
    await view.turn(row('tool:read_file'), false);
    expect(offered()).toEqual(['find_files']);
    expect(row('tool:read_file').contextValue).toBe('switch off');
    await view.turn(row('tool:read_file'), true);
    await view.turn(undefined, true);
    expect(choices()).toEqual({});
  });

  test('applies the check box of a toolset to all of its tools, whatever was chosen before', async () => {
    const { check, offered, choices, rows } = scene();
    await check('tool:read_file', false);
    await check('toolset:workspace', true);
    expect(choices()).toEqual({ workspace: true });
    await check('toolset:workspace', false);
    await check('tool:find_files', true);
    expect(offered()).toEqual(['find_files']);
    expect(rows()[0]).toMatch(/^x toolset:workspace \| 1 of 2 · /);
  });

  test('A9: offers a tool of another extension after the user saw its definition', async () => {
    const other = otherTool({ description: 'Count words.\nThen \u202estop.' });
    const { check, offered, pins, rows } = scene([other]);
    await check('other:toy_count', true);
    expect(pins()).toEqual([]);
    const [question] = editor.shown;
    expect(question?.message).toBe('Offer toy_count to assistants?');
    expect(question?.detail).toContain('Count words. Then <U+202E>stop.\n\nParameters, as a JSON Schema: {\n');
    expect(question?.detail).toContain('"text"');
    editor.answers.push('Offer');
    await check('other:toy_count', true);
    expect(pins()).toEqual([{ name: 'toy_count', hash: other.hash }]);
    expect(offered()).toContain('relay_toy_count');
    expect(rows().filter((row) => row.includes('toy_count'))).toHaveLength(1);
    await check('other:toy_count', false);
    expect(pins()).toEqual([]);
    expect(offered()).not.toContain('relay_toy_count');
  });

  test('A9: turns off a tool that changed, and shows that, until the user confirms it again', async () => {
    const { check, offered, otherTools, rows, row } = scene([otherTool()]);
    editor.answers.push('Offer', 'Offer');
    await check('other:toy_count', true);
    otherTools.become(otherTool({ description: 'Count words, and tell.' }));
    expect(offered()).not.toContain('relay_toy_count');
    expect(rows().at(-1)).toMatch(/^o other:toy_count \| changed, confirm again · ~/);
    expect(row('other:toy_count').accessibilityInformation?.label).toContain('have changed since you confirmed it');
    await check('other:toy_count', true);
    expect(editor.shown.at(-1)?.message).toBe('toy_count has changed. Offer it to assistants as it is now?');
    expect(offered()).toContain('relay_toy_count');
  });

  test('shows a tool that an extension contributed by its own name, with the extension', () => {
    const { row } = scene([otherTool({ name: 'acme.words/count', provider: 'extension' })]);
    const { label, description } = row('other:acme.words/count');
    expect(label).toBe('count');
    expect(description).toMatch(/^~\d+ tokens · runs something · acme\.words$/);
  });

  test('A9: pins the definition that the user saw, not the one that replaced it meanwhile', async () => {
    const other = otherTool();
    const { check, pins, otherTools, offered } = scene([other]);
    editor.answers.push('Offer');
    const asked = check('other:toy_count', true);
    otherTools.become(otherTool({ description: 'Something else.' }));
    await asked;
    expect(pins()).toEqual([{ name: 'toy_count', hash: other.hash }]);
    expect(offered()).not.toContain('relay_toy_count');
  });

  test('shows a chosen tool that is missing, and removes it', async () => {
    const { check, otherTools, rows, pins } = scene([otherTool()]);
    editor.answers.push('Offer');
    await check('other:toy_count', true);
    otherTools.become();
    expect(rows().slice(-2)).toEqual(['  others | 0 of 1', 'x other:toy_count | not available now · runs something']);
    await check('other:toy_count', false);
    expect(pins()).toEqual([]);
  });

  test('shows a chosen tool whose toolset is off', async () => {
    const { check, rows, offered, save } = scene([otherTool()]);
    editor.answers.push('Offer');
    await check('other:toy_count', true);
    await save({ commands: false });
    expect(offered()).not.toContain('relay_toy_count');
    expect(rows().at(-1)).toContain('| its toolset is off · ');
  });

  test('checks and unchecks several tools at once in the search', async () => {
    const { view, offered, choices } = scene([otherTool()]);
    editor.answers.push(['find_files', 'ask_user', 'toy_count'], 'Offer');
    await view.findTool();
    expect(editor.shown[0]?.items?.map(({ label, picked }) => `${label} ${picked}`)).toEqual([
      'read_file true',
      'find_files true',
      'ask_user false',
      'toy_count false',
    ]);
    expect(choices()).toEqual({ read_file: false, ask_user: true });
    expect(offered()).toEqual(['find_files', 'ask_user', 'relay_toy_count']);
    await view.findTool();
    expect(offered()).toEqual(['find_files', 'ask_user', 'relay_toy_count']);
  });

  describe('a tool with kinds', () => {
    const tell = tool('tell', 'language_more', { isOptional: true, namesByKind: { one: 'tell_one', two: 'tell_two' } });
    const rowsOf = ({ rows }: ReturnType<typeof scene>) =>
      rows()
        .slice(-4)
        .map((row) => row.replace(/~\d+/, '~'));

    test('shows its kinds below it, and how many of them are on', async () => {
      const t = scene([], [tell]);
      expect(rowsOf(t)).toEqual([
        'o toolset:language_more | 0 of 1',
        'o tool:tell | 0 of 2 · ~ tokens · reads',
        'o tool:tell_one | reads',
        'o tool:tell_two | reads',
      ]);
      await t.check('tool:tell_two', true);
      expect(t.choices()).toEqual({ tell_two: true });
      expect(t.offered()).toContain('tell');
      expect(rowsOf(t)).toEqual([
        'x toolset:language_more | 1 of 1 · ~ tokens',
        'x tool:tell | 1 of 2 · ~ tokens · reads',
        'o tool:tell_one | reads',
        'x tool:tell_two | reads',
      ]);
    });

    test('turns one kind off and on by its check box, and writes no other setting', async () => {
      const { check, choices, offered, save } = scene([], [tell]);
      await save({ language_more: true });
      await check('tool:tell_one', false);
      expect(choices()).toEqual({ language_more: true, tell_one: false });
      await check('tool:tell_two', false);
      expect(offered()).not.toContain('tell');
      await check('tool:tell_one', true);
      await check('tool:tell_two', true);
      expect(choices()).toEqual({ language_more: true });
    });

    test('applies the check box of the tool or its toolset to all kinds, whatever was chosen before', async () => {
      const { check, choices, offered, save } = scene([], [tell]);
      await save({ tell_one: true });
      await check('tool:tell', false);
      expect(choices()).toEqual({});
      expect(offered()).not.toContain('tell');
      await check('tool:tell', true);
      expect(choices()).toEqual({ tell: true });
      await check('tool:tell_one', false);
      expect(choices()).toEqual({ tell: true, tell_one: false });
      await check('toolset:language_more', false);
      expect(choices()).toEqual({ language_more: false });
    });
  });

  test('looks for changes of other tools while the view is visible', () => {
    const { otherTools, treeView, visibility, view } = scene();
    expect(otherTools.watchers).toBe(0);
    treeView.visible = true;
    visibility.fire({ visible: true });
    expect(otherTools.watchers).toBe(1);
    view.dispose();
    expect(otherTools.watchers).toBe(0);
  });
});
