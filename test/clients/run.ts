// npm run test:clients [NAME...]: real MCP clients from npm connect by the configuration that Drawbridge writes for them.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Assistant, Machine } from '#connect/assistant.ts';
import { applyChange, planConnect } from '#connect/configuration.ts';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { type Host, startHost } from '../host/host.ts';
import { packageExtension } from '../host/packageExtension.ts';
import { type Run, startRun } from '../host/processes.ts';
import { progress } from '../host/progress.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import { windowRecordOf } from '../host/windowFile.ts';
import { guardedClaudeCode } from './claudeGuard.ts';
import { guardedCodex } from './codexGuard.ts';
import { filesOfCommands } from './commandCases.ts';
import { guardedCopilot } from './copilotGuard.ts';
import { copilotPackage } from './copilotRun.ts';
import { guardedGemini } from './geminiGuard.ts';
import { guard } from './guard.ts';
import { inspectorRuns } from './inspectorRuns.ts';
import { installClients } from './install.ts';
import { guardedOpencode } from './opencodeGuard.ts';
import { type RealClient, realClients } from './realClients.ts';
import { writeFiles } from './recording.ts';

const secondsToConnect = 60;

interface Report {
  readonly client: string;
  readonly version: string;
  /** What it says of our server; undefined: nothing good. */
  readonly sees: string | undefined;
  /** How the window calls it; undefined: the window has not met it. */
  readonly window: string | undefined;
  readonly seconds: number;
  readonly output: string;
}

const asked = process.argv.slice(2).map((name) => name.toLowerCase());
const chosen = realClients
  .filter(({ program }) => asked.length === 0 || asked.includes(program))
  .flatMap((client) => (client.program === 'mcp-inspector' ? [client, ...inspectorRuns(client)] : [client]));
process.exitCode = (await test(chosen)) ? 0 : 1;

async function test(clients: readonly RealClient[]): Promise<boolean> {
  const programs = await installClients([...realClients, copilotPackage]);
  const extension = await packageExtension();
  const run = startRun();
  const userHome = join(run.directory, 'user');
  const folder = join(run.directory, 'project');
  for (const path of [userHome, folder]) mkdirSync(path);
  writeFiles(folder, { 'who.txt': 'the project\n', ...filesOfCommands });
  const host = await startHost({
    extensions: [extension],
    settings: { 'drawbridge.start': 'always' },
    home: join(userHome, '.drawbridge'),
  });
  try {
    progress('Starting VS Code');
    const window = await host.openWindow({ folder });
    await windowRecordOf(host.home, window);
    const reports: Report[] = [];
    for (const client of clients)
      reports.push(await connect(client, { host, window, run, userHome, folder, programs }));
    const setting = {
      window,
      run,
      userHome,
      machine: machineOf({ host, userHome }),
      home: host.home,
      folder,
      programs,
    };
    const problems: string[] = [];
    const isTested = (id: string): boolean => clients.some(({ assistant }) => assistant === id);
    if (isTested(guardedClaudeCode.id)) problems.push(...(await guard(guardedClaudeCode, setting)));
    if (isTested(guardedCodex.id)) problems.push(...(await guard(guardedCodex, setting)));
    if (isTested(guardedGemini.id)) problems.push(...(await guard(guardedGemini, setting)));
    if (isTested(guardedOpencode.id)) problems.push(...(await guard(guardedOpencode, setting)));
    // The MCP client of this assistant needs an account, so the list does not have it.
    if (asked.length === 0 || asked.includes(copilotPackage.program))
      problems.push(...(await guard(guardedCopilot, setting)));
    for (const problem of problems) process.stdout.write(`${problem}\n`);
    return (reports.length === 0 || print(reports)) && problems.length === 0;
  } finally {
    await host.stop();
    await run.stop();
  }
}

interface Setting {
  readonly host: Host;
  readonly window: Window;
  readonly run: Run;
  readonly userHome: string;
  readonly folder: string;
  readonly programs: string;
}

async function connect(client: RealClient, setting: Setting): Promise<Report> {
  progress(`${client.name} ${client.version}`);
  const configuration = await writeConfiguration(client, setting);
  await watchConnections(setting.window);
  const begun = performance.now();
  const output = await outputOf(client, configuration, setting);
  const seconds = (performance.now() - begun) / 1000;
  const window = await nameInWindow(client, setting.window);
  return { client: client.name, version: client.version, sees: client.sees(output), window, seconds, output };
}

