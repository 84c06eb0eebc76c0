import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { type Host, startHost } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import { startRun } from '../host/processes.ts';
import type { Window } from '../host/window.ts';
import { windowRecordOf } from '../host/windowFile.ts';
import { connectMcp } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { median } from './statistics.ts';

const windows = 8;
const drawbridgeId = 'drawbridge.drawbridge';
const emptyId = 'drawbridge.bench-empty';
/** An extension that does nothing, which activation is compared with. */
export const emptyExtension = join(dirname(fileURLToPath(import.meta.url)), 'empty');

const footprint = z.object({
  drawbridge: z.number(),
  empty: z.number(),
  /** Absolute paths of the modules of ours that were loaded by then. */
  evaluated: z.array(z.string()),
  before: z.number(),
  after: z.number(),
});

/** The measurements of one fresh extension host; memory in bytes. */
export type Footprint = z.infer<typeof footprint>;

/** Measures the cost of Drawbridge with and without a connected assistant. */
export async function benchFootprint(drawbridge: string): Promise<Measurement[]> {
  const run = startRun();
  const host = await startHost({
    extensions: [await withoutActivationEvents(drawbridge, join(run.directory, 'drawbridge')), emptyExtension],
    settings: { 'drawbridge.start': 'manual' },
  });
  try {
    const found: Footprint[] = [];
    let tools: Measurement[] = [];
    for (let turn = 0; turn < windows; turn += 1) {
      const window = await host.openWindow();
      found.push(await measureActivation(window, turn % 2 === 0));
      if (turn === windows - 1) tools = await measureTools(host, window);
      await window.close();
    }
    return [...activation(found), ...sizes(drawbridge), memory(found), ...tools];
  } finally {
    await host.stop();
    await run.stop();
  }
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

/** Activates Drawbridge and the empty extension in a window in which neither is active, and then starts Drawbridge. */
export async function measureActivation(window: Window, oursFirst: boolean): Promise<Footprint> {
  const order = oursFirst ? [drawbridgeId, emptyId] : [emptyId, drawbridgeId];
  const body = `
    const [order, ours] = args;
    require('node:v8').setFlagsFromString('--expose-gc');
    const collect = require('node:vm').runInNewContext('gc');
    const memory = () => { collect(); collect(); return process.memoryUsage().rss; };
    const extensions = order.map((id) => vscode.extensions.getExtension(id));
    for (const [at, extension] of extensions.entries()) {
      if (extension === undefined) throw new Error(order[at] + ' is not installed');
      if (extension.isActive) throw new Error(order[at] + ' was activated by somebody else');
    }
    const before = memory();
    const times = {};
    for (const extension of extensions) {
      const start = performance.now();
      await extension.activate();
      times[extension.id] = performance.now() - start;
    }
    const own = vscode.extensions.getExtension(ours);
    const root = require('node:fs').realpathSync(own.extensionPath);
    const evaluated = Object.keys(require.cache).filter((file) => file.startsWith(root));
    if (evaluated.length === 0) throw new Error('The module cache knows nothing of ' + root);
    await vscode.commands.executeCommand('drawbridge.start');
    return { times, evaluated, before, after: memory() };`;
  const { times, ...rest } = z
    .looseObject({ times: z.record(z.string(), z.number()) })
    .parse(await window.evaluateSource(body, order, drawbridgeId));
  return footprint.parse({ ...rest, drawbridge: times[drawbridgeId], empty: times[emptyId] });
}

function activation(found: readonly Footprint[]): Measurement[] {
  const evaluated = [...new Set(found.flatMap((each) => each.evaluated))];
  const bytes = evaluated.reduce((sum, file) => sum + statSync(file).size, 0);
  return [
    {
      topic: 'footprint',
      what: 'JavaScript evaluated before start',
      value: bytes / 1024,
      unit: 'KB',
      target: { atMost: 60 },
      detail: `module cache of the extension host: ${evaluated.map((file) => file.split('/').at(-1)).join(', ')}`,
    },
    activationOverEmpty('footprint', found),
  ];
}

/** How much longer the activation of Drawbridge takes than that of the empty extension. */
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

function sizes(drawbridge: string): Measurement[] {
  const topic = 'footprint';
  return [
    {
      topic,
      what: 'server chunk',
      value: kilobytes(join(repository, 'dist/main.cjs')),
      unit: 'KB',
      target: { atMost: 700 },
      detail: 'dist/main.cjs',
    },
    { topic, what: '.vsix', value: kilobytes(drawbridge), unit: 'KB', target: { atMost: 1024 }, detail: 'as packaged' },
  ];
}

function kilobytes(file: string): number {
  return statSync(file).size / 1024;
}

function memory(found: readonly Footprint[]): Measurement {
  const added = found.map(({ before, after }) => (after - before) / 1024 / 1024);
  return {
    topic: 'footprint',
    what: 'extension host memory added',
    value: median(added),
    unit: 'MB',
    detail: `resident, after a collection: server running minus before activation, in the same empty window; ${found.length} windows`,
    samples: { added },
  };
}

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
