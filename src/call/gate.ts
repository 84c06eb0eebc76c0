import { findSecrets } from '#audit/secretShapes.ts';
import type { Files, FoundFile, IsClosed, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { ChangedFile, Changes } from '#changes/changes.ts';
import type { Diagnostic, Diagnostics, RelatedInformation } from '#language/diagnostics.ts';
import type { Imports } from '#language/imports.ts';
import { pathBelow } from '#policy/changedPaths.ts';
import { decide, type Situation } from '#policy/decide.ts';
import { matchesRule } from '#policy/matching.ts';
import { inEveryFolder } from '#policy/nestedFolders.ts';
import { folderContaining, parseAddress, relativeTo } from '#policy/paths.ts';
import { classifyPath, isReadable, type JudgedPath, type PathRules } from '#policy/protectedPaths.ts';
import { nameTheOthers } from '#policy/refusals.ts';
import type { ScopedRule } from '#policy/rules.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { FileQuery, Search } from '#search/search.ts';
import { boundLanguage, boundLanguageDetails } from './languageGate.ts';
import type { EditorState } from './ports/editorState.ts';
import type { Editors } from './ports/editors.ts';
import { throughLinks } from './resolve.ts';
import type { Scope } from './roots.ts';
import type { ToolPorts } from './tool.ts';

/** The ports that all calls share. */
type SharedPorts = Omit<ToolPorts, 'tickets'>;

/** Real paths that a call may use. Both sets may grow while the call runs. */
export interface OpenedPaths {
  /** The paths that the call names and that the policy admitted. */
  readonly admitted: ReadonlySet<string>;
  /** The paths that the user allowed it to read, with everything below them. */
  readonly permitted: ReadonlySet<string>;
}

/**
 * Returns the ports for one call. The policy judges whatever a search or listing finds before a tool sees it. Files that are denied
 * or outside the scope are left out silently, because their number would reveal what they contain.
 */
export function bindPorts(ports: SharedPorts, situation: Situation, opened: OpenedPaths, scope?: Scope): SharedPorts {
  const { workspace, sourceControl } = ports;
  const isAllowed = readable(situation, opened);
  const mayRead: MayRead = (place) => scope?.holds(realPathOf(place)) !== false && isAllowed(place);
  const mayList: MayRead = (place) => scope?.shows(realPathOf(place)) !== false && isAllowed(place);
  return {
    workspace: scope === undefined ? workspace : narrowedWorkspace(workspace, scope),
    sourceControl,
    changes: boundChanges(ports.changes, situation, mayRead),
    files: boundFiles(ports.files, situation, { mayRead, mayList, opened, scope }),
    diagnostics: boundDiagnostics(ports.diagnostics, mayRead),
    editors: boundEditors(ports.editors, mayRead),
    editorState: boundEditorState(ports.editorState, mayRead),
    // These take only paths that the policy has already judged.
    commandLines: ports.commandLines,
    commands: ports.commands,
    editorActions: ports.editorActions,
    lineMarks: ports.lineMarks,
    markedContext: {
      list: () => ports.markedContext.list().filter(mayRead),
      onDidChange: ports.markedContext.onDidChange,
    },
    imports: boundImports(ports.imports, workspace, mayRead),
    language: boundLanguage(ports.language, mayRead),
    languageDetails: boundLanguageDetails(ports.languageDetails, mayRead),
    otherTools: ports.otherTools,
    // The tool judges each address of the edits itself, so that no part of a refactoring is left out (threat row P17).
    refactorings: ports.refactorings,
    search: boundSearch(ports, situation.pathRules, mayRead, scope),
    symbols: {
      async find(query, signal) {
        const found = await ports.symbols.find(query, signal);
        return found.filter(mayRead);
      },
    },
  };
}

/** Returns true when the call may read a path without asking the user. */
export type MayRead = (place: JudgedPath) => boolean;

/** Returns the real path. Search never follows links, so the path of a hit is its real path. */
function realPathOf({ realPath, folder, fsPath }: JudgedPath): string {
  return realPath ?? folder.realPath + fsPath.slice(folder.fsPath.length);
}

function narrowedWorkspace(workspace: Workspace, scope: Scope): Workspace {
  return {
    windowId: workspace.windowId,
    editor: workspace.editor,
    name: () => workspace.name(),
    folders: () => scope.folders(),
    isTrusted: () => workspace.isTrusted(),
    isHeld: () => workspace.isHeld(),
    onDidChange: workspace.onDidChange,
  };
}

/** Returns the check of whether a file may be read without asking the user (again). The rules are read once, because a call is short. */
function readable({ pathRules, policy, caller, workspace }: Situation, opened: OpenedPaths): MayRead {
  const rules = policy.rules().filter(({ rule, invalid }) => rule.effect !== 'allow' || invalid !== undefined);
  if (rules.length === 0) return (place) => isReadable(place, pathRules);
  const now = policy.now();
  const folders = workspace.folders();
  return (place) => {
    if (!isReadable(place, pathRules)) return false;
    const realPath = realPathOf(place);
    const places = inEveryFolder({ ...place, realPath }, folders);
    const targets = places.map((each) => ({ place: each, class: 'read' as const }));
    const request = {
      ...caller,
      class: 'read' as const,
      targets,
      files: 1,
      changedLines: 0,
      now,
      home: pathRules.home,
    };
    const permitted = isPermitted(realPath, opened);
    return !rules.some((each) => !(permitted && asks(each)) && matchesRule(each, request));
  };
}

/** Returns true when the user allowed the call to read this path or a folder above it. */
export function isPermitted(realPath: string, { permitted }: OpenedPaths): boolean {
  return [...permitted].some((root) => relativeTo(root, realPath) !== undefined);
}

function asks({ rule, invalid }: ScopedRule): boolean {
  return rule.effect === 'ask' || invalid !== undefined;
}

/** Hides changes of files that the call may not read. */
function boundChanges(changes: Changes, { workspace }: Situation, mayRead: MayRead): Changes {
  const isSeen = ({ uri, movedTo }: ChangedFile): boolean =>
    [uri, movedTo?.uri ?? uri].every((address) => mayReadAddress(address, workspace.folders(), mayRead));
  return {
    list: () => changes.list().flatMap((change) => (change.files.every(isSeen) ? [change] : [])),
    async inverse(id) {
      const hides = changes.list().some((change) => change.id === id && !change.files.every(isSeen));
      if (!hides) return changes.inverse(id);
      const message = 'This change contains files that you may not read.';
      throw new ToolError('denied', message, 'Ask the user to undo it.');
    },
  };
}

function mayReadAddress(address: string, folders: readonly WorkspaceFolder[], mayRead: MayRead): boolean {
  try {
    return parseAddress(address, folders).every(mayRead);
  } catch (error) {
    // The path is outside the workspace, or no address can name it.
    if (error instanceof ToolError) return false;
    throw error;
  }
}

interface FilesGate {
  readonly mayRead: MayRead;
  /** Returns true for the entries of a folder that the call may see. */
  readonly mayList: MayRead;
  readonly opened: OpenedPaths;
  readonly scope: Scope | undefined;
}

function boundFiles(files: Files, situation: Situation, { mayRead, mayList, opened, scope }: FilesGate): Files {
  const { workspace, pathRules } = situation;
  const admit = (path: ResolvedPath): void => {
    if (opened.admitted.has(path.realPath)) return;
    if (scope?.admits(path, 'read') === false) throw scope.refusal(path.path);
    const decision = decide({ ...situation, risk: 'read', worksUntrusted: true, paths: [path] });
    if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
    if (decision.effect === 'allow') return;
    throw needsPermission(quoted(path.path));
  };
  const isClosed = closedBy(pathRules);
  /** Refuses a hard link to a closed file, which has a harmless name (threat row P21). */
  const refuseOtherName = async (path: ResolvedPath): Promise<void> => {
    if (!(await files.leadsToClosed(path, isClosed))) return;
    throw new ToolError(
      'denied',
      `${quoted(path.path)} is another name (a hard link) of a file that is closed to assistants.`,
      'Go on without it, or ask the user for the part that matters.',
    );
  };
  return {
    leadsToClosed: (path) => files.leadsToClosed(path, isClosed),
    async locate(fsPath, purpose) {
      // No tool leads to a path that no address can name (threat row P7).
      parseAddress(fsPath, workspace.folders());
      const location = await files.locate(fsPath, purpose);
      const isInside = folderContaining(location.realPath, workspace.folders()) !== undefined;
      if (isInside && scope?.shows(location.realPath) !== false) return location;
      const message = `${quoted(fsPath)} is outside the workspace.`;
      throw new ToolError('outside_workspace', message, 'Work with files inside the workspace folders.');
    },
    async readText(path, maxBytes) {
      admit(path);
      await refuseOtherName(path);
      return files.readText(path, maxBytes);
    },
    async readBytes(path, maxBytes) {
      admit(path);
      await refuseOtherName(path);
      const bytes = await files.readBytes(path, maxBytes);
      refuseSecretBytes(path, bytes);
      return bytes;
    },
    canEncode: (text, encoding) => files.canEncode(text, encoding),
    async list(path) {
      admit(path);
      const entries = await files.list(path);
      return entries.filter(mayList);
    },
    async readTree(path, limits, admitBelow) {
      admit(path);
      await refuseOtherName(path);
      return files.readTree(path, limits, (relative) => {
        refuseBelow(path, relative, pathRules, mayRead);
        admitBelow?.(relative);
      });
    },
    newFileFormat: (path) => files.newFileFormat(path),
    hasTrash: () => files.hasTrash(),
  };
}

/** Returns the refusal of a read that no call of an assistant can wait for. @param name as the message names it */
export function needsPermission(name: string): ToolError {
  return new ToolError(
    'denied',
    `Reading ${name} needs the permission of the user.`,
    'Read it on its own first, so that the user can be asked.',
  );
}

/**
 * Refuses to read a folder as a whole when the call may not read something in it.
 * @throws ToolError `denied`, which names the folder and nothing in it
 */
function refuseBelow(root: ResolvedPath, relative: string, pathRules: PathRules, mayRead: MayRead): void {
  const found = pathBelow(root, relative);
  const { class: kind, pattern = 'a built-in rule' } = classifyPath(found, pathRules);
  if (kind === 'secret' || kind === 'hard_deny') {
    const message = `${quoted(root.path)} contains something that matches ${pattern}, which is never read or changed for an assistant.`;
    throw new ToolError('denied', message, nameTheOthers);
  }
  if (mayRead(found)) return;
  throw new ToolError('denied', `${quoted(root.path)} contains a file that a rule forbids you to read.`, nameTheOthers);
}

/** Hides diagnostics of files that the call may not read, and related locations in them. */
function boundDiagnostics(diagnostics: Diagnostics, mayRead: MayRead): Diagnostics {
  const isSeen = ({ place }: RelatedInformation): boolean => place.outside === true || mayRead(place);
  const onlySeen = <File extends { readonly diagnostics: readonly Diagnostic[] }>(file: File): File => ({
    ...file,
    diagnostics: file.diagnostics.map((one) =>
      one.related === undefined ? one : { ...one, related: one.related.filter(isSeen) },
    ),
  });
  return {
    list: () => diagnostics.list().filter(mayRead).map(onlySeen),
    async examine(files, report, expired) {
      return (await diagnostics.examine(files, report, expired)).filter(mayRead).map(onlySeen);
    },
    onDidChange: diagnostics.onDidChange,
  };
}

function boundEditors(editors: Editors, mayRead: MayRead): Editors {
  return {
    open: () => editors.open().filter(mayRead),
    selection() {
      const selection = editors.selection();
      return selection !== undefined && mayRead(selection) ? selection : undefined;
    },
    onDidChange: editors.onDidChange,
    onDidChangeSelection: editors.onDidChangeSelection,
  };
}

function boundEditorState(state: EditorState, mayRead: MayRead): EditorState {
  return {
    tabs: () => state.tabs().filter(mayRead),
    visibleEditors: () => state.visibleEditors().filter(mayRead),
    recentFiles: () => state.recentFiles().filter(mayRead),
    terminals: () => state.terminals(),
    debug: () => state.debug(),
  };
}

function boundImports(imports: Imports, workspace: Workspace, mayRead: MayRead): Imports {
  return {
    async editsForMove(from, to, signal) {
      const edits = await imports.editsForMove(from, to, signal);
      return edits.filter(({ fsPath }) => mayReadAddress(fsPath, workspace.folders(), mayRead));
    },
  };
}

function boundSearch(
  { search, files, workspace }: Pick<SharedPorts, 'search' | 'files' | 'workspace'>,
  pathRules: PathRules,
  mayRead: MayRead,
  scope: Scope | undefined,
): Search {
  const narrowed = <Query extends FileQuery>(query: Query): Query =>
    withinScope(withRealPaths(query, workspace), scope);
  return {
    text: (query, signal) =>
      withoutOtherNames(onlyReadable(search.text(narrowed(query), signal), mayRead), files, pathRules),
    files: (query, signal) => onlyReadable(search.files(narrowed(query), signal), mayRead),
  };
}

/** Returns the check by which a hard link is known to be a closed file (threat row P21). */
function closedBy(pathRules: PathRules): IsClosed {
  return (file) => !isReadable(file, pathRules);
}

/** Leaves out hard links to closed files (threat row P21). */
async function* withoutOtherNames<Found extends FoundFile>(
  found: AsyncIterable<Found>,
  files: Files,
  pathRules: PathRules,
): AsyncIterable<Found> {
  const isClosed = closedBy(pathRules);
  for await (const file of found) {
    if (!(await files.leadsToClosed(file, isClosed))) yield file;
  }
}

/** Resolves the links in the folders of a search, so that a hit has its real path. */
function withRealPaths<Query extends FileQuery>(query: Query, workspace: Workspace): Query {
  return { ...query, within: query.within.map((path) => throughLinks(path, workspace.folders())) };
}

/** Replaces a folder above parts of the scope by those parts. */
function withinScope<Query extends FileQuery>(query: Query, scope: Scope | undefined): Query {
  if (scope === undefined) return query;
  const within = query.within.flatMap((path) =>
    scope.holds(path.realPath)
      ? [path]
      : scope.parts.filter((part) => part.kind !== 'missing' && relativeTo(path.realPath, part.realPath) !== undefined),
  );
  return { ...query, within };
}

async function* onlyReadable<Found extends JudgedPath>(
  found: AsyncIterable<Found>,
  mayRead: MayRead,
): AsyncIterable<Found> {
  for await (const file of found) {
    if (mayRead(file)) yield file;
  }
}

/**
 * Refuses bytes that contain a secret: only text can be shown with a marker in place of a secret (threat row A8).
 * @throws ToolError `denied`
 */
export function refuseSecretBytes({ path }: Pick<ResolvedPath, 'path'>, bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encodings = ['latin1', 'utf16le'] as const;
  if (encodings.every((encoding) => findSecrets(buffer.toString(encoding)).length === 0)) return;
  throw new ToolError(
    'denied',
    `${quoted(path)} is not text and contains what looks like a secret, which cannot be redacted.`,
    'Ask the user about this file.',
  );
}
