import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { nextPage, taskSources } from '../../bench/economy.ts';
import { economyTasks, type EconomyTask } from '../../bench/economyTasks.ts';
import { repository } from '../../host/hostFolder.ts';
import { connectAssistant, textOfAnswer, type Answer, type Assistant } from '../assistant.ts';
import { sharedDrawbridge } from '../shared.ts';

const { tasks } = z
  .object({ tasks: z.record(z.string(), z.record(z.string(), z.number())) })
  .parse(JSON.parse(readFileSync(join(repository, 'test/bench/economy.json'), 'utf8')));
const client = 'claude-code';

/** The name of the editor and the id of the window are those of the machine. */
const ownToTheMachine = 'get_workspace';

function isReading({ calls }: EconomyTask): boolean {
  return calls.every(({ tool, user }) => user === undefined && tool !== ownToTheMachine);
}

describe('the token economy that is measured without an editor', () => {
  let assistant: Assistant;

  beforeAll(async () => {
    const drawbridge = await sharedDrawbridge({});
    cpSync(taskSources, drawbridge.folder, { recursive: true });
    assistant = await connectAssistant(await drawbridge.record(), { name: client });
  });
  afterAll(() => assistant?.close());

  it('equals that of a real editor to the byte, wherever nothing is changed', async () => {
    const measured: Record<string, number | undefined> = {};
    for (const task of economyTasks.filter(isReading)) measured[task.name] = await bytesOf(task);
    expect(Object.keys(measured).length).toBeGreaterThan(10);
    expect(measured).toEqual(Object.fromEntries(Object.keys(measured).map((name) => [name, tasks[name]?.[client]])));
  });

  async function bytesOf({ calls }: EconomyTask): Promise<number> {
    let bytes = 0;
    for (const call of calls) {
      for (let more: object | undefined = {}; more !== undefined;) {
        const answer: Answer = await assistant.call(call.tool, { ...call.arguments, ...more });
        expect(answer).toEqual({ content: [{ type: 'text', text: expect.any(String) }] });
        const text = textOfAnswer(answer);
        bytes += Buffer.byteLength(text);
        more = call.toEnd === true ? nextPage({ content: [{ type: 'text', text }] }) : undefined;
      }
    }
    return bytes;
  }
});
