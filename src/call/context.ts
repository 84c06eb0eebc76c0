import { createHash } from 'node:crypto';
import type { AuditResource } from '#audit/auditLog.ts';
import type { Clock } from '#base/clock.ts';
import type { Files, Location, Purpose, ResolvedPath } from '#base/files.ts';
import type { Principal } from '#base/principal.ts';
import { type Log, MissingPathError, ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import type { ReadRequest, Tickets } from '#changes/approver.ts';
import { decide, type Decision, type Situation } from '#policy/decide.ts';
import { classified, type ClassifiedPath } from '#policy/changedPaths.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';
import { hidesLiterals } from './closedCode.ts';
import { bindPorts, hasClosingRules, isPermitted, needsPermission, type OpenedPaths, readable } from './gate.ts';
import { maximumExplained, withNearestPaths } from './nearestPaths.ts';
import { resolveAddress, throughLinks } from './resolve.ts';
import { scopeOf } from './roots.ts';
import type { ClientInput, Media, PageLimits, Tool, ToolContext, ToolPorts } from './tool.ts';

/** Facts for the record of a call that are known only while its tool runs. */
export interface Trail {
  readonly resources: AuditResource[];
  decision?: Decision;
}

/** Asks the user to let the caller read these paths. Throws when the user does not allow it. */
export type PermitRead = (request: Pick<ReadRequest, 'paths' | 'realPaths' | 'reason' | 'explain'>) => Promise<void>;

export interface ContextDependencies {
  readonly ports: Omit<ToolPorts, 'tickets'>;
  readonly tickets: Tickets;
  readonly principal: Principal;
  readonly policy: Policy;
  readonly clock: Clock;
  /** Absent when no call of an assistant waits for the answer. */
  readonly permitRead?: PermitRead;
  /** The folders with the state of the editor and of Drawbridge, which no tool reads or writes. */
  readonly pathRules: PathRules;
  readonly limits: PageLimits;
  readonly report: (message: string) => void;
  readonly log: Log;
  readonly clientInput: ClientInput;
  readonly attach: (media: Media) => void;
  /** The roots of the client as `file:` URIs; absent when the client has no roots. */
  readonly roots?: readonly string[] | undefined;
  readonly trail: Trail;
}

/**
 * Returns what a tool works with: its targets, resolved and admitted by the policy, and its ports, which give access to nothing else.
 * @throws ToolError of the policy and of `resolveAddress`
 */
export async function createContext(
  tool: Tool,
  input: unknown,
  dependencies: ContextDependencies,
): Promise<ToolContext> {
  const { ports, policy, clock, permitRead, pathRules, trail, roots, ...given } = dependencies;
  const { principal } = given;
  const { files, workspace } = ports;
  if (tool.worksWithoutFolder !== true && workspace.folders().length === 0) throw noFolder();
  // A tool that reads nothing of the workspace does not depend on the roots of the client.
  const seesFiles = tool.worksWithoutFolder !== true || tool.needs.some((need) => need !== 'tickets');
  const scope = seesFiles ? await scopeOf(roots, ports) : undefined;
  const purposeOfTool = 'propose' in tool ? 'change' : 'read';
  const caller = { tool: tool.judgedAs ?? tool.name, kindOf: tool.kindOf, principal };
  const situation: Situation = { workspace, pathRules, policy, caller };
  const opened = { admitted: new Set<string>(), permitted: new Set<string>() } satisfies OpenedPaths;
  const judge = (paths: readonly ClassifiedPath[], risk = tool.risk, isOpened = false): Decision => {
    // A tool that changes a file also reads it. That read is not refused for lack of trust, because the change is judged for trust.
    const worksUntrusted = tool.worksUntrusted === true || risk !== tool.risk;
    const decision = decide({ ...situation, risk, worksUntrusted, isUnseen: tool.isUnseen, paths, isOpened });
    admit(decision, trail, policy);
    return decision;
  };
  /** Judges the read of a file. A file that the user opened for one read is closed again before its read begins. */
  const judgeRead = (path: ResolvedPath, place: ClassifiedPath): Decision => {
    const { openedOnce } = policy;
    const isOpened =
      tool.risk === 'read' &&
      path.kind === 'file' &&
      place.classification.class === 'secret' &&
      workspace.isTrusted() &&
      openedOnce.has(path.realPath);
    if (isOpened) openedOnce.use(path.realPath);
    return judge([place], 'read', isOpened);
  };
  const resolveBy = async (
    located: Pick<Files, 'locate'>,
    address: string,
    purpose: Purpose,
  ): Promise<ResolvedPath> => {
    try {
      const path = await resolveAddress(address, { workspace, files: located, pathRules, purpose, scope });
      const place = classified(path, pathRules);
      trail.resources.push(auditResource(path, place));
      // The user is asked about a change when its proposal is known, and about a read here. The errors and diffs of a change
      // would show the existing text, so a file that exists must be readable as well.
      const isRead = tool.risk === 'read' || (path.kind !== 'missing' && tool.isUnseen !== true);
      if (isRead) await requireAnswer(path, place, judgeRead(path, place));
      if (tool.risk !== 'read') judge([place]);
      opened.admitted.add(path.realPath);
      return path;
    } catch (error) {
      if (error instanceof ToolError && error.code === 'outside_workspace') {
        trail.resources.push(outsideResource(address));
      }
      throw error;
    }
  };
  const resolve: ToolContext['resolve'] = (address, purpose = purposeOfTool) => resolveBy(files, address, purpose);
  const folderPath: ToolContext['folderPath'] = async (folder) =>
    (await resolveBy({ locate: async () => openFolder(folder) }, folder.fsPath, 'read')).path;
  const requireAnswer = async (
    path: ResolvedPath,
    { classification }: ClassifiedPath,
    decision: Decision,
  ): Promise<void> => {
    if (decision.effect !== 'ask') return;
    // Permission to read a folder does not include the secrets in it.
    const isSecret = classification.class === 'secret';
    if (isSecret ? opened.permitted.has(path.realPath) : isPermitted(path.realPath, opened)) return;
    // The user is asked about the target of a link, not about the link.
    const named = path.linked ? throughLinks(path, workspace.folders()) : path;
    await permit([named], decision);
  };
  const permit = async (
    places: readonly { readonly path: string; readonly realPath: string }[],
    { reason, rule, explain }: Decision,
  ): Promise<void> => {
    if (rule !== undefined) policy.used(rule);
    if (permitRead === undefined) throw needsPermission('this');
    const realPaths = places.map(({ realPath }) => realPath);
    await permitRead({ paths: places.map(({ path }) => path), realPaths, reason, explain });
    for (const realPath of realPaths) opened.permitted.add(realPath);
  };
  const addresses = tool.targets(input);
  const decision = judge([]);
  if (addresses.length === 0 && decision.effect === 'ask' && tool.risk === 'read') {
    // A call that names no path may read the whole workspace.
    await permit(scope?.parts ?? workspace.folders().map(({ name, realPath }) => ({ path: name, realPath })), decision);
  }
  const targets = await Promise.all(addresses.map((address) => resolve(address)));
  const asksServices = tool.needs.some((need) => ofServices.has(need));
  const hides = asksServices && (await hidesLiteralsOf(ports, situation));
  const bound = bindPorts(ports, situation, opened, scope, hides);
  let explained = 0;
  return {
    ...given,
    ...bound,
    async withNearestPaths(error, signal) {
      explained += 1;
      if (!(error instanceof MissingPathError) || explained > maximumExplained) return error;
      const listing = { ...situation, caller: { tool: 'find_files', principal } };
      if (decide({ ...listing, risk: 'read', worksUntrusted: false, paths: [] }).effect !== 'allow') return error;
      const within = await wholeWorkspace(ports, pathRules);
      const { search } = bindPorts({ ...ports, search: bound.search }, listing, nothingOpened, scope);
      return withNearestPaths(error, { search, within, clock }, signal);
    },
    mode: policy.mode(),
    targets,
    resolve,
    folderPath,
    ...(scope && { parts: scope.parts }),
  };
}

/** Ports whose texts are those of language services. */
const ofServices: ReadonlySet<keyof ToolPorts> = new Set([
  'diagnostics',
  'language',
  'languageDetails',
  'refactorings',
]);

/** Returns whether the literals in texts of language services are left out for a call (threat row A31). */
export async function hidesLiteralsOf(
  { files, search, workspace }: Pick<ToolPorts, 'files' | 'search' | 'workspace'>,
  situation: Situation,
): Promise<boolean> {
  const { pathRules } = situation;
  const within = await wholeWorkspace({ workspace, files }, pathRules).catch(() => undefined);
  if (within === undefined) return true;
  const mayRead = hasClosingRules(situation) ? readable(situation, nothingOpened) : undefined;
  return hidesLiterals({ search, within, mayRead });
}

/** Returns the folders of the window, resolved but not judged. Throws ToolError as `resolveAddress`. */
function wholeWorkspace(
  { files, workspace }: Pick<ToolPorts, 'files' | 'workspace'>,
  pathRules: PathRules,
): Promise<readonly ResolvedPath[]> {
  return Promise.all(
    workspace.folders().map(({ uri }) => resolveAddress(uri, { workspace, files, pathRules, purpose: 'read' })),
  );
}

/** The paths that a call may use when neither the caller nor the user opened any. */
const nothingOpened: OpenedPaths = { admitted: new Set(), permitted: new Set() };

/**
 * Adds a decision to the record of the call.
 * @throws ToolError when the decision is a denial
 */
export function admit(decision: Decision, trail: Trail, policy: Policy): void {
  trail.decision = decision;
  if (decision.effect !== 'deny') return;
  if (decision.rule !== undefined) policy.used(decision.rule);
  throw new ToolError(decision.code, decision.message, decision.hint);
}

/** Returns the location of a workspace folder without a look at the disk. */
function openFolder({ realPath }: WorkspaceFolder): Location {
  return { realPath, kind: 'directory', dangling: false, size: 0, modified: 0, linkCount: 0 };
}

function auditResource(path: ResolvedPath, { classification: { class: kind } }: ClassifiedPath): AuditResource {
  return {
    path: path.path,
    folder: path.folder.name,
    ...(path.linked && { realDiffers: true }),
    ...(kind === 'protected' && { protected: true }),
    ...(kind === 'secret' && { secret: true }),
  };
}

function noFolder(): ToolError {
  return new ToolError(
    'workspace_unavailable',
    'This editor window has no folder open.',
    'Ask the user to open a folder (File > Open Folder); the tools work as soon as one is open, with no reconnect.',
  );
}

/** Returns an address outside the workspace for the record: the name and a hash, by which equal addresses can be recognised. */
export function outsideResource(address: string): AuditResource {
  const name = /[^/\\]*$/.exec(address)?.[0] ?? '';
  const digest = createHash('sha256').update(address).digest('hex').slice(0, 16);
  return { outside: `${digest} ${name.slice(0, 100)}` };
}
