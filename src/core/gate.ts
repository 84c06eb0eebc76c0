import { decide } from '../policy/decide.ts';
import { folderContaining, joinPath, parseAddress } from '../policy/paths.ts';
import { classifyPath, isReadable, type JudgedPath, type PathRules } from '../policy/protectedPaths.ts';
import { quoted } from '../policy/unsafeNames.ts';
import type { Files, ResolvedPath } from '../ports/files.ts';
import type { Imports } from '../ports/imports.ts';
import type { FileQuery, Search } from '../ports/search.ts';
import type { Workspace } from '../ports/workspace.ts';
import { throughLinks } from './resolve.ts';
import { ToolError, type ToolPorts } from './tool.ts';

/** What the policy judges by; asked anew for each use of a port. */
interface GateDependencies {
  readonly pathRules: PathRules;
}

/** All but those that are made for one caller. */
type SharedPorts = Omit<ToolPorts, 'tickets'>;

/**
 * The ports as one call may use them: what a search or a listing brings up passes the policy before a tool sees it.
 * Refused files are left out without a word, for a count would tell what they hold.
 */
export function bindPorts(ports: SharedPorts, { pathRules }: GateDependencies): SharedPorts {
  const { workspace, sourceControl } = ports;
  return {
    workspace,
    sourceControl,
    files: boundFiles(ports.files, workspace, pathRules),
    imports: boundImports(ports.imports, workspace, pathRules),
    search: boundSearch(ports.search, workspace, pathRules),
  };
}

function boundFiles(files: Files, workspace: Workspace, pathRules: PathRules): Files {
  const admit = (path: ResolvedPath): void => {
    const decision = decide({ risk: 'read', worksUntrusted: true, paths: [path], workspace, pathRules });
    if (decision.effect === 'deny') throw new ToolError(decision.code, decision.message, decision.hint);
  };
  return {
    async locate(fsPath, purpose) {
      // What no address can name, no tool leads to (threat row P7).
      parseAddress(fsPath, workspace.folders());
      const location = await files.locate(fsPath, purpose);
      if (folderContaining(location.realPath, workspace.folders()) !== undefined) return location;
      const message = `${quoted(fsPath)} is outside the workspace.`;
      throw new ToolError('outside_workspace', message, 'Work with files inside the workspace folders.');
    },
    async readText(path, maxBytes) {
      admit(path);
      return files.readText(path, maxBytes);
    },
    async readBytes(path, maxBytes) {
      admit(path);
      return files.readBytes(path, maxBytes);
    },
    canEncode: (text, encoding) => files.canEncode(text, encoding),
    async list(path) {
      admit(path);
      const entries = await files.list(path);
      return entries.filter((entry) => isReadable(entry, pathRules));
    },
    async readTree(path, limits, admitBelow) {
      admit(path);
      return files.readTree(path, limits, (relative) => {
        refuseBelow(path, relative, pathRules);
        admitBelow?.(relative);
      });
    },
    newFileFormat: (path) => files.newFileFormat(path),
    hasTrash: () => files.hasTrash(),
  };
}

/** A folder that holds what may not be read cannot be taken as a whole. Names what was addressed, nothing that is in it. */
function refuseBelow(root: ResolvedPath, relative: string, pathRules: PathRules): void {
  const found = {
    folder: root.folder,
    fsPath: joinPath(root.fsPath, relative),
    realPath: joinPath(root.realPath, relative),
  };
  const { class: kind, pattern = 'a built-in rule' } = classifyPath(found, pathRules);
  if (kind !== 'secret' && kind !== 'hard_deny') return;
  throw new ToolError(
    'denied',
    `${quoted(root.path)} holds something that matches ${pattern}, which is never read or changed for an assistant.`,
    'Leave that where it is and name the other files one by one.',
  );
}

function boundImports(imports: Imports, workspace: Workspace, pathRules: PathRules): Imports {
  const mayChange = (fsPath: string): boolean => {
    try {
      return parseAddress(fsPath, workspace.folders()).every((place) => isReadable(place, pathRules));
    } catch (error) {
      // Outside the workspace, or under a name that no address has.
      if (error instanceof ToolError) return false;
      throw error;
    }
  };
  return {
    async editsForMove(from, to, signal) {
      const edits = await imports.editsForMove(from, to, signal);
      return edits.filter(({ fsPath }) => mayChange(fsPath));
    },
  };
}

function boundSearch(search: Search, workspace: Workspace, pathRules: PathRules): Search {
  return {
    text: (query, signal) => readable(search.text(withRealPaths(query, workspace), signal), pathRules),
    files: (query, signal) => readable(search.files(withRealPaths(query, workspace), signal), pathRules),
  };
}

/** A search looks where links lead, so that what it finds has its real name. */
function withRealPaths<Query extends FileQuery>(query: Query, workspace: Workspace): Query {
  return { ...query, within: query.within.map((path) => throughLinks(path, workspace.folders())) };
}

async function* readable<Found extends JudgedPath>(
  found: AsyncIterable<Found>,
  pathRules: PathRules,
): AsyncIterable<Found> {
  for await (const file of found) {
    if (isReadable(file, pathRules)) yield file;
  }
}
