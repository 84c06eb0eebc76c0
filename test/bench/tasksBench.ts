import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import * as z from 'zod';
import { tools } from '#tools/index.ts';
import { decide, openApprovals, readToEnd } from '../e2e/approvalsPage.ts';
import type { Host } from '../host/host.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import { clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { timed } from './statistics.ts';
import { shopProject } from './tasks/project.ts';
import type { RealTask, TaskAssistant } from './tasks/realTask.ts';
import { realTasks } from './tasks/tasks.ts';

/** Milliseconds after which the watcher of the editor has told language services of changes to closed files. */
const watched = 2000;

const changing: ReadonlySet<string> = new Set(tools.flatMap((tool) => ('propose' in tool ? [tool.name] : [])));

/** The ways in which a task can be done. */
const ways = { 'text tools': 'withTextTools', 'language tools': 'withLanguageTools' } as const;

interface Cost {
  calls: number;
  /** Of arguments and results, as JSON. */
  bytes: number;
}

/** Twenty tasks of a developer's day, done with search, read and edit alone and with language tools; the user approves every change. */
export async function benchTasks(host: Host): Promise<Measurement[]> {
  const project = shopProject();
  const folder = writeWorkspace(host, 'tasks', project);
  const opened = await openBenchWindow(host, folder);
  try {
    const page = await openApprovals(opened.window);
    const client = await connectMcp(opened.server, '2025', clientNames.structured);
    const rows: Measurement[] = [];
    for (const task of realTasks) {
      for (const way of ['text tools', 'language tools'] as const) {
        restore(folder, project);
        await until(() => holdsTheDisk(opened.window), 'the editor to have noticed that the files are as they were');
        await setTimeout(watched);
        rows.push(await measureTask(task, way, { client, page, folder, project }));
      }
    }
    client.close();
    return rows;
  } finally {
    await opened.close();
  }
}

interface Setting {
  readonly client: McpClient;
  readonly page: Frame;
  readonly folder: string;
  readonly project: ReadonlyMap<string, string>;
}

async function measureTask(
  task: RealTask,
  way: keyof typeof ways,
  { client, page, folder, project }: Setting,
): Promise<Measurement> {
  const cost: Cost = { calls: 0, bytes: 0 };
  const { milliseconds, value: answer } = await timed(() => task[ways[way]](countingAssistant(client, page, cost)));
  task.check({ answer, before: project, read: (path) => textOf(join(folder, path)) });
  return {
    topic: 'tasks',
    what: `${task.name}, ${way}`,
    value: cost.bytes,
    unit: 'bytes',
    detail: `${cost.calls} calls, ${rounded(milliseconds)} ms with the user's clicks`,
  };
}

function countingAssistant(client: McpClient, page: Frame, cost: Cost): TaskAssistant {
  return {
    async call(tool, input) {
      const called = client.callTool(tool, input);
      const clicked = changing.has(tool) ? approve(page, tool) : undefined;
      // The result of the call says why there was no decision to make.
      clicked?.catch(() => undefined);
      const { structuredContent } = (await called).toolResult();
      if (changing.has(tool)) requireApplied(structuredContent);
      await clicked;
      cost.calls += 1;
      cost.bytes += Buffer.byteLength(JSON.stringify(input)) + Buffer.byteLength(JSON.stringify(structuredContent));
      return structuredContent;
    },
  };
}

/** Approves like a user, who reads a delete or a move to its end first. */
async function approve(page: Frame, tool: string): Promise<void> {
  const isRead = tools.some(({ name, risk }) => name === tool && risk !== 'edit');
  if (isRead) await readToEnd(page, /^Approve/);
  await decide(page, /^Approve/);
}

/** Throws unless the change was applied; every other outcome came without a card to click. */
function requireApplied(outcome: unknown): void {
  if (z.looseObject({ status: z.literal('applied') }).safeParse(outcome).success) return;
  throw new Error(`It was not applied: ${JSON.stringify(outcome)}`);
}

/** Restores the files, and removes those that a task created. */
function restore(folder: string, project: ReadonlyMap<string, string>): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const isFile = statSync(join(folder, path)).isFile();
    if (isFile && !project.has(path.replaceAll('\\', '/'))) rmSync(join(folder, path));
  }
  for (const [path, text] of project) {
    if (textOf(join(folder, path)) !== text) writeFileSync(join(folder, path), text);
  }
}

/** Returns whether all open documents hold the text on disk. The editor notices a change on disk only after a while. */
function holdsTheDisk(window: Window): Promise<boolean> {
  return window.evaluate(async (vscode) => {
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file');
    const same = documents.map(async (document) => {
      const bytes = await vscode.workspace.fs.readFile(document.uri).then(
        (found) => found,
        () => undefined,
      );
      return bytes === undefined || (!document.isDirty && new TextDecoder().decode(bytes) === document.getText());
    });
    return (await Promise.all(same)).every(Boolean);
  });
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
