import * as z from 'zod';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { type CallOrigin, type CoreDependencies, withPathsOf } from './callTool.ts';
import type { Completion } from './completion.ts';
import type { PromptOutcome } from './outcomes.ts';
import { carryOutRequest, unansweredOf } from './request.ts';
import type { ContentBlock } from './result.ts';
import { printable, wellFormedData } from './sanitise.ts';
import type { ToolContext, ToolPorts } from './tool.ts';
import { inSchemaForm } from './understood.ts';

export interface PromptArgument {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly completion?: Completion;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** A prompt that the user picks in the client. `prompts/get` fills it in, as a call that is judged and recorded. */
export interface Prompt<Needs extends keyof ToolPorts = keyof ToolPorts> {
  /** `verb_noun`, unique. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The name of the tool whose rules apply. */
  readonly judgedAs: string;
  readonly needs: readonly Needs[];
  /** Returns the addresses of files in the arguments, for the policy. */
  targets(given: Readonly<Record<string, string>>): readonly string[];
  /**
   * Returns the messages of the prompt.
   * @param given only arguments that the prompt has, with all required ones
   * @throws ToolError
   */
  messages(
    given: Readonly<Record<string, string>>,
    context: ToolContext<Needs>,
    signal: AbortSignal,
  ): Promise<readonly PromptMessage[]>;
}

/** Returns the prompt unchanged; it infers the type of `needs`. */
export function definePrompt<const Needs extends keyof ToolPorts>(prompt: Prompt<Needs>): Prompt<Needs> {
  return prompt;
}

/** Maximum UTF-8 bytes of one argument. */
const maximumArgument = 8 * 1024;

type Given = Readonly<Record<string, string>>;

/** Answers `prompts/get` as a call that is judged and recorded. Never throws. */
export async function getPrompt(
  name: string,
  given: Given,
  call: CallOrigin,
  dependencies: CoreDependencies,
): Promise<PromptOutcome> {
  const { prompts } = dependencies.catalog;
  const prompt = prompts.find((each) => each.name === name);
  try {
    const filled = await understood(prompt, filledIn(given), call, dependencies);
    const request = {
      name: 'get_prompt',
      title: prompt?.title ?? 'Get prompt',
      arguments: { prompt: name, arguments: filled },
      judgedAs: prompt?.judgedAs ?? 'get_prompt',
      needs: prompt?.needs ?? [],
      check: () => refuseUnfit(filled, prompt ?? noPrompt(name, prompts)),
      targets: () => prompt?.targets(filled) ?? [],
      async run(context: ToolContext, signal: AbortSignal): Promise<readonly PromptMessage[]> {
        return (prompt ?? noPrompt(name, prompts)).messages(filled, context, signal);
      },
      textOf: (messages: readonly PromptMessage[]) => messages.map(textOf).join('\n'),
    };
    const messages = await carryOutRequest(request, call, dependencies);
    return {
      kind: 'prompt',
      description: prompt?.description ?? '',
      messages: wellFormedData(messages.map(printableMessage)),
    };
  } catch (error) {
    return unansweredOf(error);
  }
}

/** Drops empty arguments: the forms of clients send an empty text for a field that was left empty. */
function filledIn(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''));
}

const texts = z.record(z.string(), z.string());

/** Returns the arguments by the names that the prompt has, with the path of the file that they stand for (as of tool calls). */
async function understood(
  prompt: Prompt | undefined,
  given: Given,
  call: CallOrigin,
  dependencies: CoreDependencies,
): Promise<Given> {
  if (prompt === undefined) return given;
  const called = {
    name: prompt.judgedAs,
    risk: 'read',
    worksUntrusted: false,
    takesNoLines: true,
    input: {
      jsonSchema: {
        properties: Object.fromEntries(prompt.arguments.map(({ name }) => [name, { type: 'string' }])),
        required: prompt.arguments.flatMap(({ name, required }) => (required ? [name] : [])),
      },
      parse: (value: unknown) => refuseUnfit(texts.parse(value), prompt),
    },
  } as const;
  return texts.parse(await withPathsOf(called, inSchemaForm(called, given), call, dependencies));
}

function noPrompt(name: string, prompts: readonly Prompt[]): never {
  const names = prompts.map((each) => each.name).join(', ');
  throw new InvalidArgumentsError(`There is no prompt ${quoted(name)}. The prompts are: ${names}.`);
}

function refuseUnfit(given: Given, prompt: Prompt): void {
  for (const [name, value] of Object.entries(given)) {
    if (prompt.arguments.every((each) => each.name !== name)) {
      const names = prompt.arguments.map((each) => each.name).join(', ');
      throw new InvalidArgumentsError(`${prompt.name} has no argument ${quoted(name)}. Its arguments are: ${names}.`);
    }
    if (Buffer.byteLength(value) > maximumArgument) {
      throw new InvalidArgumentsError(`The argument ${quoted(name)} is longer than ${maximumArgument} bytes.`);
    }
  }
  for (const { name, required } of prompt.arguments) {
    if (required && !Object.hasOwn(given, name)) {
      throw new InvalidArgumentsError(`${prompt.name} needs the argument ${quoted(name)}.`);
    }
  }
}

function textOf({ content }: PromptMessage): string {
  if (content.type === 'text') return content.text;
  return content.type === 'resource' && 'text' in content.resource ? content.resource.text : '';
}

/** Text may quote a file, so its control characters are made visible. An embedded file stays as it is. */
function printableMessage(message: PromptMessage): PromptMessage {
  const { content } = message;
  return content.type === 'text' ? { ...message, content: { ...content, text: printable(content.text) } } : message;
}
