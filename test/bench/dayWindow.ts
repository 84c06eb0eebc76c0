import type { ClientInfo, Principal } from '#base/principal.ts';
import { CallLimits, shippedCallLimits } from '#call/callLimits.ts';
import { type CallOutcome, callTool, type CoreDependencies } from '#call/callTool.ts';
import { recheckProposal } from '#call/recheck.ts';
import { judgeProposal, repropose } from '#call/repropose.ts';
import { resolveAddress } from '#call/resolve.ts';
import { defaultProfile, type ResultProfile } from '#call/resultProfile.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import { nothingInterrupted } from '#changes/edits.ts';
import { ApprovalQueue } from '#changes/queue.ts';
import { SessionRules } from '#policy/editor/sessionRules.ts';
import type { Mode, ScopedRule } from '#policy/rules.ts';
import type { Search } from '#search/search.ts';
import { tools } from '#tools/index.ts';
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

/** Reads the files that are edited. */
class SharedFiles extends FakeFiles {
  override readonly nodes: Map<string, FakeNode>;

  constructor(nodes: Map<string, FakeNode>) {
    super();
    this.nodes = nodes;
  }
}

class SharedEdits extends FakeEdits {
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
  readonly profileOf?: (name: string | undefined) => ResultProfile;
  /** The user's cap. */
  readonly readBytes?: number;
  /** Finds nothing unless given. */
  readonly search?: Search;
}

export type DayWindow = ReturnType<typeof openDayWindow>;

/** A window without an editor: our code between a call and the bytes is real, the rest is in memory. */
export function openDayWindow(
  relative: ReadonlyMap<string, string>,
  mode: Mode,
  { profileOf, readBytes, search }: DayWindowOptions = {},
) {
  const texts = new Map([...relative].map(([path, text]) => [`${root}/${path}`, text]));
  const clock = new FakeClock();
  const sessionRules = new SessionRules(clock);
  const policy = new DayPolicy(clock, sessionRules, mode);
  const files = new SharedFiles(texts);
  const edits = new SharedEdits(texts);
  const workspace = new FakeWorkspace();
  const sourceControl = new FakeSourceControl();
  const auditLog = new FakeAuditLog();
  const pathRules = { home: '/home/u', privateFolders: ['/home/u/.drawbridge'] };
  const catalog = new FakeCatalog(tools);
  const resolving = { workspace, files, pathRules };
  const changes = { list: () => queue.changes.list(), inverse: (id: string) => queue.changes.inverse(id) };
  const proposing = {
    catalog,
    ports: fakePorts({ changes, files, workspace, sourceControl, ...(search && { search }) }),
    clock,
    pathRules,
    policy,
    profileFor: (asker: ClientInfo | undefined) => profileOf?.(asker?.name) ?? defaultProfile,
    caps: () => ({ readBytes: readBytes ?? 1_000_000, maxResults: 200 }),
  };
  const queue = new ApprovalQueue({
    edits,
    files,
    history: new FakeHistory(),
    interrupted: nothingInterrupted,
    namesIn: () => [],
    clock,
    auditLog,
    usersOf: async () => [],
    problems: new FakeProblems(),
    recheck: (tool, proposal, principal, isApproved) =>
      recheckProposal(tool, proposal, principal, { ...resolving, catalog, policy }, isApproved),
    repropose: (call) => repropose(call, proposing),
    act: () => Promise.reject(new Error('No action was expected')),
    judge: (tool, proposal, principal) =>
      judgeProposal(tool, proposal, principal, { workspace, pathRules, catalog, policy }),
    resolve: (uri, purpose) => resolveAddress(uri, { ...resolving, purpose }),
  });
  // The day takes seconds here, and the rate of calls is the only limit that uses the real clock.
  const fast = { perSecond: 1e6, burst: 1e6 };
  const core: CoreDependencies = {
    ...proposing,
    sources: fakeSources({}),
    folderAccess: fakeFolderAccess(),
    approver: queue,
    auditLog,
    limits: new CallLimits({ ...shippedCallLimits, changes: fast }),
    unasked: new UnaskedBudget(clock),
  };
  const client = { name: 'bench', version: '1.0.0' };
  return {
    clock,
    queue,
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
