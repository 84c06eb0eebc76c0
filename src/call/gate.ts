import { redactText } from '#audit/redactText.ts';
import { findSecrets } from '#audit/secretShapes.ts';
import { shownRange } from '#audit/shownColumns.ts';
import type { Files, FoundFile, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { ChangedFile, Changes } from '#changes/changes.ts';
import type { Diagnostic, Diagnostics, FileDiagnostics, RelatedInformation } from '#language/diagnostics.ts';
import type { Imports } from '#language/imports.ts';
import { pathBelow } from '#policy/changedPaths.ts';
import { decide, type Situation } from '#policy/decide.ts';
import { matchesRule } from '#policy/matching.ts';
import { inEveryFolder } from '#policy/nestedFolders.ts';
import { folderContaining, parseAddress, relativeTo } from '#policy/paths.ts';
import { classifyPath, isReadable, type JudgedPath, type PathRules } from '#policy/protectedPaths.ts';
import { withSyntax } from '#language/syntaxOutline.ts';
import { nameTheOthers } from '#policy/refusals.ts';
import type { ScopedRule } from '#policy/rules.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { boundLanguage, boundLanguageDetails, boundRefactorings, type LanguageRights } from './languageGate.ts';
import type { EditorState } from './ports/editorState.ts';
import type { Editors } from './ports/editors.ts';
import { resolveAddress } from './resolve.ts';
import { boundSearch, closedBy, type ReadText } from './searchGate.ts';
import { tellingOf } from './serviceText.ts';
import { ShownPlaces } from './shownPlaces.ts';
import { toldSize } from './toldSize.ts';
import type { Scope } from './roots.ts';
import type { ToolPorts } from './tool.ts';

/** The ports that all calls share. */
type SharedPorts = Omit<ToolPorts, 'tickets'>;

/** The largest file of which an outline is made by syntax, in bytes. */
const longestParsed = 1024 * 1024;

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
export function bindPorts(
  ports: SharedPorts,
  situation: Situation,
  opened: OpenedPaths,
  scope?: Scope,
  hidesLiterals = false,
): SharedPorts {
  const { workspace, sourceControl } = ports;
  const isAllowed = readable(situation, opened);
  const mayRead: MayRead = (place) => scope?.holds(realPathOf(place)) !== false && isAllowed(place);
  const mayList: MayRead = (place) => scope?.shows(realPathOf(place)) !== false && isAllowed(place);
  const files = boundFiles(ports.files, situation, { mayRead, mayList, opened, scope });
  const { pathRules } = situation;
  const readText: ReadText = async (address, maxBytes) => {
    const path = await resolveAddress(address, { workspace, files: ports.files, pathRules, purpose: 'read', scope });
    return (await files.readText(path, maxBytes)).text;
  };
  const rights = { mayRead, hidesLiterals, places: new ShownPlaces(readText), telling: tellingOf(hidesLiterals) };
  return {
    workspace: scope === undefined ? workspace : narrowedWorkspace(workspace, scope),
    sourceControl,
    changes: boundChanges(ports.changes, situation, mayRead),
    files,
    diagnostics: boundDiagnostics(ports.diagnostics, rights),
    editors: boundEditors(ports.editors, mayRead),
    editorState: boundEditorState(ports.editorState, mayRead),
    // These take only paths that the policy has already judged.
    commandLines: ports.commandLines,
    commands: ports.commands,
    editorActions: ports.editorActions,
    lineMarks: ports.lineMarks,
    images: ports.images,
    markedContext: {
      list: () => ports.markedContext.list().filter(mayRead),
      onDidChange: ports.markedContext.onDidChange,
    },
    imports: boundImports(ports.imports, workspace, mayRead),
    language: withSyntax(boundLanguage(ports.language, rights), ports.syntax, async (path) => {
      return redactText((await files.readText(path, longestParsed)).text).text;
    }),
    // It takes only texts that a call has read.
    syntax: ports.syntax,
    languageDetails: boundLanguageDetails(ports.languageDetails, rights),
    otherTools: ports.otherTools,
    // The tool judges each address of the edits itself, so that no part of a refactoring is left out (threat row P17).
    refactorings: boundRefactorings(ports.refactorings, rights),
    search: boundSearch(ports.search, { workspace, mayRead, scope, files, pathRules: situation.pathRules, readText }),
    symbols: {
      async find(query, signal) {
        const found = await ports.symbols.find(query, signal);
        // The service compared the query with the names, so a name that is redacted is none.
        return found.filter((place) => mayRead(place) && redactText(place.name).hidden.length === 0);
      },
      served: (languages) => ports.symbols.served(languages),
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

/** Returns whether rules may close files that are not closed by their names. */
export function hasClosingRules({ policy }: Pick<Situation, 'policy'>): boolean {
  return policy.rules().some(({ rule, invalid }) => rule.effect !== 'allow' || invalid !== undefined);
}

/** Returns the check of whether a file may be read without asking the user (again). The rules are read once, because a call is short. */
export function readable({ pathRules, policy, caller, workspace }: Situation, opened: OpenedPaths): MayRead {
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
      if (isInside && scope?.shows(location.realPath) !== false) {
        if (location.kind !== 'file' || purpose !== 'read') return location;
        // The location is known already; only the same path in another folder has to be looked up.
        const located: Pick<Files, 'locate'> = {
          locate: async (other, why) => (other === fsPath ? location : files.locate(other, why)),
        };
        const path = await resolveAddress(fsPath, { workspace, files: located, pathRules, purpose });
        return mayRead(path) ? { ...location, size: await toldSize(path, { files }) } : location;
      }
      const message = `${quoted(fsPath)} is outside the workspace.`;
      throw new ToolError('outside_workspace', message, 'Work with files inside the workspace folders.');
    },
    async readText(path, maxBytes, known) {
      admit(path);
      await refuseOtherName(path);
      return files.readText(path, maxBytes, known);
    },
    async readWindow(path, firstLine, lineCount, signal) {
      admit(path);
      await refuseOtherName(path);
      return files.readWindow(path, firstLine, lineCount, signal);
    },
    async readStart(path, count) {
      admit(path);
      await refuseOtherName(path);
      const start = await files.readStart(path, count);
      refuseSecretBytes(path, start);
      return start;
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

/** Hides diagnostics of files that the call may not read, related locations in them, and literals that may stand in them. */
function boundDiagnostics(diagnostics: Diagnostics, { mayRead, places, telling }: LanguageRights): Diagnostics {
  const isSeen = ({ place }: RelatedInformation): boolean => place.outside === true || mayRead(place);
  const onlySeen = <File extends { readonly diagnostics: readonly Diagnostic[] }>(file: File): File => ({
    ...file,
    diagnostics: file.diagnostics.map(({ related, ...one }) => ({
      ...one,
      message: telling.message(one.message, one.source),
      ...(related && {
        related: related.filter(isSeen).map((each) => ({
          ...each,
          message: telling.message(each.message, one.source),
        })),
      }),
    })),
  });
  const withColumns = async <File extends FoundFile & { readonly diagnostics: readonly Diagnostic[] }>(
    file: File,
  ): Promise<File> => ({ ...file, diagnostics: await placed(file, file.diagnostics) });
  const placed = async (file: FoundFile, found: readonly Diagnostic[]): Promise<readonly Diagnostic[]> => {
    const columns = found.length === 0 ? undefined : await places.of(file);
    return columns === undefined ? found : found.map((one) => ({ ...one, ...shownRange(columns, one) }));
  };
  const list = (): readonly FileDiagnostics[] => diagnostics.list().filter(mayRead).map(onlySeen);
  return {
    list,
    listShown: () => Promise.all(list().map(withColumns)),
    async examine(files, report, expired) {
      const examined = (await diagnostics.examine(files, report, expired)).filter(mayRead).map(onlySeen);
      return Promise.all(examined.map(withColumns));
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
