import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { printable } from './chooseWindow.ts';
import { ClientStreams } from './clientStreams.ts';
import { openWindows, type OpenWindowsOptions } from './openWindows.ts';
import { Relay } from './relay.ts';
import type { WindowSource } from './windowSource.ts';

/** How long the end may take: clients send SIGKILL after a few seconds. */
const endMilliseconds = 2000;

export interface RunOptions extends OpenWindowsOptions {
  readonly version: string;
  /** The tools of this version, as `tools/list` answers them. */
  readonly catalogFile: string;
}

/** Serves the client on stdio until it goes or a signal comes; then the process ends. */
export async function runRelay({ version, catalogFile, ...options }: RunOptions): Promise<void> {
  let end = (): void => process.exit(0);
  // Before anything else: a client may give up at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end());
  }
  process.stderr.on('error', () => undefined);
  const windows = await openWindows(options);
  sayWindow(windows);
  const relay = new Relay({
    windows,
    clock: options.clock,
    version,
    connectionSecret: randomBytes(16).toString('hex'),
    toolList: () => readToolList(catalogFile),
    send: (text) => streams.send(text),
    log,
  });
  let isEnding = false;
  end = () => {
    if (isEnding) return;
    isEnding = true;
    options.clock.after(endMilliseconds, () => process.exit(0));
    void relay
      .close()
      .then(() => streams.finish())
      .finally(() => process.exit(0));
  };
  const streams = new ClientStreams({
    input: process.stdin,
    output: process.stdout,
    onLine: (line) => relay.receive(line),
    onEnd: () => end(),
  });
}

/** Says on stderr which window is used and why, whenever that changes: never silently the wrong one. */
function sayWindow(windows: WindowSource): void {
  let said = '';
  const say = (): void => {
    const line = describeChoice(windows);
    if (line !== said) log(line);
    said = line;
  };
  windows.onDidChange(say);
  say();
}

function describeChoice({ chosen, wanted }: WindowSource): string {
  if (chosen === undefined) return `no window answers that has ${wanted} open; waiting for one`;
  const { workspaceName, folders, editor } = chosen.record;
  const name = workspaceName ?? folders.map(({ path }) => path).join(', ');
  return printable(`using the window "${name || 'without a folder'}" of ${editor.name}: ${chosen.reason}`);
}

async function readToolList(file: string): Promise<object> {
  try {
    const catalog: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof catalog === 'object' && catalog !== null && 'tools' in catalog) return { tools: catalog.tools };
    log(`${file} holds no tools; install the extension again`);
  } catch (error) {
    log(`the list of tools cannot be read; install the extension again: ${String(error)}`);
  }
  return { tools: [] };
}

function log(line: string): void {
  process.stderr.write(`drawbridge: ${line}\n`);
}
