import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { WindowCatalog, type ToolChoices } from '#call/windowCatalog.ts';
import { modes, type Mode } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';

let choices: ToolChoices;
let mode: Mode;
let isTrusted: boolean;
let catalog: WindowCatalog;
/** The version at each time that a change was told. */
let told: number[];

const names = (): readonly string[] => catalog.offered.map(({ name }) => name);
const every = tools.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));

beforeEach(() => {
  [choices, mode, isTrusted, told] = [{}, 'manual', true, []];
  catalog = new WindowCatalog({
    tools,
    sources: [],
    resources: [],
    prompts: [],
    choices: () => choices,
    mode: () => mode,
    isTrusted: () => isTrusted,
  });
  catalog.onDidChange(() => void told.push(catalog.version));
});

test('offers every tool in its order until the user says otherwise', () => {
  expect(names()).toEqual(every);
  catalog.refresh();
  expect([told, catalog.version]).toEqual([[], 1]);
});

test('what is turned off is offered no more, and the change is told once', () => {
  choices = { edit: false, list_changes: true, read_files: false };
  catalog.refresh();
  catalog.refresh();
  const ofEdit = tools.flatMap(({ name, toolset }) => (toolset === 'edit' ? [name] : []));
  expect(names()).toEqual(
    every.filter((name) => name === 'list_changes' || (name !== 'read_files' && !ofEdit.includes(name))),
  );
  expect(told).toEqual([2]);
  const off = tools.filter((tool) => catalog.isTurnedOff(tool)).map(({ name }) => name);
  expect(off).toEqual(tools.flatMap(({ name }) => (names().includes(name) ? [] : [name])));
  choices = {};
  catalog.refresh();
  expect([names(), told]).toEqual([every, [2, 3]]);
});

test('names that mean nothing, or something to JavaScript, change nothing', () => {
  choices = { toString: false, constructor: false, editors: false, READ_FILE: false };
  catalog.refresh();
  expect([names(), told]).toEqual([every, []]);
});

test('in the mode that only reads nothing is offered that changes something, though none of it is turned off', () => {
  mode = 'readOnly';
  catalog.refresh();
  const changing = tools.flatMap((tool) => ('propose' in tool && tool.risk !== 'ui' ? [tool.name] : []));
  expect(names()).toEqual(every.filter((name) => !changing.includes(name)));
  expect(names()).toContain('get_approval');
  expect(tools.filter((tool) => catalog.isTurnedOff(tool)).map(({ name }) => name)).toEqual(
    tools.flatMap(({ name, isOptional }) => (isOptional ? [name] : [])),
  );
  expect(told).toEqual([2]);
});

test('without trust only that is offered which works without it', () => {
  isTrusted = false;
  catalog.refresh();
  // Nothing of them runs what the folder holds: no search, no language service.
  const without = ['get_workspace', 'list_directory', 'read_file', 'read_files', 'get_approval', 'get_editor_state'];
  expect(names().toSorted()).toEqual(without.toSorted());
  expect(told).toEqual([2]);
});

test('the version is another one exactly when other tools are offered, whatever happens in whatever order', () => {
  const state = fc.record({
    choices: fc.dictionary(fc.constantFrom('workspace', 'edit', ...every), fc.boolean()),
    mode: fc.constantFrom(...modes),
    isTrusted: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(state), (states) => {
      for (const next of states) {
        const before = { version: catalog.version, names: names(), told: told.length };
        ({ choices, mode, isTrusted } = next);
        catalog.refresh();
        const isOther = JSON.stringify(before.names) !== JSON.stringify(names());
        expect([catalog.version - before.version, told.length - before.told]).toEqual(isOther ? [1, 1] : [0, 0]);
      }
    }),
  );
});
