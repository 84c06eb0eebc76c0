import type { ToolContext, ToolPorts } from './tool.ts';

/** Values that begin or contain what was typed, best first. */
export interface Completed {
  readonly values: readonly string[];
  /** How many there are, when that is known. */
  readonly total?: number;
}

/** Completes one argument of a prompt or one variable of a resource template. */
export interface Completion<Needs extends keyof ToolPorts = keyof ToolPorts> {
  /** The tool whose rules are this one's. */
  readonly judgedAs: string;
  readonly needs: readonly Needs[];
  /** @param others arguments that are filled in already, by name */
  complete(
    typed: string,
    others: Readonly<Record<string, string>>,
    context: ToolContext<Needs>,
    signal: AbortSignal,
  ): Promise<Completed>;
}

/** Identity, for inference. */
export function defineCompletion<const Needs extends keyof ToolPorts>(
  completion: Completion<Needs>,
): Completion<Needs> {
  return completion;
}
