import * as z from 'zod';
import { routineRequests } from '#audit/auditLog.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { type ErrorCode, ToolError } from '#base/toolError.ts';
import type { CallOrigin, CoreDependencies } from './callTool.ts';
import { isOffered } from './catalog.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { mimeTypeOf } from './mimeType.ts';
import type { ListedResource, ResourceListOutcome } from './outcomes.ts';
import type { OpenEditor } from './ports/editors.ts';
import { carryOutRequest, invalidOrFailed } from './request.ts';
import type { Resource } from './resource.ts';
import { printable } from './sanitise.ts';
import { toldSize } from './toldSize.ts';
import type { ToolContext } from './tool.ts';

const pageSize = 50;

/** The tool that also shows the open editors. */
const judgedAs = 'get_editor_state';

/** Errors after which only the fixed resources are listed, without the open editors. */
const withoutEditors: ReadonlySet<ErrorCode> = new Set(['denied', 'workspace_unavailable']);

interface Page {
  readonly resources: readonly ListedResource[];
  readonly nextCursor?: string;
}

/**
 * Answers `resources/list` with the fixed resources of the catalog, and then the open editors in path order, so that pages stay stable
 * while tabs come and go. Files that may not be read without asking the user are left out. Never throws.
 */
export async function listResources(
  cursor: string | undefined,
  call: CallOrigin,
  dependencies: CoreDependencies,
): Promise<ResourceListOutcome> {
  const { catalog } = dependencies;
  const fixed = catalog.resources.filter((each) => isOffered(each, catalog)).flatMap(fixedResource);
  const showsEditors = isOffered({ judgedAs }, catalog);
  let after: string | undefined;
  const request = {
    name: routineRequests.list,
    title: 'List resources',
    arguments: cursor === undefined ? {} : { cursor },
    judgedAs: showsEditors ? judgedAs : routineRequests.list,
    needs: ['editors'] as const,
    // Clients send this request once, when they connect, so it must list the resources that need no folder.
    worksWithoutFolder: true,
    worksUntrusted: true,
    asksNobody: true,
    check() {
      if (cursor !== undefined) after = decodeCursor(cursor, 'resources', z.string());
    },
    targets: () => [],
    run: (context: ToolContext) => pageAfter(after, fixed, showsEditors ? context.editors.open() : [], context),
  };
  try {
    return { kind: 'resources', ...(await carryOutRequest(request, call, dependencies)) };
  } catch (error) {
    if (error instanceof ToolError && withoutEditors.has(error.code)) {
      return { kind: 'resources', resources: after === undefined ? fixed : [] };
    }
    return invalidOrFailed(error);
  }
}

async function pageAfter(
  after: string | undefined,
  fixed: readonly ListedResource[],
  open: readonly OpenEditor[],
  context: ToolContext,
): Promise<Page> {
  const editors = open.toSorted((one, other) => comparePaths(one.uri, other.uri));
  const all = [...fixed, ...editors];
  const isNext = (uri: string, at: number): boolean => {
    if (after === undefined) return true;
    const last = fixed.findIndex((each) => each.uri === after);
    if (last >= 0) return at > last;
    return at >= fixed.length && comparePaths(uri, after) > 0;
  };
  const rest = all.filter(({ uri }, at) => isNext(uri, at));
  const page = rest.slice(0, pageSize);
  const listed = await Promise.all(
    page.map(async (each) => ('isActive' in each ? listedEditor(each, context) : [each])),
  );
  const end = page.at(-1);
  return {
    resources: listed.flat(),
    ...(rest.length > pageSize && end && { nextCursor: encodeCursor('resources', end.uri) }),
  };
}

function fixedResource({ address, name, title, description, mimeType }: Resource): readonly ListedResource[] {
  if (!('uri' in address)) return [];
  return [{ uri: address.uri, name, title, description, ...(mimeType === undefined ? {} : { mimeType }) }];
}

/** Returns the resource of an open editor; nothing when its file may not be read, since every listed resource can be read. */
async function listedEditor(
  { fsPath, path, uri, isActive, isDirty }: OpenEditor,
  { files, resolve }: ToolContext,
): Promise<readonly ListedResource[]> {
  try {
    const found = await resolve(fsPath);
    const { kind, modified } = found;
    const isOnDisk = kind === 'file';
    return [
      {
        uri,
        name: printable(path),
        title: printable(path.slice(path.lastIndexOf('/') + 1)),
        mimeType: mimeTypeOf(path),
        ...(isOnDisk && !isDirty ? { size: await toldSize(found, { files }) } : {}),
        annotations: {
          audience: ['user', 'assistant'],
          priority: isActive ? 1 : 0.5,
          ...(isOnDisk ? { lastModified: new Date(modified).toISOString() } : {}),
        },
      },
    ];
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}
