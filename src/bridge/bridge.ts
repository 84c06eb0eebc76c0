/** The program that an assistant starts (stdio): finds the window that has its folder open, and relays MCP messages. */
import { Console } from 'node:console';
import { readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { processSurroundings } from './neutralFolders.ts';
import { readCommandLine, usage, type Command } from './commandLine.ts';

// Standard output carries only MCP messages, so libraries that log to the console must write to standard error.
globalThis.console = new Console(process.stderr);

process.on('uncaughtException', (error) => {
  try {
    writeSync(2, `drawbridge: ended by an internal error: ${error.stack ?? String(error)}\n`);
  } finally {
    process.exit(1);
  }
});

/** The folder of this program: `dist` of the extension. */
const ownFolder = dirname(process.argv[1] ?? '');

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(usage);
      return;
    case 'version':
      process.stdout.write(`${version()}\n`);
      return;
    case 'mistake':
      process.stderr.write(`drawbridge: ${command.message}\n\n${usage}`);
      process.exitCode = 2;
      return;
    case 'doctor':
      return runDoctor(command.folder);
    case 'guard': {
      const { runGuardCommand, thisSurroundings } = await import('./guardCommand.ts');
      const { text, isDone } = await runGuardCommand(command.action, thisSurroundings(where(undefined).home));
      process.stdout.write(`${text}\n`);
      process.exitCode = isDone ? 0 : 1;
      return;
    }
    case 'relay': {
      if (process.stdin.isTTY) {
        process.stderr.write('drawbridge: waiting for MCP messages. Assistants start this; try --help or doctor.\n');
      }
      const { runRelay } = await import('./runRelay.ts');
      const catalogFile = join(ownFolder, 'catalog.json');
      runRelay({ ...where(command.folder), version: version(), catalogFile });
      return;
    }
  }
}

async function runDoctor(folder: string | undefined): Promise<void> {
  const [{ collectFacts, diagnose }, { openWindows }] = await Promise.all([
    import('./doctor.ts'),
    import('./openWindows.ts'),
  ]);
  const options = where(folder);
  const windows = await openWindows(options);
  const runtime = `Node ${process.versions.node} (${process.execPath})`;
  const facts = await collectFacts(options.home, windows, { version: version(), runtime, environment: process.env });
  windows.dispose();
  const { text, isWorking } = diagnose(facts);
  process.stdout.write(text);
  process.exitCode = isWorking ? 0 : 1;
}

/** Returns the state folder, and everything that says which window is meant. */
function where(folder: string | undefined) {
  const windowId = process.env['DRAWBRIDGE_WINDOW'];
  const override = process.env['DRAWBRIDGE_HOME'] ?? '';
  return {
    // A relative path is ignored: the working directory may be a repository that somebody else wrote.
    home: isAbsolute(override) ? resolve(override) : join(homedir(), '.drawbridge'),
    clock: systemClock,
    wishes: { folder, roots: [], windowId, workingDirectory: workingDirectory() },
    surroundings: processSurroundings(),
  };
}

/** Returns a path that no window has open when the working directory was deleted. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? parse(process.execPath).root;
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ownFolder, '..', 'package.json'), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'of unknown version';
}

void run(readCommandLine(process.argv.slice(2)));
