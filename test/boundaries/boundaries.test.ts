import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepestRoom, entrances, mostFilesOfBase, onlyIn, rooms } from './rooms.ts';

const files = globSync('{src,test}/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));
const specifiers = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|[mM]ock\()\s*'([^'\n]+)'/g;

/** Returns the room of a file of `src`, the longest folder that has a row, or `test` for every file below `test`. */
function roomOf(file: string): string {
  if (!file.startsWith('src/')) return 'test';
  return deepestRoom(Object.keys(rooms), 'src', file) ?? 'no room';
}

/** Returns the target of an import: a file of this repository, or a package. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
}

const isBelow = (folder: string, file: string): boolean => file.startsWith(`src/${folder}`);
const knowsEditor = (file: string): boolean =>
  /^src\/(?:[^/]+\/editor|editor|main|ui)\//.test(file) && !isBelow('ui/page/', file) && !isBelow('tools/', file);

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Returns why a file may not import the target; undefined when it may. */
function refusal(file: string, specifier: string): string | undefined {
  const target = targetOf(file, specifier);
  const [from, to] = [roomOf(file), roomOf(target)];
  if (!/^(src|test)\//.test(target)) {
    if (from === 'test' || target.startsWith('node:')) return undefined;
    if (target === 'vscode')
      return knowsEditor(file) ? undefined : 'only editor, ui, main and editor folders import vscode';
    const isListed = rooms[from]?.packages.some((name) => target === name || target.startsWith(`${name}/`)) ?? false;
    const folder = onlyIn[target];
    if (folder !== undefined && !file.startsWith(folder)) return `only ${folder} imports ${target}`;
    return isListed ? undefined : `${from} may not import the package ${target}`;
  }
  if (from === to)
    return specifier.startsWith('#') && from !== 'test' ? 'within a room imports are relative' : undefined;
  if (target.startsWith('test/')) return 'src never imports test';
  if (!specifier.startsWith('#') && folderOf(file) !== folderOf(target)) return 'between rooms imports go by alias';
  if (from === 'test') return undefined;
  if (!rooms[from]?.rooms.includes(to)) return `${from} may not import ${to}`;
  const allowed = entrances[`${from} > ${to}`];
  if (allowed && !allowed.some((start) => isBelow(start, target))) return `${from} may not import this part of ${to}`;
  return undefined;
}

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(specifiers)].map(([, specifier]) => specifier ?? '');

const runTimeImportsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^'\n]+)';$/gm)]
    .map(([, specifier]) => targetOf(file, specifier ?? ''))
    .filter((target) => target.endsWith('.ts'));

/** Returns the files of one cycle, in order; undefined when there is none. */
function cycleOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    done.add(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...way, file]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

describe('the map of the rooms', () => {
  it('holds for every import of src and test', () => {
    const refused = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const why = refusal(file, specifier);
        return why === undefined ? [] : [`${file} imports ${specifier}: ${why}`];
      }),
    );
    expect(refused).toEqual([]);
  });

  it('has a row for every folder of src and a folder for every row', () => {
    expect(files.filter((file) => roomOf(file) === 'no room')).toEqual([]);
    expect(Object.keys(rooms).filter((name) => !existsSync(`src/${name}`))).toEqual([]);
  });

  it('lets no two rooms import each other', () => {
    const reach = (from: string, seen = new Set<string>()): Set<string> => {
      for (const to of rooms[from]?.rooms ?? []) if (!seen.has(to)) reach(to, seen.add(to));
      return seen;
    };
    expect(Object.keys(rooms).filter((name) => reach(name).has(name))).toEqual([]);
  });

  it('has no cycle of files at run time', () => {
    expect(cycleOf(new Map(files.map((file) => [file, runTimeImportsOf(file)])))).toBeUndefined();
  });

  it('keeps pure files from importing a file that imports vscode', () => {
    const impure = files.filter((file) => file.startsWith('src/') && !knowsEditor(file));
    const wrong = impure.flatMap((file) =>
      importsOf(file).flatMap((specifier) => (knowsEditor(targetOf(file, specifier)) ? [`${file} ${specifier}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  it('limits base to its closed list of files', () => {
    expect(files.filter((file) => file.startsWith('src/base/')).length).toBeLessThanOrEqual(mostFilesOfBase);
  });
});

/** One forbidden import for each room: [file, specifier]. */
const planted: readonly (readonly [file: string, specifier: string])[] = [
  ['src/base/planted.ts', '#home/windowFiles.ts'],
  ['src/home/planted.ts', '#audit/auditLog.ts'],
  ['src/audit/planted.ts', '#policy/decide.ts'],
  ['src/syntax/planted.ts', '#policy/decide.ts'],
  ['src/policy/planted.ts', '#syntax/syntaxParser.ts'],
  ['src/colours/planted.ts', '#ui/page/messages.ts'],
  ['src/policy/planted.ts', '#call/callTool.ts'],
  ['src/policy/planted.ts', '#policy/editor/modes.ts'],
  ['src/policy/editor/planted.ts', '#changes/queue.ts'],
  ['src/files/planted.ts', '#changes/queue.ts'],
  ['src/search/planted.ts', 'vscode'],
  ['src/language/planted.ts', '#call/tool.ts'],
  ['src/changes/planted.ts', '#call/callTool.ts'],
  ['src/changes/planted.ts', '../call/callTool.ts'],
  ['src/call/planted.ts', '@modelcontextprotocol/server'],
  ['src/call/planted.ts', 'vscode'],
  ['src/tools/workspace/planted.ts', '#call/callTool.ts'],
  ['src/tools/editor/planted.ts', 'vscode'],
  ['src/editor/planted.ts', '#mcp/listener.ts'],
  ['src/connect/planted.ts', '#ui/statusBar.ts'],
  ['src/ui/planted.ts', '#mcp/listener.ts'],
  ['src/ui/page/planted.ts', '#call/tool.ts'],
  ['src/ui/page/planted.ts', 'vscode'],
  ['src/mcp/planted.ts', '@modelcontextprotocol/server'],
  ['src/mcp/planted.ts', '#tools/index.ts'],
  ['src/mcp/protocol/planted.ts', '#changes/queue.ts'],
  ['src/mcp/wire/planted.ts', '#mcp/listener.ts'],
  ['src/bridge/planted.ts', '#mcp/listener.ts'],
  ['src/bridge/planted.ts', '#connect/configuration.ts'],
  ['src/main/planted.ts', '#bridge/bridge.ts'],
  ['src/main/planted.ts', '../../test/fakes/clock.ts'],
  ['test/call/planted.test.ts', '../../src/call/callTool.ts'],
];

describe('a planted import', () => {
  it.each(planted)('is refused when %s imports %s', (file, specifier) => {
    expect(refusal(file, specifier)).toBeDefined();
  });

  it('is found when it closes a cycle', () => {
    expect(
      cycleOf(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b', 'c', 'b']);
  });

  it('is planted in every room', () => {
    expect(Object.keys(rooms).filter((name) => !planted.some(([file]) => roomOf(file) === name))).toEqual([]);
  });
});
