import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namesakesIn } from '#connect/namesakes.ts';
import { readServerTexts, serverFiles } from '#connect/serverFiles.ts';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { temporaryMachine } from './temporaryMachine.ts';

const other = { command: 'node', args: ['server.js'] };

/** Writes files below a folder of the user, and returns the names of assistants and files of what is found. */
async function foundIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const machine = await temporaryMachine();
  const folder = join(machine.home, 'shop');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll('LAUNCHER', machine.launcher));
  }
  const found = namesakesIn(await readServerTexts([folder], machine), machine);
  return found.map(({ assistant, file }) => `${assistant}: ${file.slice(folder.length + 1)}`);
}

const json = (keys: readonly string[], entry: object): string =>
  JSON.stringify(keys.reduceRight<object>((inner, key) => ({ [key]: inner }), { drawbridge: entry }));

describe('namesakesIn', () => {
  test.each(serverFiles.flatMap(({ path, keys }) => keys.map((each) => [path.join('/'), each] as const)))(
    'G11: finds another program in %s below the keys %j',
    async (name, keys) => {
      const text = name.endsWith('.toml')
        ? `[${keys.join('.')}.drawbridge]\ncommand = "node"\nargs = ["server.js"]\n`
        : json(keys, other);
      expect(await foundIn({ [name]: text })).toEqual([expect.stringContaining(name)]);
    },
  );

  test.each([
    [
      'the launcher',
      '{"mcpServers":{"drawbridge":{"type":"stdio","command":"LAUNCHER","args":["--folder","."],"env":{}}}}',
    ],
    [
      'the launcher by cmd.exe',
      '{"mcpServers":{"drawbridge":{"command":"C:\\\\Windows\\\\System32\\\\cmd.exe","args":["/d","/c","LAUNCHER"]}}}',
    ],
    ['the launcher in one list', '{"mcpServers":{"drawbridge":{"command":["LAUNCHER"]}}}'],
    ['a server of another name', '{"mcpServers":{"drawbridge__x":{"command":"node"},"x":{"command":"drawbridge"}}}'],
    ['a text that is no JSON', 'drawbridge'],
    ['no object', '["drawbridge"]'],
  ])('finds nothing in a file with %s', async (_case, text) => {
    expect(await foundIn({ '.mcp.json': text })).toEqual([]);
  });

  test.each([
    ['a folder of the same name', '{"mcpServers":{"drawbridge":{"command":"/work/shop/bin/drawbridge"}}}'],
    ['the launcher as an argument', '{"mcpServers":{"drawbridge":{"command":"node","args":["LAUNCHER"]}}}'],
    [
      'the launcher with variables',
      '{"mcpServers":{"drawbridge":{"command":"LAUNCHER","env":{"DRAWBRIDGE_HOME":"/x"}}}}',
    ],
    ['a URL', '{"mcpServers":{"drawbridge":{"type":"http","url":"http://127.0.0.1:1/mcp"}}}'],
    ['comments and a missing bracket', '{"mcpServers":{"drawbridge":{"command":"node"} // x\n'],
    ['the entry twice', '{"mcpServers":{"drawbridge":{"command":"LAUNCHER"},"drawbridge":{"command":"node"}}}'],
    ['a byte order mark', '\uFEFF{"mcpServers":{"drawbridge":{"command":"node"}}}'],
  ])('finds another program in a file with %s', async (_case, text) => {
    expect(await foundIn({ '.mcp.json': text })).toEqual(['Claude Code: .mcp.json']);
  });

  test("finds a server that Claude Code has for this folder in the user's own file, and not our own entry there", async () => {
    const machine = await temporaryMachine();
    const file = claudeCode.configurationFile(machine) ?? '';
    const folder = '/work/shop';
    const mcpServers = { drawbridge: { command: machine.launcher, args: [] } };
    mkdirSync(machine.home, { recursive: true });
    writeFileSync(file, JSON.stringify({ mcpServers, projects: { [folder]: { mcpServers: { drawbridge: other } } } }));
    expect(namesakesIn(await readServerTexts([folder], machine), machine)).toMatchObject([{ file }]);
    expect(namesakesIn(await readServerTexts(['/work/other'], machine), machine)).toEqual([]);
  });

  test('gives another id when the file names another program', () => {
    const idOf = (command: string) => {
      const text = json(['mcpServers'], { command });
      return namesakesIn([{ assistant: 'x', file: '/a.json', text, keys: [['mcpServers']] }], { launcher: '/l' })[0]
        ?.id;
    };
    expect(idOf('a')).toBe(idOf('a'));
    expect(idOf('a')).not.toBe(idOf('b'));
  });
});
