import { findSecrets } from '#audit/secretShapes.ts';
import type { Files, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { ChangedFile, Changes } from '#changes/changes.ts';
import type { Diagnostic, Diagnostics, RelatedInformation } from '#language/diagnostics.ts';
import type { Imports } from '#language/imports.ts';
import { decide, type Situation } from '#policy/decide.ts';
import { matchesRule } from '#policy/matching.ts';
import { inEveryFolder } from '#policy/nestedFolders.ts';
import { folderContaining, joinPath, parseAddress, relativeTo } from '#policy/paths.ts';
import { classifyPath, isReadable, type JudgedPath, type PathRules } from '#policy/protectedPaths.ts';
import type { ScopedRule } from '#policy/rules.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { FileQuery, Search } from '#search/search.ts';
import { boundLanguage, boundLanguageDetails } from './languageGate.ts';
import type { EditorState } from './ports/editorState.ts';
import type { Editors } from './ports/editors.ts';
import { throughLinks } from './resolve.ts';
import type { Scope } from './roots.ts';
import type { ToolPorts } from './tool.ts';

/** All but those that are made for one caller. */
type SharedPorts = Omit<ToolPorts, 'tickets'>;

/** Real paths that a call may use whatever else is closed; they may grow while it runs. */
export interface Opened {
  /** What the call names, as the policy admitted it. */
  readonly admitted: ReadonlySet<string>;
  /** What the human let it read, with everything below. */
  readonly permitted: ReadonlySet<string>;
}

/**
 * The ports as one call may use them: what a search or a listing brings up passes the policy before a tool sees it.
 * Refused files are left out without a word, for a count would tell what they hold. So is what lies outside the scope.
 */
export function bindPorts(ports: SharedPorts, situation: Situation, opened: Opened, scope?: Scope): SharedPorts {
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
    // These take what was judged already.
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
    // Where its edits lead is judged address by address, so that none is left out of a whole (threat row P17).
    refactorings: ports.refactorings,
    search: boundSearch(ports.search, workspace, mayRead, scope),
    symbols: {
      async find(query, signal) {
        const found = await ports.symbols.find(query, signal);
        return found.filter(mayRead);
      },
    },
  };
}

export type MayRead = (place: JudgedPath) => boolean;

/** What was found by a walk that follows no link is what it is called. */
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

/** Whether a file may be read without asking anybody, or anybody again. The rules are read once: a call is short. */
function readable({ pathRules, policy, caller, workspace }: Situation, opened: Opened): MayRead {
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

/** The human let the call read this, or a folder above it. */
export function isPermitted(realPath: string, { permitted }: Opened): boolean {
  return [...permitted].some((root) => relativeTo(root, realPath) !== undefined);
}

function asks({ rule, invalid }: ScopedRule): boolean {
  return rule.effect === 'ask' || invalid !== undefined;
}

/** What nobody may read does not show in what was changed either. */
function boundChanges(changes: Changes, { workspace }: Situation, mayRead: MayRead): Changes {
  const isSeen = ({ uri, movedTo }: ChangedFile): boolean =>
    [uri, movedTo?.uri ?? uri].every((address) => mayReadAddress(address, workspace.folders(), mayRead));
  return {
    list: () => changes.list().flatMap((change) => (change.files.every(isSeen) ? [change] : [])),
    async inverse(id) {
      const hides = changes.list().some((change) => change.id === id && !change.files.every(isSeen));
      if (!hides) return changes.inverse(id);
      const message = 'This change is of files that you may not read.';
      throw new ToolError('denied', message, 'Ask the user to take it back.');
    },
  };
}

function mayReadAddress(address: string, folders: readonly WorkspaceFolder[], mayRead: MayRead): boolean {
  try {
    return parseAddress(address, folders).every(mayRead);
  } catch (error) {
    // Outside the workspace, or under a name that no address has.
    if (error instanceof ToolError) return false;
    throw error;
  }
}

interface FilesGate {
  readonly mayRead: MayRead;
  /** The same, for what a folder holds. */
  readonly mayList: MayRead;
  readonly opened: Opened;
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
    throw new ToolError(
      'denied',
      `The user is asked before ${quoted(path.path)} is read.`,
      'Read it by itself first; the user is asked then.',
    );
  };
  return {
    async locate(fsPath, purpose) {
      // What no address can name, no tool leads to (threat row P7).
      parseAddress(fsPath, workspace.folders());
      const location = await files.locate(fsPath, purpose);
      const isInside = folderContaining(location.realPath, workspace.folders()) !== undefined;
      if (isInside && scope?.shows(location.realPath) !== false) return location;
      const message = `${quoted(fsPath)} is outside the workspace.`;
      throw new ToolError('outside_workspace', message, 'Work with files inside the workspace folders.');
    },
    async readText(path, maxBytes) {
      admit(path);
      return files.readText(path, maxBytes);
    },
    async readBytes(path, maxBytes) {
      admit(path);
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
      return files.readTree(path, limits, (relative) => {
        refuseBelow(path, relative, pathRules, mayRead);
        admitBelow?.(relative);
      });
    },
    newFileFormat: (path) => files.newFileFormat(path),
    hasTrash: () => files.hasTrash(),
  };
}

/** A folder that holds what may not be read cannot be taken as a whole. Names what was addressed, nothing that is in it. */
function refuseBelow(root: ResolvedPath, relative: string, pathRules: PathRules, mayRead: MayRead): void {
  const found = {
    folder: root.folder,
    fsPath: joinPath(root.fsPath, relative),
    realPath: joinPath(root.realPath, relative),
  };
  const { class: kind, pattern = 'a built-in rule' } = classifyPath(found, pathRules);
  const hint = 'Leave that where it is and name the other files one by one.';
  if (kind === 'secret' || kind === 'hard_deny') {
    const message = `${quoted(root.path)} holds something that matches ${pattern}, which is never read or changed for an assistant.`;
    throw new ToolError('denied', message, hint);
  }
  if (mayRead(found)) return;
  throw new ToolError('denied', `${quoted(root.path)} holds something that a rule keeps from being read.`, hint);
}

/** Nor does what a diagnostic refers to show what is in a file that nobody may read. */
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

function boundSearch(search: Search, workspace: Workspace, mayRead: MayRead, scope: Scope | undefined): Search {
  const narrowed = <Query extends FileQuery>(query: Query): Query =>
    withinScope(withRealPaths(query, workspace), scope);
  return {
    text: (query, signal) => onlyReadable(search.text(narrowed(query), signal), mayRead),
    files: (query, signal) => onlyReadable(search.files(narrowed(query), signal), mayRead),
  };
}

/** A search looks where links lead, so that what it finds has its real name. */
function withRealPaths<Query extends FileQuery>(query: Query, workspace: Workspace): Query {
  return { ...query, within: query.within.map((path) => throughLinks(path, workspace.folders())) };
}

/** From a folder on the way, only what the scope holds of it. */
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
 * Refuses bytes that hold a secret: what is no text cannot be shown with a marker in its place (threat row A8).
 * @throws ToolError `denied`
 */
export function refuseSecretBytes({ path }: Pick<ResolvedPath, 'path'>, bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encodings = ['latin1', 'utf16le'] as const;
  if (encodings.every((encoding) => findSecrets(buffer.toString(encoding)).length === 0)) return;
  throw new ToolError(
    'denied',
    `${quoted(path)} is no text and holds what looks like a secret, which cannot be left out of it.`,
    'Ask the user about this file.',
  );
}
