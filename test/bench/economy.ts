import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Principal } from '#base/principal.ts';
import type { ToolResult } from '#call/result.ts';
import { defaultProfile, profileFor, type ResultProfile } from '#call/resultProfile.ts';
import { listedInput } from '#call/listedSchemas.ts';
import { isOnByItself } from '#call/windowCatalog.ts';
import { tools } from '#tools/index.ts';
import { forwardingClients, unknownClient, type ForwardingClient } from '../call/clientForwarding.ts';
import { FakeSearch } from '../fakes/search.ts';
import { folderAt } from '../fakes/workspace.ts';
import { repository } from '../host/hostFolder.ts';
import { openDayWindow, type DayWindow } from './dayWindow.ts';
import { economyTasks, type EconomyCall, type EconomyTask } from './economyTasks.ts';
import { seeAll } from '../changes/seeAll.ts';

type BytesByName = Readonly<Record<string, number>>;

/** The cost of the twenty tasks in UTF-8 bytes that reach a model, independent of the clock, chance and the machine. */
export interface Economy {
  /** `name`, `description` and `inputSchema` of the tools that are on by default. */
  readonly toolList: BytesByName;
  /** By task and client. */
  readonly tasks: Readonly<Record<string, BytesByName>>;
  /** All tasks, by client. */
  readonly total: BytesByName;
  /** All tasks, by client, if every client got all four blocks. */
  readonly naive: BytesByName;
  /** All tasks in one form alone, with the pages of a client nobody has measured. */
  readonly forms: BytesByName;
}

/** The folder of the tasks. */
export const taskSources = join(repository, 'node_modules/zod/src/v4');
const root = '/w';
const principal: Principal = { credential: 'window', connectionId: 'economy' };
const userMilliseconds = 6000;
const textAlone: ResultProfile = { ...defaultProfile, structured: false, links: false, embedded: false };
const dataAlone: ResultProfile = { ...defaultProfile, text: false, links: false, embedded: false };

/** Runs the tasks in windows without an editor: what a result says does not depend on it (test/e2e/nightly/economy.test.ts). */
export async function measureEconomy(): Promise<Economy> {
  const runs = new TaskRuns(readSources());
  const clients = [...forwardingClients, unknownClient];
  const bytes = async (task: EconomyTask, client: ForwardingClient, profile: ResultProfile): Promise<number> => {
    const results = await runs.resultsOf(task, profile);
    return results.reduce((sum, result) => sum + Buffer.byteLength(client.forward(result)), 0);
  };
  const tasks: Record<string, BytesByName> = {};
  const total: Record<string, number> = {};
  const naive: Record<string, number> = {};
  const forms: Record<string, number> = {};
  const add = (sums: Record<string, number>, name: string, more: number): void => {
    sums[name] = (sums[name] ?? 0) + more;
  };
  for (const task of economyTasks) {
    const ofTask: Record<string, number> = {};
    for (const client of clients) {
      const own = await bytes(task, client, profileFor({ name: client.name, version: '1' }, {}));
      ofTask[client.name] = own;
      add(total, client.name, own);
      add(naive, client.name, await bytes(task, client, defaultProfile));
    }
    add(forms, 'text', await bytes(task, unknownClient, textAlone));
    add(forms, 'data', await bytes(task, unknownClient, dataAlone));
    tasks[task.name] = ofTask;
  }
  return { toolList: toolListBytes(), tasks, total, naive, forms };
}

/** The results of each call, one for all profiles with the same result. */
class TaskRuns {
  readonly #sources: ReadonlyMap<string, string>;
  readonly #done = new Map<string, Promise<readonly ToolResult[]>>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#sources = texts;
  }

  resultsOf(task: EconomyTask, profile: ResultProfile): Promise<readonly ToolResult[]> {
    const key = JSON.stringify([task.name, { ...profile, approvalSeconds: 0 }]);
    const results = this.#done.get(key) ?? runTask(task, profile, this.#sources);
    this.#done.set(key, results);
    return results;
  }
}

async function runTask(
  task: EconomyTask,
  profile: ResultProfile,
  texts: ReadonlyMap<string, string>,
): Promise<readonly ToolResult[]> {
  const search = new FakeSearch();
  const folder = folderAt(root);
  for (const [path, text] of texts) {
    search.add({ path, uri: `file://${root}/${path}`, fsPath: `${root}/${path}`, folder }, text);
  }
  const window = openDayWindow(texts, 'manual', { profileOf: () => profile, readBytes: 65_536, search });
  const results: ToolResult[] = [];
  for (const call of task.calls) {
    for (let more: object | undefined = {}; more !== undefined;) {
      const result: ToolResult = await carryOut(window, call, { ...call.arguments, ...more });
      results.push(result);
      more = call.toEnd === true ? nextPage(result) : undefined;
    }
  }
  return results;
}

async function carryOut(window: DayWindow, { tool, user }: EconomyCall, input: object): Promise<ToolResult> {
  const called = window.call(tool, input, principal);
  for (;;) {
    const outcome = await Promise.race([called, setImmediate()]);
    if (outcome?.kind === 'result') return outcome.result;
    if (outcome !== undefined) throw new Error(`${tool} was answered ${JSON.stringify(outcome)}`);
    const card = window.queue.all.find(({ state }) => state === 'waiting');
    if (card === undefined) continue;
    window.queue.displayed(card.id);
    seeAll(window.queue, card.id);
    window.clock.advance(userMilliseconds);
    if (user === 'declines') window.queue.decline(card.id, { reasonCode: 'wrong_file' });
    else window.queue.approve(card.id, card.proposalHash, card.judgement.confirmCount);
  }
}

/** Reads the next cursor like a model that sees the text or the data of a page. */
export function nextPage({ content, structuredContent }: ToolResult): object | undefined {
  const said = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const line = structuredContent?.['nextFirstLine'] ?? /\(read on with firstLine (\d+)\)$/.exec(said)?.[1];
  return line === undefined ? undefined : { firstLine: Number(line) };
}

/** Texts by relative path. */
function readSources(): ReadonlyMap<string, string> {
  const entries = readdirSync(taskSources, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return new Map(
    paths.map((path) => [path.slice(taskSources.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}

function toolListBytes(): BytesByName {
  const isOn = tools.filter(isOnByItself);
  const byToolset = Map.groupBy(isOn, ({ toolset }) => toolset);
  const sizes = [...byToolset].map(([toolset, list]): [string, number] => [toolset, listBytes(list)]);
  return { ...Object.fromEntries(sizes), total: listBytes(isOn) };
}

function listBytes(list: typeof tools): number {
  const seen = list.map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: listedInput(input.jsonSchema),
  }));
  return Buffer.byteLength(JSON.stringify(seen));
}
