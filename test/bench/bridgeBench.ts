import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installLauncher, launcherPath } from '#home/launcher/installLauncher.ts';
import { repository } from '../host/hostFolder.ts';
import type { Measurement } from './report.ts';
import { median, takeTurns, timed } from './statistics.ts';

const [rounds, warmUp] = [40, 5];
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
};

/** Measures how long an assistant waits for the start of the bundled bridge, compared with the start of Node. */
export async function benchBridge(): Promise<Measurement[]> {
  const home = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  const environment = { ...process.env, DRAWBRIDGE_HOME: home };
  const { platform, execPath } = process;
  try {
    await installLauncher({ home, extensionPath: repository, version: '0.1.0', execPath, platform });
    const launcher = launcherPath(home);
    // From here on the launcher remembers the runtime.
    spawnSync(launcher, ['--version'], { env: environment });
    const samples = await takeTurns(
      {
        node: async () =>
          (await timed(async () => spawnSync(execPath, ['-e', '0'], { env: environment }))).milliseconds,
        bridge: async () => firstAnswer(execPath, [join(repository, 'dist/bridge.cjs')], environment),
        launcher: async () => firstAnswer(launcher, [], environment),
      },
      rounds,
      warmUp,
    );
    const runtime = median(samples.node);
    const row = (what: string, name: 'bridge' | 'launcher'): Measurement => ({
      topic: 'bridge',
      what,
      value: median(samples[name]) - runtime,
      unit: 'ms',
      target: { atMost: 150 },
      detail: `from the start to the answer to initialize, minus node -e 0 (${runtime.toFixed(0)} ms); ${rounds} starts`,
      samples: { [name]: samples[name], node: samples.node },
    });
    return [row('start, bridge alone', 'bridge'), row('start through the launcher', 'launcher')];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of a program to its answer to `initialize`. Throws when it answers something else. */
async function firstAnswer(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { milliseconds, value: child } = await timed(async () => {
    const started = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    started.stdin.write(`${JSON.stringify(initialize)}\n`);
    const [line] = await once(createInterface(started.stdout), 'line');
    if (!String(line).includes('"serverInfo"')) throw new Error(`${program} answered ${String(line)}`);
    return started;
  });
  child.stdin.end();
  await once(child, 'exit');
  return milliseconds;
}
