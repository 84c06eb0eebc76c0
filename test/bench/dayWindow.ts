import type { ClientInfo, Principal } from '#base/principal.ts';
import { CallLimits, shippedCallLimits } from '#call/callLimits.ts';
import { type CallOutcome, callTool, type CoreDependencies } from '#call/callTool.ts';
import { performAction } from '#call/performAction.ts';
import { recheckProposal } from '#call/recheck.ts';
import { judgeProposal, repropose } from '#call/repropose.ts';
import { resolveAddress } from '#call/resolve.ts';
import { defaultProfile, type ResultProfile } from '#call/resultProfile.ts';
import type { ToolPorts } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import { nothingInterrupted } from '#changes/edits.ts';
import { ApprovalQueue } from '#changes/queue.ts';
import { SessionRules } from '#policy/editor/sessionRules.ts';
import type { Mode, ScopedRule } from '#policy/rules.ts';
import type { Search } from '#search/search.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeEdits } from '../fakes/edits.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { FakeHistory } from '../fakes/history.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakeProblems } from '../fakes/problems.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { FakeSourceControl } from '../fakes/sourceControl.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

const root = '/w';

/** The texts that are edited, and entries that are no text and that no edit changes. */
class Nodes extends Map<string, FakeNode> {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>, others: Readonly<Record<string, FakeNode>>) {
    super(Object.entries(others));
    this.#texts = texts;
  }

  override get(path: string): FakeNode | undefined {
    return this.#texts.get(path) ?? super.get(path);
  }

  override has(path: string): boolean {
    return this.#texts.has(path) || super.has(path);
  }

  override keys(): MapIterator<string> {
    return new Set([...this.#texts.keys(), ...super.keys()]).keys();
  }
}

/** Reads the files that are edited. */
class SharedFiles extends FakeFiles {
  override readonly nodes: Map<string, FakeNode>;

  constructor(nodes: Map<string, FakeNode>) {
    super();
    this.nodes = nodes;
  }
}

/** Edits texts that are read elsewhere too. */
export class SharedEdits extends FakeEdits {
  override readonly texts: Map<string, string>;

  constructor(texts: Map<string, string>) {
    super({});
    this.texts = texts;
  }
}

/** A policy with the clock and the rules of the window. */
class DayPolicy extends FakePolicy {
  readonly #clock: FakeClock;
  readonly #sessionRules: SessionRules;

  constructor(clock: FakeClock, sessionRules: SessionRules, mode: Mode) {
    super();
    this.#clock = clock;
    this.#sessionRules = sessionRules;
    this.currentMode = mode;
  }

  override now(): number {
    return this.#clock.now();
  }

  override rules(): readonly ScopedRule[] {
    return this.#sessionRules.all;
  }
}

export interface DayWindowOptions {
  /** Result profiles by the name of a client; all blocks unless given. */
  readonly profileOf?: (name: string | undefined, revision: string | undefined) => ResultProfile;
  /** The user's cap. */
  readonly readBytes?: number;
  /** Finds nothing unless given. */
  readonly search?: Search;
  /** Edits the texts; they are in memory by absolute path. */
  readonly editsOf?: (texts: Map<string, string>) => FakeEdits;
  /** Entries that are no text, by absolute path; no edit changes them. */
  readonly others?: Readonly<Record<string, FakeNode>>;
  /** Further ports. */
  readonly ports?: Partial<Omit<ToolPorts, 'tickets'>>;
}

export type DayWindow = ReturnType<typeof openDayWindow>;

/** A window without an editor: our code between a call and the bytes is real, the rest is in memory. */
export function openDayWindow(
  relative: ReadonlyMap<string, string>,
  mode: Mode,
  { profileOf, readBytes, search, editsOf, others = {}, ports = {} }: DayWindowOptions = {},
) {
  const texts = new Map([...relative].map(([path, text]) => [`${root}/${path}`, text]));
  const clock = new FakeClock();
  const sessionRules = new SessionRules(clock);
  const policy = new DayPolicy(clock, sessionRules, mode);
  const files = new SharedFiles(new Nodes(texts, others));
  const edits = editsOf?.(texts) ?? new SharedEdits(texts);
  const history = new FakeHistory();
  const workspace = new FakeWorkspace();
  const sourceControl = new FakeSourceControl();
  const auditLog = new FakeAuditLog();
  const pathRules = { home: '/home/u', privateFolders: ['/home/u/.drawbridge'] };
  const catalog = new FakeCatalog(tools, resources, prompts);
  const resolving = { workspace, files, pathRules };
  const changes = { list: () => queue.changes.list(), inverse: (id: string) => queue.changes.inverse(id) };
  const proposing = {
    catalog,
    ports: fakePorts({ changes, files, workspace, sourceControl, ...(search && { search }), ...ports }),
    clock,
    pathRules,
    policy,
    profileFor: (asker: ClientInfo | undefined, revision: string | undefined) =>
      profileOf?.(asker?.name, revision) ?? defaultProfile,
    caps: () => ({ readBytes: readBytes ?? 1_000_000, maxResults: 200 }),
  };
  const bugs: unknown[] = [];
  const queue = new ApprovalQueue({
    edits,
    files,
    history,
    interrupted: nothingInterrupted,
    namesIn: () => [],
    clock,
    auditLog,
    usersOf: async () => [],
    problems: new FakeProblems(),
    recheck: (tool, proposal, principal, isApproved) =>
      recheckProposal(tool, proposal, principal, { ...resolving, catalog, policy }, isApproved),
    repropose: (call) => repropose(call, proposing),
    act: (tool, proposal, signal) =>
      performAction(tool, proposal, signal, { ...proposing, onBug: (error) => void bugs.push(error) }),
    judge: (tool, proposal, principal) =>
      judgeProposal(tool, proposal, principal, { workspace, pathRules, catalog, policy }),
    resolve: (uri, purpose) => resolveAddress(uri, { ...resolving, purpose }),
  });
  // The day takes seconds here, and the rates of calls are the only limits that use the real clock.
  const fast = { calls: 1e6, per: 'second', burst: 1e6 } as const;
  const core: CoreDependencies = {
    ...proposing,
    sources: fakeSources({}),
    folderAccess: fakeFolderAccess(),
    approver: queue,
    auditLog,
    limits: new CallLimits({ ...shippedCallLimits, reads: fast, changes: fast, ui: fast }),
    unasked: new UnaskedBudget(clock),
  };
  const client = { name: 'bench', version: '1.0.0' };
  return {
    clock,
    queue,
    core,
    files,
    history,
    auditLog,
    policy,
    /** Unexpected errors of actions. */
    bugs,
    sessionRules,
    sourceControl,
    /** By absolute path. */
    texts,
    textOf: (path: string): string => texts.get(`${root}/${path}`) ?? '',
    /** Writes a file on disk as the user. */
    edit(path: string, text: string): void {
      texts.set(`${root}/${path}`, text);
      edits.fire();
    },
    call: (tool: string, input: object, principal: Principal, name = client.name): Promise<CallOutcome> =>
      callTool(
        {
          tool,
          arguments: input,
          principal,
          client: { ...client, name },
          era: '2026',
          protocolVersion: '2026-07-28',
          signal: new AbortController().signal,
        },
        core,
      ),
    /** Returns whether a call would ask the user, without regard to the budget. */
    async wouldAsk(tool: string, input: object, principal: Principal): Promise<boolean> {
      const proposed = await repropose({ tool, arguments: input, principal, client }, proposing);
      return proposed?.judgement.effect !== 'allow';
    },
  };
}
