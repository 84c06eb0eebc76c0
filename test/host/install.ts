import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { hostFolder } from './hostFolder.ts';
import { type Run, startRun, stopLeftovers } from './processes.ts';
import { progress } from './progress.ts';
import { requireCompiler } from './systemPackages.ts';

const codeServerVersion = '4.139.1'; // holds VS Code 1.139.1
const nodeVersion = '24.21.0'; // the server needs node:module.registerHooks, which Node 20 does not have

const marker = z.object({ codeServer: z.literal(codeServerVersion), node: z.literal(nodeVersion), arch: z.string() });

/** Programs of the installed VS Code server, absolute paths. */
export interface EmbeddedServer {
  readonly node: string;
  readonly main: string;
}

/**
 * Installs the VS Code server of code-server from npm, once, and verifies it on every use.
 * Safe when two installers run at once.
 * @throws Error that says what to do, where the embedded host does not run or something is missing
 */
export async function installServer(): Promise<EmbeddedServer> {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    throw new Error(
      `The embedded VS Code server runs on Linux x64 and arm64 only (this is ${process.platform} ${process.arch}): ` +
        'npm start needs --desktop here, npm test needs DRAWBRIDGE_TEST_HOST_KIND=desktop.',
    );
  }
  const folder = join(hostFolder(), 'vscode');
  if (isComplete(folder)) return programs(folder);
  mkdirSync(hostFolder(), { recursive: true });
  const unlock = await lock(join(hostFolder(), 'install.lock'));
  try {
    if (!isComplete(folder)) await installWithoutRemains(folder);
  } finally {
    unlock();
  }
  return programs(folder);
}

/** An installer that was killed may have left an npm at work in the folder; this one leaves none. */
async function installWithoutRemains(folder: string): Promise<void> {
  requireCompiler();
  await stopLeftovers();
  const run = startRun();
  try {
    await install(folder, run);
  } finally {
    await run.stop();
  }
}

async function install(folder: string, run: Run): Promise<void> {
  progress('Installing the VS Code server from npm, once (about a minute, 800 MB)');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"drawbridge-test-host","private":true}\n');
  const { vscode, nodePackage } = layout(folder);
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict=false', '--omit=dev'];
  progress('1/4 code-server and Node');
  const packages = [`${nodeName()}@${nodeVersion}`, `code-server@${codeServerVersion}`];
  const npm = npmOf(run, nodePackage);
  await npm(folder, 'install', ...quiet, ...packages);
  progress('2/4 packages of the VS Code server');
  await npm(vscode, 'install', ...quiet); // not `ci`: the lock file inside is out of step
  progress('3/4 packages of its built-in extensions (TypeScript)');
  await npm(join(vscode, 'extensions'), 'install', ...quiet);
  progress('4/4 compiling three native modules');
  const native = ['@vscode/spdlog', '@vscode/native-watchdog', '@vscode/deviceid'];
  await npm(vscode, 'rebuild', ...native, '--foreground-scripts', '--ignore-scripts=false');
  linkCommands(vscode);
  const broken = missingFiles(folder);
  if (broken.length > 0) throw new Error(`The VS Code server was installed, but lacks: ${broken.join(', ')}`);
  const written: z.infer<typeof marker> = { codeServer: codeServerVersion, node: nodeVersion, arch: process.arch };
  writeFileSync(join(folder, 'installed.json'), JSON.stringify(written));
  progress('VS Code server installed');
}

/** Creates the links that the install script of code-server makes besides compiling. */
function linkCommands(vscode: string): void {
  const links = { 'bin/remote-cli/code': 'code-linux.sh', 'bin/remote-cli/code-server': 'code-linux.sh' };
  for (const [link, target] of Object.entries({ ...links, 'bin/helpers/browser.sh': 'browser-linux.sh' })) {
    rmSync(join(vscode, link), { force: true });
    symlinkSync(target, join(vscode, link));
  }
}

function isComplete(folder: string): boolean {
  const file = join(folder, 'installed.json');
  if (!existsSync(file)) return false;
  const found = marker.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!found.success || found.data.arch !== process.arch) return false;
  const missing = missingFiles(folder);
  if (missing.length > 0)
    progress(`The VS Code server in ${folder} is damaged (no ${missing.join(', ')}): installing it again`);
  return missing.length === 0;
}

function missingFiles(folder: string): string[] {
  const { node, main, vscode } = layout(folder);
  const needed = [
    node,
    main,
    join(vscode, 'node_modules/@vscode/spdlog/build/Release/spdlog.node'),
    join(vscode, 'node_modules/@vscode/native-watchdog/build/Release/watchdog.node'),
    join(vscode, `node_modules/@vscode/ripgrep-universal/bin/linux-${process.arch}/rg`),
    join(vscode, 'extensions/node_modules/typescript/lib/tsserver.js'),
  ];
  return needed.filter((file) => !existsSync(file));
}

function layout(folder: string): EmbeddedServer & { readonly vscode: string; readonly nodePackage: string } {
  const nodePackage = join(folder, 'node_modules', nodeName());
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  return { node: join(nodePackage, 'bin/node'), main: join(vscode, 'out/server-main.js'), vscode, nodePackage };
}

function programs(folder: string): EmbeddedServer {
  const { node, main } = layout(folder);
  return { node, main };
}

function nodeName(): string {
  return `node-linux-${process.arch}`;
}

/** npm whose native builds see the headers of the Node that will run them, whatever the user's npmrc says. */
function npmOf(run: Run, nodePackage: string): (folder: string, ...args: string[]) => Promise<void> {
  const inherited = Object.entries(process.env).filter(([key]) => key.toLowerCase() !== 'npm_config_nodedir');
  const env = run.environment({
    ...Object.fromEntries(inherited),
    PATH: `${join(nodePackage, 'bin')}:${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: nodePackage,
    JOBS: '2',
  });
  return async (cwd, ...args) => {
    const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${output.slice(-4000)}`);
  };
}

/** A lock held by the kernel for a child of ours: it is free again at once when we die, however we die. */
async function lock(file: string): Promise<() => void> {
  const child = spawn('flock', [file, 'sh', '-c', 'echo locked; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const patience = setTimeout(() => progress('Waiting for another installation in the same folder'), 1000);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`flock ended before it had the lock ${file}`)));
    child.stdout.once('data', () => resolve());
  });
  clearTimeout(patience);
  return () => child.stdin.end();
}
