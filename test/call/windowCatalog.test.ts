import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { WindowCatalog, type ToolChoices } from '#call/windowCatalog.ts';
import { modes, type Mode } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';

let choices: ToolChoices;
let mode: Mode;
let isTrusted: boolean;
let isHeld: boolean;
let catalog: WindowCatalog;
/** The version at each change event. */
let reported: number[];

const names = (): readonly string[] => catalog.offered.map(({ name }) => name);
const every = tools.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));

beforeEach(() => {
  [choices, mode, isTrusted, isHeld, reported] = [{}, 'manual', true, false, []];
  catalog = new WindowCatalog({
    tools,
    sources: [],
    resources: [],
    prompts: [],
    choices: () => choices,
    mode: () => mode,
    isTrusted: () => isTrusted,
    isHeld: () => isHeld,
  });
  catalog.onDidChange(() => void reported.push(catalog.version));
});

test('offers every tool in its order when the user chose nothing', () => {
  expect(names()).toEqual(every);
  catalog.refresh();
  expect([reported, catalog.version]).toEqual([[], 1]);
});

test('stops offering a tool that is turned off, and fires once', () => {
  choices = { edit: false, list_changes: true, read_files: false };
  catalog.refresh();
  catalog.refresh();
  const ofEdit = tools.flatMap(({ name, toolset }) => (toolset === 'edit' ? [name] : []));
  expect(names()).toEqual(
    every.filter((name) => name === 'list_changes' || (name !== 'read_files' && !ofEdit.includes(name))),
  );
  expect(reported).toEqual([2]);
  const off = tools.filter((tool) => catalog.isTurnedOff(tool)).map(({ name }) => name);
  expect(off).toEqual(tools.flatMap(({ name }) => (names().includes(name) ? [] : [name])));
  choices = {};
  catalog.refresh();
  expect([names(), reported]).toEqual([every, [2, 3]]);
});

test('ignores unknown names and names of JavaScript properties', () => {
  choices = { toString: false, constructor: false, editors: false, READ_FILE: false };
  catalog.refresh();
  expect([names(), reported]).toEqual([every, []]);
});

test('offers no tool that changes something in Read-only mode, though none is turned off', () => {
  mode = 'readOnly';
  catalog.refresh();
  const changing = tools.flatMap((tool) => ('propose' in tool && tool.risk !== 'ui' ? [tool.name] : []));
  expect(names()).toEqual(every.filter((name) => !changing.includes(name)));
  expect(names()).toContain('get_approval');
  expect(tools.filter((tool) => catalog.isTurnedOff(tool)).map(({ name }) => name)).toEqual(
    tools.flatMap(({ name, isOptional }) => (isOptional ? [name] : [])),
  );
  expect(reported).toEqual([2]);
});

test('offers only tools that work without trust when there is no trust', () => {
  isTrusted = false;
  catalog.refresh();
  // None of these tools runs something in the folder: no search, no language service.
  const without = ['get_workspace', 'list_directory', 'read_file', 'read_files', 'get_approval', 'get_editor_state'];
  expect(names().toSorted()).toEqual(without.toSorted());
  expect(reported).toEqual([2]);
});

test('finding 34: offers every reading tool when the user granted trust and has not enabled edits', () => {
  [isTrusted, isHeld] = [false, true];
  catalog.refresh();
  const reading = tools.flatMap(({ name, risk }) => (risk === 'read' && every.includes(name) ? [name] : []));
  expect(names()).toEqual(expect.arrayContaining(reading));
  expect(names()).not.toContain('apply_edit');
});

test('law: changes the version exactly when other tools are offered', () => {
  const state = fc.record({
    choices: fc.dictionary(fc.constantFrom('workspace', 'edit', ...every), fc.boolean()),
    mode: fc.constantFrom(...modes),
    isTrusted: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(state), (states) => {
      for (const next of states) {
        const before = { version: catalog.version, names: names(), reported: reported.length };
        ({ choices, mode, isTrusted } = next);
        catalog.refresh();
        const isOther = JSON.stringify(before.names) !== JSON.stringify(names());
        expect([catalog.version - before.version, reported.length - before.reported]).toEqual(
          isOther ? [1, 1] : [0, 0],
        );
      }
    }),
  );
});
