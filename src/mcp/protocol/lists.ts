import type {
  ListToolsResult,
  Prompt as WirePrompt,
  Resource as WireResource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { annotationsOf } from '#call/annotations.ts';
import { type Catalog, isOffered } from '#call/catalog.ts';
import { listedInput, listedOutput } from '#call/listedSchemas.ts';
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
  /** The title stands at the tool, else in its annotations. */
  readonly toolTitles: boolean;
  /** The most characters of a result that a tool with long results names; undefined when the client knows no such name. */
  readonly resultChars: number | undefined;
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
    const key = JSON.stringify(shape);
    const made = this.#made.get(key) ?? offered.map((tool) => listedTool(tool, shape));
    this.#made.set(key, made);
    return made;
  }
}

const bridgeShape = { icons: false, outputSchemas: true, toolTitles: true, resultChars: undefined } as const;

/** Returns the tool list that the bridge answers while no window is open: every tool on one page. */
export function listTools(tools: readonly Tool[]): { readonly tools: readonly ListedTool[] } {
  return { tools: tools.map((tool) => listedTool(tool, bridgeShape)) };
}

/** Claude Code saves a longer result to a file and shows only its beginning, unless the tool names its size (up to 500,000). */
const resultCharsKey = 'anthropic/maxResultSizeChars';

function listedTool(tool: Tool, { icons, outputSchemas, toolTitles, resultChars }: ToolListShape): ListedTool {
  const { jsonSchema, isForeign } = tool.input;
  // A tool that reads is always idempotent for a client, and any other is not unless it says so.
  const { title, idempotentHint: _implied, ...hints } = annotationsOf(tool);
  return {
    name: tool.name,
    ...(toolTitles && { title }),
    description: tool.description,
    // The user has confirmed the schema of a foreign tool as it is.
    inputSchema: { ...(isForeign === true ? jsonSchema : listedInput(jsonSchema)), type: 'object' },
    ...(outputSchemas && { outputSchema: { ...listedOutput(tool.output.jsonSchema), type: 'object' as const } }),
    annotations: toolTitles ? hints : { title, ...hints },
    ...(icons && { icons: riskIcons(tool.risk) }),
    ...(resultChars !== undefined && tool.hasLongResults === true && { _meta: { [resultCharsKey]: resultChars } }),
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
