import * as vscode from 'vscode';

/** The API that `activate()` of Drawbridge returns to other extensions. Nothing in it can decide an approval (threat row A26). */
export interface DrawbridgeApi {
  /** Fields are only ever added to a version. */
  readonly version: 1;
  /**
   * Gives assistants a tool, once the user turned it on in the Tools view; the user is asked before each use.
   * @throws TypeError for a definition that is not valid; Error for a name that is taken
   */
  registerTool(definition: ToolDefinition): vscode.Disposable;
}

export interface ToolDefinition {
  /** `<publisher>.<name>` of the extension that registers it. */
  readonly extension: string;
  /** 1 to 40 letters, digits, `_` and `-`; unique within the extension. */
  readonly name: string;
  /** For people; at most 100 characters. */
  readonly title: string;
  /** For models; at most 4000 characters. */
  readonly description: string;
  /** JSON Schema of the input, an object at its root; at most 16 KB as JSON. */
  readonly inputSchema: object;
  /** Called only after the user approved it; the input was checked against the schema. An error that is thrown is told to the assistant. */
  invoke(input: unknown, token: vscode.CancellationToken): ToolResult | PromiseLike<ToolResult>;
}

export interface ToolResult {
  readonly text?: string;
  /** Parts as MCP knows them; `data` is Base64. */
  readonly content?: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  )[];
  readonly isError?: boolean;
}

/** A copy of a registered tool, so that later changes of its definition have no effect. */
export interface RegisteredTool extends Omit<ToolDefinition, 'inputSchema'> {
  readonly inputSchema: string;
}

const most = { tools: 100, title: 100, description: 4000, schema: 16 * 1024 };

/** The tools that other extensions registered; it exists from activation on, before the main chunk is loaded. */
export class RegisteredTools implements vscode.Disposable {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly api: DrawbridgeApi = Object.freeze({
    version: 1,
    registerTool: (definition: ToolDefinition) => this.#register(definition),
  });

  /** The registered tools by `<publisher>.<extension>/<tool>`. */
  get all(): ReadonlyMap<string, RegisteredTool> {
    return this.#tools;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #register(definition: ToolDefinition): vscode.Disposable {
    const tool = checked(definition);
    const name = `${tool.extension}/${tool.name}`;
    if (this.#tools.has(name)) throw new Error(`Drawbridge has a tool ${name} already.`);
    if (this.#tools.size >= most.tools) throw new Error(`Drawbridge takes ${most.tools} tools of extensions at most.`);
    this.#tools.set(name, tool);
    this.#changed.fire();
    return new vscode.Disposable(() => {
      if (this.#tools.get(name) !== tool) return;
      this.#tools.delete(name);
      this.#changed.fire();
    });
  }
}

/**
 * Returns a checked copy of a definition, which comes from another extension and may have any form.
 * @throws TypeError for a definition that is not valid
 */
function checked(definition: ToolDefinition): RegisteredTool {
  if (typeof definition !== 'object' || definition === null) throw new TypeError('The definition must be an object.');
  const { extension, name, title, description, inputSchema } = definition;
  if (typeof extension !== 'string' || vscode.extensions.getExtension(extension) === undefined) {
    throw new TypeError('extension must be the id of an extension that is installed and enabled.');
  }
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,40}$/.test(name)) {
    throw new TypeError('name must be 1 to 40 letters, digits, _ or -.');
  }
  if (!isText(title, most.title)) throw new TypeError(`title must be 1 to ${most.title} characters.`);
  if (!isText(description, most.description)) {
    throw new TypeError(`description must be 1 to ${most.description} characters.`);
  }
  if (typeof definition.invoke !== 'function') throw new TypeError('invoke must be a function.');
  const schema = JSON.stringify(inputSchema);
  if (typeof inputSchema !== 'object' || inputSchema === null || Array.isArray(inputSchema)) {
    throw new TypeError('inputSchema must be a JSON Schema of an object.');
  }
  if (schema.length > most.schema)
    throw new TypeError(`inputSchema must be at most ${most.schema} characters of JSON.`);
  const invoke: ToolDefinition['invoke'] = (input, token) => definition.invoke(input, token);
  return { extension: extension.toLowerCase(), name, title, description, inputSchema: schema, invoke };
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.trim().length > 0 && value.length <= longest;
}
