import { join } from 'node:path';
import * as z from 'zod';
import { reactProject } from '../e2e/reactProject.ts';
import type { Host } from '../host/host.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import type { Floor } from './floor.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { median, percentile, takeTurns, timed } from './statistics.ts';

const components = 100;
const rounds = 40;
const warmUp = 10;
const target = { atMost: 1.2 };

/** A question, as a model asks it and as an extension asks the editor. 0-based places in the editor's commands. */
interface Question {
  readonly what: string;
  readonly tool: string;
  readonly input: (component: number) => Readonly<Record<string, unknown>>;
  readonly commands: readonly string[];
  /** Of the name in the component's file. */
  readonly line: number;
  readonly character: number;
  /** What the tool's answer holds. */
  readonly wanted: string;
}

const fileOf = (component: number): string => `src/shop/c${component}.tsx`;
const callOfPrice = { line: 3, character: 12 };
const placeOfCall = (component: number): string => `${fileOf(component)}:4:12`;

const questions: readonly Question[] = [
  {
    what: 'definition (find_references)',
    tool: 'find_references',
    input: (component) => ({ path: placeOfCall(component), relation: 'definition' }),
    commands: ['vscode.executeDefinitionProvider'],
    ...callOfPrice,
    wanted: 'src/price.ts',
  },
  {
    what: 'definition, code, signature, documentation (get_symbol)',
    tool: 'get_symbol',
    input: (component) => ({ path: placeOfCall(component) }),
    commands: ['vscode.executeDefinitionProvider', 'vscode.executeHoverProvider'],
    ...callOfPrice,
    wanted: 'What something costs.',
  },
  {
    what: `${3 * components + 1} references (find_references)`,
    tool: 'find_references',
    input: (component) => ({ path: placeOfCall(component) }),
    commands: ['vscode.executeReferenceProvider'],
    ...callOfPrice,
    wanted: 'src/shop/c0.tsx',
  },
  {
    what: '1 reference (find_references)',
    tool: 'find_references',
    input: (component) => ({ path: `${fileOf(component)}:8:17` }),
    commands: ['vscode.executeReferenceProvider'],
    line: 7,
    character: 17,
    wanted: 'Component',
  },
];

/** Measures the language tools against the commands of the editor behind a bare handler. */
export async function benchLanguage(host: Host): Promise<Measurement[]> {
  const folder = writeWorkspace(host, 'language', Object.entries(reactProject(components).files));
  const opened = await openBenchWindow(host, folder);
  try {
    const results: Measurement[] = [];
    for (const question of questions) results.push(await race(opened, folder, question, 'closed files'));
    await opened.window.evaluate(
      async (vscode, paths) => {
        for (const path of paths) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
      },
      ['src/price.ts', ...Array.from({ length: components }, (_, at) => fileOf(at)).slice(0, filesAsked)].map((path) =>
        join(folder, path),
      ),
    );
    for (const question of questions) results.push(await race(opened, folder, question, 'open files'));
    return results;
  } finally {
    await opened.close();
  }
}

/** Files that are asked about, in turn. */
const filesAsked = 10;

async function race(opened: BenchWindow, folder: string, question: Question, situation: string): Promise<Measurement> {
  const client = await connectMcp(opened.server, '2025', clientNames.structured);
  const floor = opened.connectFloor();
  // Our tool waits until the project is loaded; the command of the editor would return a wrong result before that.
  await askOurs(client, question, 0);
  const samples = await takeTurns(
    {
      ours: (round) => askOurs(client, question, round % filesAsked),
      bare: (round) => askBare(floor, folder, question, round % filesAsked),
    },
    rounds,
    warmUp,
  );
  client.close();
  floor.close();
  const [ours, bare] = [median(samples.ours), median(samples.bare)];
  return {
    topic: 'language',
    what: `${question.what}, ${situation}`,
    value: ours / bare,
    unit: 'x',
    target,
    detail: `p50 ${rounded(ours)} ms, bare ${question.commands.join(' and ')} ${rounded(bare)} ms; p99 ${rounded(percentile(samples.ours, 0.99))}, ${rounded(percentile(samples.bare, 0.99))} ms`,
    samples,
  };
}

async function askOurs(client: McpClient, { tool, input, wanted }: Question, component: number): Promise<number> {
  const { milliseconds, value } = await timed(() => client.callTool(tool, input(component)));
  const answer = JSON.stringify(value.toolResult());
  if (!answer.includes(wanted)) throw new Error(`${tool} did not say ${wanted}: ${answer.slice(0, 500)}`);
  return milliseconds;
}

async function askBare(floor: Floor, folder: string, question: Question, component: number): Promise<number> {
  const { commands, line, character } = question;
  const asked = { commands, path: join(folder, fileOf(component)), line, character };
  const { milliseconds, value } = await timed(() => floor.ask('provide', asked));
  const { answers } = value.as(z.object({ answers: z.array(z.array(z.unknown())) }));
  if (answers.some(({ length }) => length === 0)) throw new Error(`The editor did not answer ${commands.join()}.`);
  return milliseconds;
}
