import * as vscode from 'vscode';

/** Where this window's server is, and what lets the editor in. */
export interface ServerAccess {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpProviderOptions {
  readonly version: string;
  /** Starts the server if it does not run. Throws what the human should read. */
  readonly connect: () => Promise<ServerAccess>;
}

/** Stands for the endpoint while there is none; the editor asks for the real one before it connects. */
const noEndpoint = 'http://127.0.0.1/mcp';

/**
 * Offers this window's server to the editor's own agent. Made at activation: it must not need anything but the editor.
 * The editor ends a connection whose definition changes, so the definition changes only when the connection is lost anyway.
 */
export class McpProvider implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> {
  readonly #options: McpProviderOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.#changed.event;
  #shown = noEndpoint;
  /** What the editor was let in to last. */
  #given: string | undefined;
  #isConnecting = false;

  constructor(options: McpProviderOptions) {
    this.#options = options;
  }

  /** Editors that are made from older ones may know nothing of it. */
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

  /** The server listens somewhere else, or no longer. */
  showEndpoint(endpoint: string | undefined): void {
    if (this.#isConnecting || endpoint === undefined || endpoint === this.#given) return;
    if (endpoint === this.#shown) return;
    this.#shown = endpoint;
    this.#changed.fire();
  }
}
