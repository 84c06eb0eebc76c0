import type { Event } from '#base/event.ts';
import { ToolError } from '#base/toolError.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { Tool, ToolCatalog } from './tool.ts';

/** The tools, resources and prompts of a window. */
export interface Catalog extends ToolCatalog {
  /** All tools, in the order in which clients show them. */
  readonly tools: readonly Tool[];
  /** The tools that clients are told about: those that are neither turned off nor always refused in this mode or without trust. */
  readonly offered: readonly Tool[];
  /** Returns true when the user turned off the tool or its toolset. */
  isTurnedOff(tool: Tool): boolean;
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Rises whenever `offered` changes. */
  readonly version: number;
  /** Fires when `offered` changed. */
  readonly onDidChange: Event<void>;
}

/** Returns true when clients are told about a resource or prompt: the tool that it is judged as must be offered. */
export function isOffered(
  { judgedAs }: { readonly judgedAs: string },
  { tools, offered }: Pick<Catalog, 'tools' | 'offered'>,
): boolean {
  const judged = tools.find(({ name }) => name === judgedAs);
  return judged === undefined || offered.includes(judged);
}

/**
 * Refuses a tool that the user turned off. A resource or prompt is turned off with the tool that it is judged as.
 * @throws ToolError `unavailable`
 */
export function refuseTurnedOff(tool: Tool, catalog: Pick<Catalog, 'tools' | 'isTurnedOff'>): void {
  const judgedAs = tool.judgedAs ?? tool.name;
  // The catalog does not list kinds, so a kind is looked up as itself.
  const judged = tool.kindOf === undefined ? catalog.tools.find(({ name }) => name === judgedAs) : tool;
  // The user cannot turn off a tool that the catalog does not have.
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
