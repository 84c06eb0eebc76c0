import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { decide, openApprovals } from '../e2e/approvalsPage.ts';
import type { Host } from '../host/host.ts';
import { tools } from '../../src/tools/index.ts';
import { clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { timed } from './statistics.ts';
import { shopProject } from './tasks/project.ts';
import type { RealTask, TaskAssistant } from './tasks/realTask.ts';
import { realTasks } from './tasks/tasks.ts';

const changing: ReadonlySet<string> = new Set(tools.flatMap((tool) => ('propose' in tool ? [tool.name] : [])));

/** The ways in which a task can be done. */
const ways = { 'text tools': 'withTextTools', 'language tools': 'withLanguageTools' } as const;

interface Cost {
  calls: number;
  /** Of arguments and results, as JSON. */
  bytes: number;
}

/** Twenty tasks of a developer's day, done with search, read and edit alone and with language tools; a human approves every change. */
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
    detail: `${cost.calls} calls, ${rounded(milliseconds)} ms with the human's clicks`,
  };
}

function countingAssistant(client: McpClient, page: Frame, cost: Cost): TaskAssistant {
  return {
    async call(tool, input) {
      const called = client.callTool(tool, input);
      const clicked = changing.has(tool) ? decide(page, /^Approve/) : undefined;
      // Why there was nothing to decide is told by the answer.
      clicked?.catch(() => undefined);
      const { structuredContent } = (await called).toolResult();
      await clicked;
      cost.calls += 1;
      cost.bytes += Buffer.byteLength(JSON.stringify(input)) + Buffer.byteLength(JSON.stringify(structuredContent));
      return structuredContent;
    },
  };
}

/** The files as they were; what a task made besides goes. */
function restore(folder: string, project: ReadonlyMap<string, string>): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const isFile = statSync(join(folder, path)).isFile();
    if (isFile && !project.has(path.replaceAll('\\', '/'))) rmSync(join(folder, path));
  }
  for (const [path, text] of project) {
    if (textOf(join(folder, path)) !== text) writeFileSync(join(folder, path), text);
  }
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
