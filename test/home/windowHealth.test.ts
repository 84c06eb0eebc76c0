import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examineWindow, examineWindows } from '#home/windowHealth.ts';
import { writeWindowFile } from '#home/windowFiles.ts';
import { startSmallWindow } from '../bridge/smallWindow.ts';
import { windowRecord } from '../bridge/windowRecord.ts';
import { startTestServer, temporaryFolder } from '../mcp/fixture.ts';

describe('the health of windows', () => {
  it('reports the state of each window file and changes none', async () => {
    const home = await temporaryFolder();
    const alive = await startSmallWindow(home, 'a-alive', []);
    await startSmallWindow(home, 'b-other-program', [], { status: 404 });
    await (await startSmallWindow(home, 'c-closed', [])).kill();
    await writeWindowFile(home, await windowRecord({ windowId: 'd-wrong-secret', endpoint: alive.record.endpoint }));
    await writeWindowFile(home, await windowRecord({ windowId: 'e-ended', pid: 2 ** 22 + 1 }));
    await writeWindowFile(home, await windowRecord({ windowId: 'f-host', hostName: 'another' }));
    await writeWindowFile(home, await windowRecord({ windowId: 'g-boot', bootId: 'another' }));
    await writeWindowFile(home, await windowRecord({ windowId: 'h-container', pidNamespace: 'another' }));
    await writeFile(join(home, 'windows', 'i-malformed.json'), '{');
    await writeFile(join(home, 'windows', 'j.tmp'), '');
    const states = async (): Promise<string[][]> =>
      (await examineWindows(home)).map(({ file, state }) => [basename(file, '.json'), state]);
    const expected = [
      ['a-alive', 'alive'],
      ['b-other-program', 'refused'],
      ['c-closed', 'refused'],
      ['d-wrong-secret', 'refused'],
      ['e-ended', 'notRunning'],
      ['f-host', 'otherHost'],
      ['g-boot', 'otherHost'],
      ['h-container', 'otherHost'],
      ['i-malformed', 'malformed'],
    ];
    expect(await states()).toEqual(expected);
    expect(await states()).toEqual(expected);
  });

  it('reports notRunning when another process has the pid', async () => {
    const window = await startSmallWindow(await temporaryFolder(), 'one', []);
    // When the start of the process is unknown, only the answer counts.
    const expected = process.platform === 'linux' ? 'notRunning' : 'alive';
    expect(await examineWindow({ ...window.record, processStart: 1 })).toBe(expected);
  });

  it('reports unreachable when a window accepts connections but does not answer', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const record = await windowRecord({ endpoint: `http://127.0.0.1:${port}/mcp` });
    expect(await examineWindow(record, 50)).toBe('unreachable');
  });

  it('reports alive when the real server answers its own secret', async () => {
    const home = await temporaryFolder();
    await startTestServer({ drawbridgeHome: home });
    expect((await examineWindows(home)).map(({ state }) => state)).toEqual(['alive']);
  });

  it('returns nothing when there is no folder of windows', async () => {
    expect(await examineWindows(join(await temporaryFolder(), 'none'))).toEqual([]);
  });
});
