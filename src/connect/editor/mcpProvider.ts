import * as vscode from 'vscode';

/** The endpoint of this window's server, and the headers that authenticate the editor. */
export interface ServerAccess {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpProviderOptions {
  readonly version: string;
  /** Starts the server if it does not run. Throws an error with a message for the user. */
  readonly connect: () => Promise<ServerAccess>;
}

/** The placeholder while there is no endpoint; the editor resolves the real one before it connects. */
const noEndpoint = 'http://127.0.0.1/mcp';

/**
 * Offers this window's server to the editor's own agent. Created at activation, so it must depend on nothing but the editor.
 * The editor ends a connection whose definition changes, so the definition changes only when the connection is lost anyway.
 */
export class McpProvider implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> {
  readonly #options: McpProviderOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.#changed.event;
  #shown = noEndpoint;
  /** The endpoint that the editor got last. */
  #given: string | undefined;
  #isConnecting = false;

  constructor(options: McpProviderOptions) {
    this.#options = options;
  }

  /** Registers the provider. Editors built on older versions of VS Code may not have the API. */
  register(): vscode.Disposable {
    if (!('lm' in vscode) || !('registerMcpServerDefinitionProvider' in vscode.lm)) return this.#changed;
    return vscode.Disposable.from(this.#changed, vscode.lm.registerMcpServerDefinitionProvider('drawbridge', this));
  }

  provideMcpServerDefinitions(): vscode.McpHttpServerDefinition[] {
    const uri = vscode.Uri.parse(this.#shown);
    return [new vscode.McpHttpServerDefinition('Drawbridge', uri, {}, this.#options.version)];
  }

  async resolveMcpServerDefinition(
    definition: vscode.McpHttpServerDefinition,
  ): Promise<vscode.McpHttpServerDefinition> {
    this.#isConnecting = true;
    try {
      const { endpoint, headers } = await this.#options.connect();
      this.#given = endpoint;
      const uri = vscode.Uri.parse(endpoint);
      return new vscode.McpHttpServerDefinition(definition.label, uri, { ...headers }, this.#options.version);
    } finally {
      this.#isConnecting = false;
    }
  }

  /** Reports a new endpoint to the editor, or none. */
  showEndpoint(endpoint: string | undefined): void {
    if (this.#isConnecting || endpoint === undefined || endpoint === this.#given) return;
    if (endpoint === this.#shown) return;
    this.#shown = endpoint;
    this.#changed.fire();
  }
}
