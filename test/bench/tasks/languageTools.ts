import * as z from 'zod';
import type { TaskAssistant } from './realTask.ts';

const uses = z.looseObject({
  uses: z.array(z.looseObject({ path: z.string(), line: z.int(), code: z.string().optional() })),
  nextCursor: z.string().optional(),
});
const definitions = z.looseObject({
  definitions: z.array(z.looseObject({ path: z.string(), firstLine: z.int(), lastLine: z.int(), code: z.string() })),
});
const problems = z.looseObject({
  files: z.array(z.looseObject({ path: z.string(), diagnostics: z.array(z.looseObject({ firstLine: z.int() })) })),
});
const listed = z.looseObject({ actions: z.array(z.looseObject({ id: z.string(), title: z.string() })) });
const outcome = z.looseObject({ status: z.literal('applied') });

type Use = z.infer<typeof uses>['uses'][number];
type Input = Readonly<Record<string, unknown>>;

/** Every use, page after page. */
export async function findUses(assistant: TaskAssistant, query: Input): Promise<readonly Use[]> {
  const all: Use[] = [];
  let cursor: string | undefined;
  do {
    const page = uses.parse(
      await assistant.call('find_references', { ...query, ...(cursor === undefined ? {} : { cursor }) }),
    );
    all.push(...page.uses);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

export async function definitionOf(assistant: TaskAssistant, query: Input) {
  const [first] = definitions.parse(await assistant.call('get_symbol', query)).definitions;
  if (first === undefined) throw new Error(`${JSON.stringify(query)} has no definition`);
  return first;
}

/** The line of the first problem of a file. */
export async function firstProblem(assistant: TaskAssistant, path: string): Promise<number> {
  const { files } = problems.parse(await assistant.call('get_diagnostics', { paths: [path] }));
  const line = files[0]?.diagnostics[0]?.firstLine;
  if (line === undefined) throw new Error(`${path} has no problem`);
  return line;
}

/** Applies what the lightbulb offers for a line under a title. */
export async function applyAction(assistant: TaskAssistant, place: Input, title: RegExp): Promise<void> {
  const { actions } = listed.parse(await assistant.call('list_code_actions', place));
  const action = actions.find((each) => title.test(each.title));
  if (action === undefined) throw new Error(`No ${String(title)} in ${JSON.stringify(actions)}`);
  await change(assistant, 'apply_code_action', { id: action.id });
}

/** Calls a tool that changes something, which has to be applied. */
export async function change(assistant: TaskAssistant, tool: string, input: Input): Promise<void> {
  outcome.parse(await assistant.call(tool, input));
}
