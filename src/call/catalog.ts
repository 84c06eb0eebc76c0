import type { Event } from '#base/event.ts';
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
