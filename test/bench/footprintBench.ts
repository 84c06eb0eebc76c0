import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { type Host, startHost } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import { startRun } from '../host/processes.ts';
import type { Window } from '../host/window.ts';
import { windowRecordOf } from '../host/windowFile.ts';
import { clientNames, writeWorkspace } from './benchHost.ts';
import { floorExtension, startFloor } from './floor.ts';
import { connectMcp } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { median, timed } from './statistics.ts';

const windows = 8;
/** Calls of the mixed run, after which the memory is measured again. */
const mixedCalls = 300;
const restMilliseconds = 60_000;
const drawbridgeId = 'drawbridge.drawbridge';
const emptyId = 'drawbridge.bench-empty';
/** An extension that does nothing, which activation is compared with. */
export const emptyExtension = join(dirname(fileURLToPath(import.meta.url)), 'empty');

const footprint = z.object({
  drawbridge: z.number(),
  empty: z.number(),
  /** Absolute paths of the files of ours that were loaded by then. */
  evaluated: z.array(z.string()),
  before: z.number(),
  after: z.number(),
});

/** The measurements of one fresh extension host; times in milliseconds, memory in bytes of the heap and of buffers outside it. */
export type Footprint = z.infer<typeof footprint>;

/** The measurements of a window of {@link benchFootprint}, in which a bare server of the SDK runs too. */
interface WindowFootprint extends Footprint {
  /** Memory after the start of the bare server, which loads the SDK and zod. */
  readonly withFloor: number;
  /** Milliseconds from the first connection to the first answer of a tool. */
  readonly firstCall: number;
  readonly firstCallOfFloor: number;
  /** Paths as in `evaluated`, after the first `tools/list`, and after the first `read_file`. */
  readonly forList: readonly string[];
  readonly forRead: readonly string[];
}

/** Measures the cost of Drawbridge with and without a connected assistant. */
export async function benchFootprint(drawbridge: string): Promise<Measurement[]> {
  const run = startRun();
  const host = await startHost({
    extensions: [
      await withoutActivationEvents(drawbridge, join(run.directory, 'drawbridge')),
      emptyExtension,
      floorExtension,
    ],
    settings: { 'drawbridge.start': 'manual' },
  });
  try {
    const folder = writeWorkspace(host, 'footprint', [['src/cart.ts', 'export const total = 1;\n']]);
    const found: WindowFootprint[] = [];
    const last: Measurement[] = [];
    for (let turn = 0; turn < windows; turn += 1) {
      const window = await host.openWindow({ folder });
      const measured = await measureWindow(host, window, turn % 2 === 0);
      found.push(measured);
      if (turn === windows - 1) {
        last.push(await measureMixedRun(host, window, measured), ...(await measureTools(host, window)));
      }
      await window.close();
    }
    return [...activation(found), ...sizes(drawbridge, found), firstCalls(found), memory(found), ...last];
  } finally {
    await host.stop();
    await run.stop();
  }
}

async function measureWindow(host: Host, window: Window, oursFirst: boolean): Promise<WindowFootprint> {
  const activated = await measureActivation(window, oursFirst);
  const server = await windowRecordOf(host.home, window);
  const first = await timed(async () => {
    const connected = await connectMcp(server, '2025', clientNames.structured);
    (await connected.send('tools/list', {})).result();
    return connected;
  });
  const forList = await loadedFiles(window);
  const client = first.value;
  const listed = await timed(async () => (await client.callTool('get_workspace', {})).toolResult());
  (await client.callTool('read_file', { path: 'src/cart.ts' })).toolResult();
  const forRead = await loadedFiles(window);
  await client.leave();
  // The bare server starts last, because its libraries would be warm for ours otherwise.
  const settled = await memoryOf(window);
  const { sdkPort, secret } = await startFloor(window);
  const withFloor = activated.after + (await memoryOf(window)) - settled;
  const bare = await timed(async () => {
    const connected = await connectMcp({ endpoint: `http://127.0.0.1:${sdkPort}/mcp`, token: secret }, '2025', 'bench');
    (await connected.send('tools/list', {})).result();
    (await connected.callTool('answer', {})).result();
    connected.close();
  });
  return {
    ...activated,
    withFloor,
    firstCall: first.milliseconds + listed.milliseconds,
    firstCallOfFloor: bare.milliseconds,
    forList,
    forRead,
  };
}

/**
 * The packaged extension, unpacked into `folder` by the editor itself, except that it waits until the bench activates it: so
 * its time can be taken in a quiet extension host.
 */
