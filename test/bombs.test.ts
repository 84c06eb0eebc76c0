import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NotebookEdit } from '#base/nativeEdit.ts';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { readConfigurationFile } from '#connect/configurationFile.ts';
import { hooksDisabledBy } from '#connect/hooks/hooksDisabledBy.ts';
import { jsonFormat } from '#connect/jsonFormat.ts';
import { namesakesIn } from '#connect/namesakes.ts';
import { parseRule } from '#policy/ruleSchema.ts';
import { subjectOfProposal } from '#policy/subject.ts';
import { notebookAfter } from '#tools/edit/notebook.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { edit, pathOf } from './changes/queueSetUp.ts';
import { temporaryMachine } from './connect/temporaryMachine.ts';
import { ToolRun } from './tools/workspace/toolRun.ts';

const levels = 100_000;
/** JSON that is nested so deep that a program which calls itself for each level runs out of stack. */
const deepList = '['.repeat(levels) + ']'.repeat(levels);
const deepObject = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('JSON that is nested 100,000 levels deep', () => {
  it.each([deepList, deepObject, '['.repeat(levels), `{ /* no */ "a":${deepList},}`])(
    'is refused by Connect with words',
    (text) => {
      expect(() => jsonFormat.read(text)).toThrow(/nested too deep/);
      expect(() => jsonFormat.set(text, ['mcpServers', 'drawbridge'], {})).toThrow(/nested too deep/);
    },
  );

  it('P26: hides no servers of our name in other files', () => {
    const served = {
      assistant: 'A',
      file: '/w/.mcp.json',
      keys: [['mcpServers']],
      text: `{"mcpServers":${deepObject},}`,
    };
    expect(namesakesIn([served], { launcher: '/bin/drawbridge' })).toEqual([]);
  });

  it('does not pass as a notebook', () => {
    const change: NotebookEdit = { kind: 'notebook', path: 'a', mode: 'insert', source: 'x' };
    for (const text of [deepList, `{"cells":[{"source":"","metadata":${deepObject}}]}`]) {
      expect(() => notebookAfter(pathOf('a.ipynb'), text, change)).toThrow(/is not a Jupyter notebook/);
    }
  });

  it('in a package.json counts as a change of what it runs', () => {
    const change = edit('package.json', '{}', `{"scripts":${deepObject}}`);
    const subject = subjectOfProposal({ kind: 'changes', files: [change] }, 'edit', { home: '/h', privateFolders: [] });
    expect(subject.protectedBy[0]).toContain('package.json');
  });

  it('does not pass as a rule', () => {
    for (const rule of [deepList, deepObject, `{"effect":"allow","class":"edit","paths":${deepList}}`]) {
      expect(parseRule(JSON.parse(rule), { tools: [] }).invalid).toBeDefined();
    }
  });
});

describe('the configuration file of an assistant', () => {
  it('makes the reader throw and turns no hook off when it has 50 MB', async () => {
    const machine = await temporaryMachine();
    const folder = join(machine.home, 'shop');
    const file = join(folder, '.claude', 'settings.json');
    await mkdir(join(folder, '.claude'), { recursive: true });
    writeFileSync(file, '{"disableAllHooks": true}');
    truncateSync(file, 50 * 1024 * 1024);
    await expect(readConfigurationFile(file)).rejects.toThrow('larger than 10 MiB');
    expect(await hooksDisabledBy(claudeCode, machine, [folder])).toBeUndefined();
  });

  it.runIf(process.platform !== 'win32')('P26: makes nobody wait when it is a pipe', async () => {
    const machine = await temporaryMachine();
    const folder = join(machine.home, 'shop');
    await mkdir(join(folder, '.claude'), { recursive: true });
    expect(spawnSync('mkfifo', [join(folder, '.claude', 'settings.json')]).status).toBe(0);
    expect(await hooksDisabledBy(claudeCode, machine, [folder])).toBeUndefined();
  });

  it('turns no hook off when it is nested too deep', async () => {
    const machine = await temporaryMachine();
    const folder = join(machine.home, 'shop');
    await mkdir(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude', 'settings.json'), `${deepList},`);
    expect(await hooksDisabledBy(claudeCode, machine, [folder])).toBeUndefined();
  });
});

describe('read_file', () => {
  const png = (width: number, height: number): Buffer => {
    const bytes = Buffer.alloc(64);
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1').copy(bytes);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    bytes.write('IEND', 56, 'latin1');
    return bytes;
  };
  const read = (name: string, content: string | Buffer) => {
    const run = new ToolRun({ [`/w/${name}`]: content });
    return { run, data: run.data(readFile, { path: name }) };
  };

  it('P26: refuses an image of 60,000 x 60,000 pixels and names its size', async () => {
    const { run, data } = read('a.png', png(60_000, 60_000));
    await expect(data).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining('60000 x 60000') });
    expect(run.media).toEqual([]);
  });

  it('refuses an image that is cut off', async () => {
    await expect(read('a.png', png(10, 10).subarray(0, 50)).data).rejects.toMatchObject({ code: 'binary_file' });
  });

  it('attaches an animated GIF of many frames unchanged', async () => {
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
    const gif = Buffer.concat([
      Buffer.from('GIF89a', 'latin1'),
      Buffer.from([1, 0, 1, 0, 0, 0, 0]),
      ...Array(10_000).fill(frame),
    ]);
    expect(await read('a.gif', gif).data).toMatchObject({ kind: 'image', width: 1, height: 1 });
  });

  it('reads an SVG with entities as plain text and expands none of them', async () => {
    const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join('\n');
    const svg = `<!DOCTYPE svg [<!ENTITY a0 "ha">\n${entities}]><svg>&a9;</svg>`;
    const data = await read('a.svg', svg).data;
    expect(JSON.stringify(data)).toContain('&a9;');
    expect(JSON.stringify(data).length).toBeLessThan(2 * svg.length + 1000);
  });

  it.each([
    ['a zip', Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(1000)])],
    ['a gzip', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(1000)])],
    ['a program', Buffer.concat([Buffer.from('\u007fELF', 'latin1'), Buffer.alloc(1000)])],
  ])('refuses %s as a binary file and does not unpack it', async (_what, bytes) => {
    await expect(read('a.bin', bytes).data).rejects.toMatchObject({ code: 'binary_file' });
  });
});
