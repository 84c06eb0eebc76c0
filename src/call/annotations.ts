import type { Risk } from '#base/toolError.ts';
import type { Tool } from './tool.ts';

/** MCP `ToolAnnotations`: hints for a client's own display, derived from the one word a tool says about itself. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

const destructive: ReadonlySet<Risk> = new Set(['edit', 'delete', 'execute', 'config']);

/** What a program that is run reaches, nobody knows. */
const openWorld: ReadonlySet<Risk> = new Set(['network', 'execute']);

export function annotationsOf(tool: Tool): ToolAnnotations {
  const readOnly = tool.risk === 'read';
  return {
    title: tool.title,
    readOnlyHint: readOnly,
    destructiveHint: destructive.has(tool.risk),
    idempotentHint: readOnly,
    openWorldHint: openWorld.has(tool.risk),
  };
}
