import { Emitter } from '#base/event.ts';
import type { FoundFile } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { CallLimits } from '#call/callLimits.ts';
import type { CallOrigin, CoreDependencies } from '#call/callTool.ts';
import { complete } from '#call/completion.ts';
import { listResources } from '#call/listResources.ts';
import type { CompletionRequest } from '#call/outcomes.ts';
import type { EditorSelection, OpenEditor } from '#call/ports/editors.ts';
import { getPrompt } from '#call/prompt.ts';
import { readResource, watchResource } from '#call/resourceRequests.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import type { ToolPorts } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { ReadRequest } from '#changes/approver.ts';
import type { Changes } from '#changes/changes.ts';
import type { Diagnostic } from '#language/diagnostics.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';
import { FakeAuditLog } from './auditLog.ts';
import { FakeCatalog } from './catalog.ts';
import { fakeSources } from './changeSources.ts';
import { FakeChanges } from './changes.ts';
import { FakeClock } from './clock.ts';
import { FakeDiagnostics } from './diagnostics.ts';
import { FakeEditors } from './editors.ts';
import { FakeFileChanges } from './fileChanges.ts';
import { FakeFiles, type FakeNode } from './files.ts';
import { fakeFolderAccess } from './folderAccess.ts';
import { fakePorts } from './ports.ts';
import { FakePolicy } from './rules.ts';
import { FakeSearch } from './search.ts';
import { FakeSymbols } from './symbols.ts';
import { FakeWorkspace, folderAt } from './workspace.ts';

/** Runs requests for resources, prompts and completions over a workspace in memory, like the server. */
export class RequestRun {
  readonly auditLog = new FakeAuditLog();
  readonly catalog = new FakeCatalog(tools, resources, prompts);
  readonly changed = new Emitter<void>();
  readonly diagnostics = new FakeDiagnostics();
  readonly editors = new FakeEditors();
  readonly fileChanges = new FakeFileChanges();
  readonly files: FakeFiles;
  readonly policy = new FakePolicy();
  readonly search = new FakeSearch();
  readonly symbols = new FakeSymbols();
  readonly workspace: FakeWorkspace;
  /** The reads that the user was asked to permit; the user always declines. */
  readonly asked: ReadRequest[] = [];
  changes: Changes = new FakeChanges();
  readBytes = 65_536;
  /** Further facts of each request. */
  origin: Partial<CallOrigin> = {};
  /** Further ports. */
  ports: Partial<Omit<ToolPorts, 'tickets'>> = {};

  constructor(nodes: Readonly<Record<string, FakeNode>> = {}, folders = [folderAt('/w')]) {
    this.files = new FakeFiles(nodes);
    this.workspace = new FakeWorkspace(folders);
    for (const [path, node] of this.files.nodes) {
      if (typeof node === 'string' && folders.some(({ fsPath }) => path.startsWith(`${fsPath}/`))) {
        this.search.add(this.found(path), node);
      }
    }
  }

  /** Returns a file in the form that the adapters return. */
  found(fsPath: string): FoundFile {
    const folders = this.workspace.folders();
    const folder = folders.find((each) => fsPath.startsWith(`${each.fsPath}/`));
    if (folder === undefined) throw new Error(`${fsPath} is in no folder`);
    const relative = fsPath.slice(folder.fsPath.length + 1);
    const path = folders.length > 1 ? `${folder.name}/${relative}` : relative;
    return { path, uri: `file://${fsPath}`, fsPath, folder };
  }

  /** Opens files in tabs, the first one active. */
  open(...fsPaths: readonly string[]): void {
    this.editors.setOpen(
      ...fsPaths.map((fsPath, at): OpenEditor => ({ ...this.found(fsPath), isActive: at === 0, isDirty: false })),
    );
  }

  select(fsPath: string, range: Omit<EditorSelection, keyof FoundFile | 'text'>): void {
    this.editors.select({ ...this.found(fsPath), ...range, text: 'not what is asked for' });
  }

  publish(problems: Readonly<Record<string, readonly Diagnostic[]>>): void {
    const files = Object.entries(problems).map(([fsPath, diagnostics]) => ({ ...this.found(fsPath), diagnostics }));
    this.diagnostics.publish(...files);
  }

  list(cursor?: string) {
    return listResources(cursor, this.#call(), this.#dependencies());
  }

  read(uri: string) {
    return readResource(uri, this.#call(), this.#dependencies());
  }

  watch(uri: string, changed: () => void) {
    return watchResource(uri, this.#call(), changed, this.#dependencies());
  }

  prompt(name: string, given: Readonly<Record<string, string>> = {}) {
    return getPrompt(name, given, this.#call(), this.#dependencies());
  }

  complete(of: CompletionRequest['of'], argument: string, typed: string, others = {}) {
    return complete({ of, argument, typed, others }, this.#call(), this.#dependencies());
  }

  /** Returns the text of a resource, or the refusal. */
  async text(uri: string): Promise<string> {
    const outcome = await this.read(uri);
    if (outcome.kind === 'error') return outcome.code;
    const [content] = outcome.contents;
    return content !== undefined && 'text' in content ? content.text : 'no text';
  }

  #call(): CallOrigin {
    return {
      principal: { credential: 'window' },
      client: undefined,
      era: '2026',
      protocolVersion: undefined,
      signal: new AbortController().signal,
      ...this.origin,
    };
  }

  readonly #clock = new FakeClock();
  readonly #limits = new CallLimits();

  #dependencies(): CoreDependencies {
    const { auditLog, catalog, changes, diagnostics, editors, fileChanges, files, policy, search, symbols } = this;
    const { workspace } = this;
    const onDidChangeChanges = this.changed.event;
    return {
      catalog,
      ports: fakePorts({ changes, diagnostics, editors, files, search, symbols, workspace, ...this.ports }),
      sources: fakeSources({ diagnostics, editors, fileChanges, workspace, onDidChangeChanges }),
      folderAccess: fakeFolderAccess(),
      approver: {
        request: () => Promise.reject(new Error('A read changes nothing')),
        permitRead: async (request) => {
          this.asked.push(request);
          throw new ToolError('denied', 'The user said no.', 'Go on without it.');
        },
        outcome: async () => undefined,
      },
      auditLog,
      clock: this.#clock,
      pathRules: { home: '/nowhere', privateFolders: [] },
      policy,
      limits: this.#limits,
      unasked: new UnaskedBudget(this.#clock),
      profileFor: () => defaultProfile,
      caps: () => ({ readBytes: this.readBytes, maxResults: 200 }),
    };
  }
}
