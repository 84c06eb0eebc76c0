import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod';
import { decide, openApprovals } from '../e2e/approvalsPage.ts';
import { repository } from '../host/hostFolder.ts';
import { roomOf } from '../rooms.ts';
import { clientNames, openBenchWindow, startBenchHost, writeWorkspace } from './benchHost.ts';
import { connectMcp } from './mcpClient.ts';
import type { Measurement } from './report.ts';

const mostFunctions = 450;
const mostFiles = 90;

const sourceMap = z.object({
  version: z.number(),
  file: z.string().default(''),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(''),
});

/** Functions of the package, by file relative to `dist` and the UTF-16 offset at which their text begins. */
const ranFunctions = z.array(z.object({ file: z.string(), offset: z.int() }));

/**
 * Counts the functions and files of `src` that the extension host runs between an `apply_edit` of one line and its answer,
 * the approval in the page included. V8's precise coverage counts calls, so that it misses no function; the bundle is built
 * with its source map, which says where each function was written.
 */
export async function benchPath(): Promise<Measurement[]> {
  for (const program of ['build.ts --development', 'package.ts']) {
    execFileSync(process.execPath, program.split(' '), { cwd: repository });
  }
  const host = await startBenchHost(join(repository, 'dist/drawbridge.vsix'));
  try {
    const folder = writeWorkspace(host, 'path', [
      ['cart.ts', 'const one = 1;\n'],
      ['shop.ts', 'const two = 2;\n'],
    ]);
    const opened = await openBenchWindow(host, folder);
    const page = await openApprovals(opened.window);
    const client = await connectMcp(opened.server, '2025', clientNames.unknown);
    const edit = async (path: string, oldText: string, newText: string): Promise<void> => {
      const call = client.callTool('apply_edit', { edits: [{ path, oldText, newText }], reason: 'Counted.' });
      const [answer] = await Promise.all([call, decide(page, /^Approve/)]);
      z.object({ status: z.literal('applied') }).parse(answer.toolResult().structuredContent);
    };
    // The first edit loads what is loaded once.
    await edit('shop.ts', 'two = 2', 'two = 3');
    await opened.window.evaluateSource(startCounting);
    await edit('cart.ts', 'one = 1', 'one = 2');
    const ran = ranFunctions.parse(await opened.window.evaluateSource(stopCounting));
    client.close();
    const places = new Set(
      [...Map.groupBy(ran, ({ file }) => file)].flatMap(([file, functions]) => {
        const whereWritten = sourceOf(join(repository, 'dist', file));
        return functions.flatMap(({ offset }) => whereWritten(offset) ?? []);
      }),
    );
    const files = new Set([...places].map((place) => place.slice(0, place.indexOf(' '))));
    const how = 'between an approved apply_edit of one line and its answer, V8 coverage of the extension host';
    return [
      {
        topic: 'path',
        what: 'functions of ours',
        value: places.size,
        unit: 'functions',
        target: { atMost: mostFunctions },
        detail: `${how}: ${countsByRoom([...places])}`,
      },
      {
        topic: 'path',
        what: 'files of ours',
        value: files.size,
        unit: 'files',
        target: { atMost: mostFiles },
        detail: `${how}: ${countsByRoom([...files])}`,
      },
    ];
  } finally {
    await host.stop();
  }
}

const startCounting = `
  const { Session } = require('node:inspector');
  state.counting = new Session();
  state.counting.connect();
  const post = (method, params) => new Promise((resolve, reject) =>
    state.counting.post(method, params, (error, result) => (error ? reject(error) : resolve(result))));
  state.post = post;
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
`;

const stopCounting = `
  const { result } = await state.post('Profiler.takePreciseCoverage');
  await state.post('Profiler.stopPreciseCoverage');
  state.counting.disconnect();
  return result
    .flatMap(({ url, functions }) => {
      const [, file] = /drawbridge[^/]*[/]dist[/](.+[.]mjs)$/.exec(url) ?? [];
      return functions.map(({ ranges: [{ count, startOffset }] }) => ({ file, count, offset: startOffset }));
    })
    .filter(({ file, count, offset }) => file !== undefined && count > 0 && offset > 0);
`;

/** @returns where a function of the bundle was written, as "src/file.ts line:column"; undefined for a library's function */
function sourceOf(bundle: string): (offset: number) => string | undefined {
  const text = readFileSync(bundle, 'utf8');
  const [, encoded = ''] = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/.exec(text) ?? [];
  const map = new SourceMap(sourceMap.parse(JSON.parse(Buffer.from(encoded, 'base64').toString())));
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    const entry = map.findEntry(line, offset - (lineStarts[line] ?? 0));
    if (!('originalSource' in entry)) return undefined;
    const [source] = /src\/.*$/.exec(entry.originalSource) ?? [];
    if (source === undefined || entry.originalSource.includes('node_modules')) return undefined;
    return `${source} ${entry.originalLine}:${entry.originalColumn}`;
  };
}

/** @returns how many of these places below `src` each room has, as "policy 41, ui 30", the most first */
function countsByRoom(places: readonly string[]): string {
  const rooms = Map.groupBy(places, (place) => roomOf(place));
  return [...rooms]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([room, own]) => `${room} ${own.length}`)
    .join(', ');
}
