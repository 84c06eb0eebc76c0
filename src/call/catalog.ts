import type { Event } from '#base/event.ts';
import { ToolError } from '#base/toolError.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { Tool, ToolCatalog } from './tool.ts';

/** Everything that clients are offered. */
export interface Catalog extends ToolCatalog {
  /** Every tool there is, in the order in which clients show them. */
  readonly tools: readonly Tool[];
  /** Those of them that clients are told of: neither turned off, nor refused altogether in this mode or without trust. */
  readonly offered: readonly Tool[];
  /** The user turned the tool or its toolset off. */
  isTurnedOff(tool: Tool): boolean;
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Changes whenever what is offered does. */
  readonly version: number;
  /** Other tools are offered than before. */
  readonly onDidChange: Event<void>;
}

/** Whether clients are told of what is judged as a tool: not while the tool itself is kept from them. */
export function isOffered(
  { judgedAs }: { readonly judgedAs: string },
  { tools, offered }: Pick<Catalog, 'tools' | 'offered'>,
): boolean {
  const judged = tools.find(({ name }) => name === judgedAs);
  return judged === undefined || offered.includes(judged);
}

/**
 * Refuses what the user has turned off; what is judged as a tool (a resource, a prompt) is turned off with it.
 * @throws ToolError `unavailable`
 */
export function refuseTurnedOff(tool: Tool, catalog: Pick<Catalog, 'tools' | 'isTurnedOff'>): void {
  const judgedAs = tool.judgedAs ?? tool.name;
  // A kind stands in no list: it goes by its own name, then by that of its tool.
  const judged = tool.kindOf === undefined ? catalog.tools.find(({ name }) => name === judgedAs) : tool;
  // What is in no list, nobody can turn off.
  if (judged === undefined || !catalog.isTurnedOff(judged)) return;
  throw new ToolError(
    'unavailable',
    turnedOffMessage(tool, judged),
    'Do without it, or ask the user to turn it on again in the setting drawbridge.toolsets.',
  );
}

function turnedOffMessage(tool: Tool, judged: Tool): string {
  if (tool.kindOf !== undefined) return `The user has turned this kind of ${tool.kindOf} off (${tool.name}).`;
  if (tool === judged) return 'The user has turned this tool off.';
  return `The user has turned ${judged.name} off, and this shows the same.`;
}
