import type { Completion } from './completion.ts';
import type { ContentBlock } from './result.ts';
import type { ToolContext, ToolPorts } from './tool.ts';

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

/** A question that a user picks in the client, made whole here. Making it is a call like any other. */
export interface Prompt<Needs extends keyof ToolPorts = keyof ToolPorts> {
  /** `verb_noun`, unique. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The tool whose rules are this one's. */
  readonly judgedAs: string;
  readonly needs: readonly Needs[];
  /** The addresses of files in the arguments, so that the policy can judge them. */
  targets(given: Readonly<Record<string, string>>): readonly string[];
  /** @param given known arguments only, the required ones among them. Throws ToolError. */
  messages(
    given: Readonly<Record<string, string>>,
    context: ToolContext<Needs>,
    signal: AbortSignal,
  ): Promise<readonly PromptMessage[]>;
}

/** Identity, for inference. */
export function definePrompt<const Needs extends keyof ToolPorts>(prompt: Prompt<Needs>): Prompt<Needs> {
  return prompt;
}
