import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { printable } from './chooseWindow.ts';
import { ClientStreams } from './clientStreams.ts';
import { OpenWindows, type OpenWindowsOptions } from './openWindows.ts';
import { Relay } from './relay.ts';
import type { WindowSource } from './windowSource.ts';

/** The longest time that the end may take: clients send SIGKILL after a few seconds. */
const endMilliseconds = 2000;

/**
 * A script may close its output after its last request; an assistant that does so expects the process to end within two
 * seconds.
 */
const lastAnswersMilliseconds = 1000;

export interface RunOptions extends OpenWindowsOptions {
  readonly version: string;
  /** The file with the tools of this version, in the form of a `tools/list` answer. */
  readonly catalogFile: string;
}

/** Serves the client on stdio until it is gone or a signal comes, then ends the process. */
export function runRelay({ version, catalogFile, ...options }: RunOptions): void {
  const windows = new OpenWindows(options);
  // The file is read at the start: an update removes this version's files while the bridge runs.
  const catalog = readFile(catalogFile, 'utf8');
  // `readToolList` reports a failure when a client asks for the list.
  catalog.catch(() => undefined);
  const relay = new Relay({
    windows,
    clock: options.clock,
    version,
    connectionSecret: randomBytes(16).toString('hex'),
    toolList: () => readToolList(catalogFile, catalog),
    send: (text) => streams.send(text),
    log,
  });
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    options.clock.after(endMilliseconds, () => process.exit(0));
    void relay
      .close()
      .then(() => streams.finish())
      .finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.stderr.on('error', () => undefined);
  const streams = new ClientStreams({
    input: process.stdin,
    output: process.stdout,
    onLine: (line) => relay.receive(line),
    onInputEnd() {
      options.clock.after(lastAnswersMilliseconds, end);
      void relay.finish().then(end);
    },
    onBroken: end,
  });
  // The client is served meanwhile: the first look at the windows may take seconds.
  sayWindow(windows);
}

/** Writes to standard error which window is used and why, whenever that changes, so that a wrong choice is visible. */
function sayWindow(windows: WindowSource): void {
  let said = '';
  const say = (): void => {
    const line = describeChoice(windows);
    if (line !== said) log(line);
    said = line;
  };
  windows.onDidChange(say);
  void windows.refresh().then(say);
}

function describeChoice({ chosen, wanted }: WindowSource): string {
  if (chosen === undefined) return `no answering window has ${wanted} open; waiting for one`;
  const { workspaceName, folders, editor } = chosen.record;
  const name = workspaceName ?? folders.map(({ path }) => path).join(', ');
  return printable(`using the window "${name || 'without a folder'}" of ${editor.name}: ${chosen.reason}`);
}

async function readToolList(file: string, text: Promise<string>): Promise<object> {
  try {
    const catalog: unknown = JSON.parse(await text);
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