/** As "Connect an Assistant..." does it, into the home folder made for this. */
async function writeConfiguration(client: RealClient, { host, userHome }: Setting): Promise<string> {
  const assistant = assistants.find(({ id }) => id === client.assistant);
  if (assistant === undefined) throw new Error(`No assistant ${client.assistant} in src/connect/assistants`);
  const machine = machineOf({ host, userHome });
  await applyChange(await planConnect(assistant, machine), host.home);
  return fileOf(assistant, machine);
}

function machineOf({ host, userHome }: Pick<Setting, 'host' | 'userHome'>): Machine {
  return {
    platform: process.platform,
    home: userHome,
    environment: {},
    launcher: join(host.home, 'bin/drawbridge'),
  };
}

function fileOf(assistant: Assistant, machine: Machine): string {
  const file = assistant.configurationFile(machine);
  if (file === undefined) throw new Error(`${assistant.name} does not run on ${machine.platform}`);
  return file;
}

/** Runs the client until it ends, or has said what it was asked for; all that it wrote, without colours. */
async function outputOf(client: RealClient, configuration: string, setting: Setting): Promise<string> {
  const { run, userHome, folder, programs } = setting;
  const { TMPDIR, DRAWBRIDGE_HOST_RUN } = run.environment();
  // Nothing of the user's own: neither their accounts nor their configuration.
  const env = {
    TMPDIR,
    DRAWBRIDGE_HOST_RUN,
    HOME: userHome,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    NO_COLOR: '1',
    TERM: 'dumb',
    ...client.environment,
  };
  const input = (client.input ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
  const child = spawn(join(programs, client.program), client.args(configuration), { cwd: folder, env });
  let output = '';
  let hasEnded = false;
  child.once('close', () => (hasEnded = true));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  child.stdin.on('error', () => undefined); // it ended first, and its output says why
  if (input === '') child.stdin.end();
  else child.stdin.write(input);
  const isDone = (): boolean => hasEnded || (input !== '' && client.sees(plain(output)) !== undefined);
  await until(isDone, client.name, secondsToConnect * 1000).catch(() => undefined);
  child.kill();
  return plain(output);
}

function plain(output: string): string {
  // oxlint-disable-next-line no-control-regex -- terminal colours begin with one
  return output.replace(/\x1b\[[\d;]*[A-Za-z]/g, '');
}

/** Lets the page keep the names in the view Connections from now on: a client without a call that leaves is not listed any more. */
async function watchConnections(window: Window): Promise<void> {
  await window.command('drawbridge.connections.focus');
  await window.page.evaluate(`{
    globalThis.connectionNames = new Set();
    const look = () => {
      for (const each of document.querySelectorAll('.pane .monaco-list-row .label-name')) {
        globalThis.connectionNames.add(each.textContent.trim());
      }
    };
    look();
    globalThis.connectionWatcher?.disconnect();
    globalThis.connectionWatcher = new MutationObserver(look);
    globalThis.connectionWatcher.observe(document.body, { childList: true, subtree: true, characterData: true });
  }`);
}

/** Returns how the view Connections called a client that has connected since `watchConnections`. */
async function nameInWindow({ clientName }: RealClient, window: Window): Promise<string | undefined> {
  const seen = (): Promise<string[]> => window.page.evaluate('[...globalThis.connectionNames]');
  const name = async (): Promise<string | undefined> => (await seen()).find((each) => clientName.test(each));
  return until(name, 'its row in the view Connections', 10_000).catch(() => undefined);
}

/** @returns whether all is well */
function print(reports: readonly Report[]): boolean {
  const failed = reports.filter(({ sees, window }) => sees === undefined || window === undefined);
  for (const { client, output } of failed) process.stdout.write(`\n${client} said:\n${output.slice(-4000)}\n`);
  const rows = reports.map(({ client, version, sees, window, seconds }) => ({
    client,
    version,
    'says of our server': sees ?? 'NOT CONNECTED',
    'in the window': window ?? 'NOT SEEN',
    seconds: Number(seconds.toFixed(1)),
  }));
  console.table(rows);
  return failed.length === 0 && reports.length > 0;
}
