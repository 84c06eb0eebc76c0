import type {
  ListToolsResult,
  Prompt as WirePrompt,
  Resource as WireResource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { annotationsOf } from '#call/annotations.ts';
import { type Catalog, isOffered } from '#call/catalog.ts';
import type { ListedResource } from '#call/outcomes.ts';
import type { Prompt } from '#call/prompt.ts';
import type { Tool } from '#call/tool.ts';
import { riskIcons } from '#mcp/wire/icons.ts';
import { pageOf } from './pages.ts';
import { wireAnnotations } from './toolAnswer.ts';

type ListedTool = ListToolsResult['tools'][number];

/** The optional members of a listed tool. */
export interface ToolListShape {
  readonly icons: boolean;
  readonly outputSchemas: boolean;
}

/** Answers `tools/list`. Builds each list once for a version of the catalog and a shape. */
export class ToolList {
  readonly #catalog: Catalog;
  readonly #pageSize: number;
  readonly #made = new Map<string, readonly ListedTool[]>();
  #version: number | undefined;

  constructor(catalog: Catalog, pageSize: number) {
    this.#catalog = catalog;
    this.#pageSize = pageSize;
  }

  /** Returns one page. @throws ProtocolError -32602 for a cursor of another list */
  page(cursor: string | undefined, shape: ToolListShape): ListToolsResult {
    const { version } = this.#catalog;
    const { items, nextCursor } = pageOf(this.#list(shape), {
      cursor,
      list: `tools ${version}`,
      size: this.#pageSize,
    });
    return { tools: [...items], ...(nextCursor !== undefined && { nextCursor }) };
  }

  #list(shape: ToolListShape): readonly ListedTool[] {
    const { offered, version } = this.#catalog;
    if (this.#version !== version) this.#made.clear();
    this.#version = version;
    const key = `${shape.icons} ${shape.outputSchemas}`;
    const made = this.#made.get(key) ?? offered.map((tool) => listedTool(tool, shape));
    this.#made.set(key, made);
    return made;
  }
}

/** Returns the tool list that the bridge answers while no window is open: every tool on one page. */
export function listTools(tools: readonly Tool[]): { readonly tools: readonly ListedTool[] } {
  return { tools: tools.map((tool) => listedTool(tool, { icons: false, outputSchemas: true })) };
}

function listedTool(tool: Tool, { icons, outputSchemas }: ToolListShape): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...tool.input.jsonSchema, type: 'object' },
    ...(outputSchemas && { outputSchema: { ...tool.output.jsonSchema, type: 'object' as const } }),
    annotations: { ...annotationsOf(tool) },
    ...(icons && { icons: riskIcons(tool.risk) }),
  };
}

/** Returns the offered prompts of the catalog, as items of `prompts/list`. */
export function listedPrompts(catalog: Catalog): readonly WirePrompt[] {
  return onlyOffered(catalog.prompts, catalog).map(listedPrompt);
}

/** Returns the offered resource templates of the catalog, as items of `resources/templates/list`. */
export function listedTemplates(catalog: Catalog): readonly ResourceTemplateType[] {
  return onlyOffered(catalog.resources, catalog).flatMap(({ address, name, title, description, mimeType }) =>
    'uri' in address
      ? []
      : [{ uriTemplate: address.uriTemplate, name, title, description, ...(mimeType !== undefined && { mimeType }) }],
  );
}

/** Copies a resource's read-only annotations, since the SDK's types want mutable arrays. */
export function listedResource({ annotations, ...resource }: ListedResource): WireResource {
  return { ...resource, ...(annotations !== undefined && { annotations: wireAnnotations(annotations) }) };
}

/** Keeps the items whose tool is offered: a resource or prompt is turned off together with the tool it is judged as. */
function onlyOffered<T extends { readonly judgedAs: string }>(items: readonly T[], catalog: Catalog): readonly T[] {
  return items.filter((item) => isOffered(item, catalog));
}

function listedPrompt({ name, title, description, arguments: given }: Prompt): WirePrompt {
  return {
    name,
    title,
    description,
    arguments: given.map((argument) => ({
      name: argument.name,
      title: argument.title,
      description: argument.description,
      required: argument.required,
    })),
  };
}
