import type { Risk } from '#base/toolError.ts';
import type { Tool } from './tool.ts';

/** MCP `ToolAnnotations`: hints for the client's display, derived from the risk of the tool. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

const destructive: ReadonlySet<Risk> = new Set(['edit', 'delete', 'execute', 'config']);

/** Risks of tools that may reach beyond this machine: what a program reaches is unknown. */
const openWorld: ReadonlySet<Risk> = new Set(['network', 'execute']);

/** Returns the MCP annotations of a tool. */
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
