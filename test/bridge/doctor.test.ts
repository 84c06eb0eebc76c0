import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collectFacts, diagnose, type Facts } from '#bridge/doctor.ts';
import { openWindows } from '#bridge/openWindows.ts';
import type { WindowState } from '#home/windowHealth.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryFolder } from '../mcp/fixture.ts';
import { startSmallWindow } from './smallWindow.ts';
import { elsewhere, folderOf, windowRecord } from './windowRecord.ts';

const template = await windowRecord({ pid: 7, folders: [folderOf('/work/shop')], extensionVersion: '1.2.3' });

const seenAt = Date.UTC(2026, 10, 21);

const well: Facts = {
  version: '1.2.3',
  runtime: 'Node 24.0.0 (/usr/bin/node)',
  home: '/home/user/.drawbridge',
  launcher: { file: '/home/user/.drawbridge/bin/drawbridge', isThere: true },
  setUp: ['codex'],
  lastSeen: new Map([['codex', seenAt]]),
  windows: [{ file: '/w/one.json', record: template, state: 'alive' }],
  chosen: { record: template, reason: 'it is the only window that is open' },
  silent: undefined,
  wanted: 'the folder /work/shop',
  environment: {},
};

const problems = (changes: Partial<Facts>): string[] =>
  diagnose({ ...well, ...changes })
    .text.split('\n')
    .filter((line) => line.trimStart().startsWith('!'));

const withWindow = (state: WindowState | 'otherHost', changes: Partial<WindowRecord> = {}): Partial<Facts> => ({
  windows: [{ file: '/w/one.json', record: { ...template, ...changes }, state }],
});

describe('the Doctor of the bridge', () => {
  it('reports no problem when everything works', () => {
    expect(diagnose(well)).toEqual({
      text: [
        'Drawbridge 1.2.3 on Node 24.0.0 (/usr/bin/node)',
        'Its files: /home/user/.drawbridge',
        'Launcher: /home/user/.drawbridge/bin/drawbridge',
        '',
        'Windows',
        '  Editor "/work/shop" (process 7): answers.',
        '',
        'Assistants',
        `  codex: set up, last seen ${new Date(seenAt).toLocaleString()}.`,
        '',
        'Here',
        '  An assistant that is started here reaches Editor "/work/shop" (process 7): it is the only window that is open.',
        '',
      ].join('\n'),
      isWorking: true,
    });
  });

  it.each<[what: string, changes: Partial<Facts>, problem: RegExp]>([
    ['no launcher', { launcher: { file: '/l', isThere: false } }, /launcher \/l is missing/],
    ['no window', { windows: [] }, /No window is running Drawbridge\. Open a folder/],
    ['nothing set up yet', { windows: [], setUp: [] }, /Connect an Assistant/],
    ['an assistant that never called', { lastSeen: new Map() }, /codex: set up, never called\. Start it in a folder/],
    ['a closed endpoint', withWindow('refused'), /"\/work\/shop".* closed.*Reload the window/],
    ['a busy window', withWindow('unreachable'), /does not answer.*reload the window/],
    ['a malformed file', { windows: [{ file: '/w/x.json', state: 'malformed' }] }, /\/w\/x\.json cannot be read/],
    ['Restricted Mode', withWindow('alive', { trusted: false }), /Restricted Mode\. Trust/],
    ['a window without a folder', withWindow('alive', { folders: [] }), /no folder open/],
    ['no window that fits', { chosen: undefined }, /No window has the folder \/work\/shop open\..*--folder/],
    ['a window that hangs', { chosen: undefined, silent: template }, /here waits for .*shop.*, which does not answer/],
    ['a proxy', { environment: { HTTP_PROXY: 'http://p' } }, /HTTP_PROXY is set.*127\.0\.0\.1/],
    ['a proxy but for others', { environment: { all_proxy: 'x', NO_PROXY: 'localhost, corp' } }, /all_proxy is set/],
  ])('reports %s', (_, changes, problem) => {
    expect(problems(changes).join('\n')).toMatch(problem);
    expect(problems(changes)).toHaveLength(1);
  });

  it.each<[what: string, changes: Partial<Facts>, remark: RegExp]>([
    ['another version', withWindow('alive', { extensionVersion: '1.0.0' }), /runs Drawbridge 1\.0\.0, not 1\.2\.3/],
    ['a program that was set up by hand', { setUp: ['something-else'] }, /Something else was set up by hand/],
    ['no assistant', { setUp: [] }, /None is set up by the editor/],
    ['a file left behind', withWindow('notRunning'), /left its file behind/],
    ['a shared home', withWindow('otherHost', { hostName: 'laptop\u001b[2J' }), /runs on laptop\ufffd\[2J/],
  ])('remarks on %s without calling it a problem', (_, changes, remark) => {
    expect(diagnose({ ...well, ...changes }).text).toMatch(remark);
    expect(problems(changes)).toEqual([]);
  });

  it.each(['127.0.0.1,localhost', 'corp 127.0.0.1', '*', '127.0.0.0/8'])('accepts NO_PROXY=%s', (exceptions) => {
    expect(problems({ environment: { HTTP_PROXY: 'http://p', no_proxy: exceptions } })).toEqual([]);
  });

  it('H13: prints no secret', () => {
    expect(diagnose(well).text).not.toContain(template.token);
  });

  it('reports success only when a window would be reached', () => {
    expect(diagnose({ ...well, chosen: undefined }).isWorking).toBe(false);
  });

  it('collects the facts of this machine', async () => {
    const home = await temporaryFolder();
    await startSmallWindow(home, 'one', ['/work']);
    const wishes = { roots: [], workingDirectory: '/none' };
    const source = await openWindows({ home, clock: new FakeClock(), wishes, surroundings: elsewhere });
    onTestFinished(() => source.dispose());
    const given = { version: '1', runtime: 'Node', environment: {} };
    const before = await collectFacts(home, source, given);
    expect(before).toMatchObject({ launcher: { isThere: false }, setUp: [], windows: [{ state: 'alive' }] });
    expect(before.chosen?.record.windowId).toBe('one');
    await mkdir(join(home, 'bin'));
    await writeFile(before.launcher.file, '');
    await chmod(before.launcher.file, 0o755);
    await writeFile(join(home, 'connected'), 'codex\n../x\n');
    await mkdir(join(home, 'seen'));
    await writeFile(join(home, 'seen', 'codex'), '5\n');
    expect(await collectFacts(home, source, given)).toMatchObject({
      launcher: { isThere: true },
      setUp: ['codex'],
      lastSeen: new Map([['codex', 5]]),
    });
  });
});
