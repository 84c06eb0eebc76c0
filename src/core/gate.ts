import { decide } from '../policy/decide.ts';
import { folderContaining, parseAddress } from '../policy/paths.ts';
import { isReadable, type JudgedPath, type PathRules } from '../policy/protectedPaths.ts';
import { quoted } from '../policy/unsafeNames.ts';
import type { Files, ResolvedPath } from '../ports/files.ts';
import type { FileQuery, Search } from '../ports/search.ts';
import type { Workspace } from '../ports/workspace.ts';
import { throughLinks } from './resolve.ts';
import { ToolError, type ToolPorts } from './tool.ts';

/** What the policy judges by; asked anew for each use of a port. */
interface GateDependencies {
  readonly pathRules: PathRules;
}

/**
 * The ports as one call may use them: what a search or a listing brings up passes the policy before a tool sees it.
 * Refused files are left out without a word, for a count would tell what they hold.
 */
export function bindPorts(ports: ToolPorts, { pathRules }: GateDependencies): ToolPorts {
  const { workspace } = ports;
  return {
    workspace,
    files: boundFiles(ports.files, workspace, pathRules),
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
