import { annotationsOf, type ToolAnnotations } from '../core/annotations.ts';
import type { JsonSchema, Tool } from '../core/tool.ts';

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: ToolAnnotations;
}

/** The answer to `tools/list` for these tools, all on one page. */
export function listTools(tools: readonly Tool[]): { tools: ListedTool[] } {
  return {
    tools: tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: { ...tool.input.jsonSchema, type: 'object' as const },
      outputSchema: { ...tool.output.jsonSchema, type: 'object' as const },
      annotations: { ...annotationsOf(tool) },
    })),
  };
}
