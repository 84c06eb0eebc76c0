import type { Syntax } from '#base/syntaxTree.ts';
import { ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { bindPorts } from '#call/gate.ts';
import { resolveAddress } from '#call/resolve.ts';
import type { Media, PageLimits, ReadingTool, Rendering, ToolPorts } from '#call/tool.ts';
import type { Changes } from '#changes/changes.ts';
import { decide } from '#policy/decide.ts';
import type { Mode } from '#policy/rules.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import type { ReadResult } from '#tools/workspace/readRange.ts';
import { FakeChanges } from '../../fakes/changes.ts';
import { FakeDiagnostics } from '../../fakes/diagnostics.ts';
import { FakeEditorActions } from '../../fakes/editorActions.ts';
import { FakeEditorState } from '../../fakes/editorState.ts';
import { FakeFiles, type FakeNode } from '../../fakes/files.ts';
import { FakeImages } from '../../fakes/images.ts';
import { FakeLanguage } from '../../fakes/language.ts';
import { FakeLanguageDetails } from '../../fakes/languageDetails.ts';
import { FakeLineMarks } from '../../fakes/lineMarks.ts';
import { FakeMarkedContext } from '../../fakes/markedContext.ts';
import { fakePorts } from '../../fakes/ports.ts';
import { FakeRefactorings } from '../../fakes/refactorings.ts';
import { FakePolicy } from '../../fakes/rules.ts';
import { FakeSearch } from '../../fakes/search.ts';
import { FakeSymbols } from '../../fakes/symbols.ts';
import { FakeSyntax } from '../../fakes/syntax.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';
import { listedProblem } from '../listedSchema.ts';

/** Runs reading tools over a workspace in memory, through the same gate as the real thing. */
export class ToolRun {
  readonly files: FakeFiles;
  changes: Changes = new FakeChanges();
  /** The media that accompanied the results. */
  readonly media: Media[] = [];
  readonly diagnostics = new FakeDiagnostics();
  readonly editorActions = new FakeEditorActions();
  readonly editorState = new FakeEditorState();
  readonly images = new FakeImages();
  readonly language = new FakeLanguage();
  readonly languageDetails = new FakeLanguageDetails();
  readonly lineMarks = new FakeLineMarks();
  readonly markedContext = new FakeMarkedContext();
  readonly refactorings = new FakeRefactorings();
  readonly search = new FakeSearch();
  readonly symbols = new FakeSymbols();
  syntax: Syntax = new FakeSyntax();
  readonly workspace: FakeWorkspace;
  readonly pathRules = { home: '/nowhere', privateFolders: [] };
  mode: Mode = 'manual';
  limits: PageLimits = { listBytes: undefined, readBytes: 65_536, maxResults: 200 };

  constructor(nodes: Readonly<Record<string, FakeNode>> = {}, folders = [folderAt('/w')]) {
    this.files = new FakeFiles(nodes);
    this.workspace = new FakeWorkspace(folders);
    for (const [path, node] of this.files.nodes) {
      const folder = folders.find(({ fsPath }) => path.startsWith(`${fsPath}/`));
      if (folder === undefined || typeof node !== 'string') continue;
      const relative = path.slice(folder.fsPath.length + 1);
      const label = folders.length > 1 ? `${folder.name}/${relative}` : relative;
      this.search.add({ path: label, uri: `file://${path}`, fsPath: path, folder }, node);
    }
  }

  async data<Input, Output, Needs extends keyof ToolPorts>(
    tool: ReadingTool<Input, Output, Needs>,
    input: unknown,
  ): Promise<Output> {
    const { files, workspace, pathRules } = this;
    const parsed = tool.input.parse(input);
    const caller = { tool: tool.name, principal: { credential: 'window' } };
    const situation = { workspace, pathRules, policy: new FakePolicy(), caller };
    const resolve = async (address: string) => {
      const path = await resolveAddress(address, { files, workspace, pathRules, purpose: 'read' });
      const decision = decide({ ...situation, risk: tool.risk, worksUntrusted: true, paths: [path] });
      if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
      return path;
    };
    const context = {
      ...bindPorts(fakePorts(this), situation, { admitted: new Set(), permitted: new Set() }),
      tickets: { outcome: async () => undefined },
      principal: caller.principal,
      targets: await Promise.all(tool.targets(parsed).map(resolve)),
      resolve,
      folderPath: async ({ fsPath }: WorkspaceFolder) => (await resolve(fsPath)).path,
      limits: this.limits,
      report: () => undefined,
      log: () => undefined,
      withNearestPaths: async (error: unknown) => error,
      clientInput: { responses: {} },
      attach: (media: Media) => void this.media.push(media),
      mode: this.mode,
    };
    const data = await tool.run(parsed, context, new AbortController().signal);
    tool.output.check(data);
    const problem = listedProblem(tool.output.jsonSchema, data);
    if (problem !== undefined) throw new Error(`${tool.name}: ${problem}`);
    return data;
  }

  /** Returns the data that read_file returns for a text. */
  async textOf(input: unknown): Promise<ReadResult> {
    const data = await this.data(readFile, input);
    if (data.kind !== 'text') throw new Error(`${data.path} is no text`);
    return data;
  }

  async rendering<Input, Output, Needs extends keyof ToolPorts>(
    tool: ReadingTool<Input, Output, Needs>,
    input: unknown,
  ): Promise<Rendering> {
    return tool.render(await this.data(tool, input));
  }
}