export async function withoutActivationEvents(drawbridge: string, folder: string): Promise<string> {
  const { version } = z.object({ version: z.string() }).parse(readJson(join(repository, 'package.json')));
  const host = await startHost({ extensions: [drawbridge] });
  try {
    cpSync(join(host.directory, 'extensions', `${drawbridgeId}-${version}`), folder, { recursive: true });
  } finally {
    await host.stop();
  }
  const manifest = z.record(z.string(), z.unknown()).parse(readJson(join(folder, 'package.json')));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  return folder;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Source of a function that returns the bytes of the heap and of buffers outside it, after two collections. */
export const memoryFunction = `
    require('node:v8').setFlagsFromString('--expose-gc');
    const collect = require('node:vm').runInNewContext('gc');
    const memory = async () => {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 200));
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };`;

/** Source of a function that returns the files of an extension that the extension host has loaded: V8 lists its scripts to a debugger. */
const loadedFilesFunction = `
    const loadedFiles = async (extension) => {
      const root = require('node:fs').realpathSync(vscode.extensions.getExtension(extension).extensionPath);
      const session = new (require('node:inspector').Session)();
      session.connect();
      const urls = [];
      session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
      await new Promise((resolve, reject) => session.post('Debugger.enable', (error) => (error ? reject(error) : resolve())));
      session.disconnect();
      const files = urls.filter((url) => url.startsWith('file:')).map((url) => require('node:url').fileURLToPath(url));
      const own = [...new Set(files)].filter((file) => file.startsWith(root));
      if (own.length === 0) throw new Error('The debugger knows nothing of ' + root);
      return own;
    };`;

/** Returns the bytes of the heap of the extension host and of buffers outside it, after collections. */
export async function memoryOf(window: Window): Promise<number> {
  return z.number().parse(await window.evaluateSource(`${memoryFunction} return memory();`));
}

async function loadedFiles(window: Window): Promise<readonly string[]> {
  const body = `${loadedFilesFunction} return loadedFiles(args[0]);`;
  return z.array(z.string()).parse(await window.evaluateSource(body, drawbridgeId));
}

/** Activates Drawbridge and the empty extension in a window in which neither is active, and then starts Drawbridge. */
export async function measureActivation(window: Window, oursFirst: boolean): Promise<Footprint> {
  const order = oursFirst ? [drawbridgeId, emptyId] : [emptyId, drawbridgeId];
  const body = `
    const [order, ours] = args;
    ${memoryFunction}
    ${loadedFilesFunction}
    const extensions = order.map((id) => vscode.extensions.getExtension(id));
    for (const [at, extension] of extensions.entries()) {
      if (extension === undefined) throw new Error(order[at] + ' is not installed');
      if (extension.isActive) throw new Error(order[at] + ' was activated by somebody else');
    }
    const before = await memory();
    const times = {};
    for (const extension of extensions) {
      const start = performance.now();
      await extension.activate();
      times[extension.id] = performance.now() - start;
    }
    const evaluated = await loadedFiles(ours);
    await vscode.commands.executeCommand('drawbridge.start');
    return { times, evaluated, before, after: await memory() };`;
  const { times, ...rest } = z
    .looseObject({ times: z.record(z.string(), z.number()) })
    .parse(await window.evaluateSource(body, order, drawbridgeId));
  return footprint.parse({ ...rest, drawbridge: times[drawbridgeId], empty: times[emptyId] });
}

function activation(found: readonly Footprint[]): Measurement[] {
  const { value, detail } = evaluatedBytes(found.flatMap((each) => each.evaluated));
  return [
    {
      topic: 'footprint',
      what: 'JavaScript evaluated before start',
      value,
      unit: 'KB',
      target: { atMost: 60 },
      detail,
    },
    activationOverEmpty('footprint', found),
  ];
}

/** @param files may hold a file several times */
function evaluatedBytes(files: readonly string[]): Pick<Measurement, 'value' | 'detail'> {
  const own = [...new Set(files)];
  return {
    value: own.reduce((sum, file) => sum + kilobytes(file), 0),
    detail: `scripts of the extension host: ${own.map((file) => basename(file)).join(', ')}`,
  };
}

/** Returns how much longer the activation of Drawbridge takes than that of the empty extension. */
export function activationOverEmpty(topic: string, found: readonly Footprint[]): Measurement {
  const [ours, empty] = [found.map((each) => each.drawbridge), found.map((each) => each.empty)];
  return {
    topic,
    what: 'activation over an empty extension',
    value: median(ours) - median(empty),
    unit: 'ms',
    target: { atMost: 20 },
    detail: `load + activate() in fresh, quiet extension hosts: ${rounded(median(ours))} ms, empty ${rounded(median(empty))} ms; ${found.length} windows`,
    samples: { ours, empty },
  };
}

function sizes(drawbridge: string, found: readonly WindowFootprint[]): Measurement[] {
  const topic = 'footprint';
  return [
    {
      topic,
      what: 'JavaScript evaluated before the first tools/list',
      unit: 'KB',
      target: { atMost: 500 },
      ...evaluatedBytes(found.flatMap(({ forList }) => forList)),
    },
    {
      topic,
      what: 'JavaScript evaluated before the first read',
      unit: 'KB',
      target: { atMost: 800 },
      ...evaluatedBytes(found.flatMap(({ forRead }) => forRead)),
    },
    { topic, what: '.vsix', value: kilobytes(drawbridge), unit: 'KB', target: { atMost: 1024 }, detail: 'as packaged' },
  ];
}

function firstCalls(found: readonly WindowFootprint[]): Measurement {
  const [ours, bare] = [found.map(({ firstCall }) => firstCall), found.map(({ firstCallOfFloor }) => firstCallOfFloor)];
  return {
    topic: 'footprint',
    what: 'first call after start over the bare server',
    value: median(ours) - median(bare),
    unit: 'ms',
    target: { atMost: 150 },
    detail: `connection, tools/list and a call: ${rounded(median(ours))} ms, bare SDK ${rounded(median(bare))} ms; ${found.length} windows`,
    samples: { ours, bare },
  };
}

function kilobytes(file: string): number {
  return statSync(file).size / 1024;
}

function memory(found: readonly WindowFootprint[]): Measurement {
  const [ours, bare] = [
    found.map(({ before, after }) => (after - before) / 2 ** 20),
    found.map(({ after, withFloor }) => (withFloor - after) / 2 ** 20),
  ];
  return {
    topic: 'footprint',
    what: 'memory at rest over the bare server',
    value: median(ours) - median(bare),
    unit: 'MB',
    target: { atMost: 25 },
    detail:
      `heap and external after a collection: the running server adds ${rounded(median(ours))} MB, ` +
      `a bare server with the SDK and zod ${rounded(median(bare))} MB; ${found.length} windows`,
    samples: { ours, bare },
  };
}

/** Measures what is left of some hundred calls after a minute of rest. */
async function measureMixedRun(host: Host, window: Window, { before, after, withFloor }: WindowFootprint) {
  // The bare server runs in this window too, and is no memory of ours.
  const bare = withFloor - after;
  const client = await connectMcp(await windowRecordOf(host.home, window), '2025', clientNames.structured);
  for (let call = 0; call < mixedCalls; call += 1) {
    const [tool, input] = mixedRun[call % mixedRun.length] ?? ['get_workspace', {}];
    (await client.callTool(tool, input)).toolResult();
  }
  await client.leave();
  await setTimeout(restMilliseconds);
  const rested: Measurement = {
    topic: 'footprint',
    what: 'memory after a mixed run over the bare server',
    value: ((await memoryOf(window)) - before - 2 * bare) / 2 ** 20,
    unit: 'MB',
    target: { atMost: 40 },
    detail: `heap and external after ${mixedCalls} calls, ${restMilliseconds / 1000} s of rest and a collection; one window`,
  };
  return rested;
}

const mixedRun: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['read_file', { path: 'src/cart.ts' }],
  ['search_code', { query: 'total' }],
  ['get_outline', { path: 'src/cart.ts' }],
  ['find_files', { query: 'cart' }],
  ['list_directory', { path: 'src' }],
  ['get_workspace', {}],
];

const toolList = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.unknown() })),
});

/** Measures the definition of each tool, which a model sees in every conversation. */
async function measureTools(host: Host, window: Window): Promise<Measurement[]> {
  const client = await connectMcp(await windowRecordOf(host.home, window), '2025', 'bench');
  const { tools } = toolList.parse((await client.send('tools/list', {})).result());
  client.close();
  const bytes = tools.map((tool) => Buffer.byteLength(JSON.stringify(tool)));
  const total = bytes.reduce((sum, each) => sum + each, 0);
  return [
    toolBytes(
      'model-visible, all tools',
      total,
      `${tools.length} tools, ${Math.round(total / tools.length)} bytes each`,
    ),
    ...tools.map(({ name }, index) => toolBytes(name, bytes[index] ?? 0, 'name + description + inputSchema')),
  ];
}

function toolBytes(what: string, value: number, detail: string): Measurement {
  return { topic: 'tools/list', what, value, unit: 'bytes', detail };
}
