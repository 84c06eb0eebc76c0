import * as z from 'zod';
import { defineTool, inputFromZod, outputFromZod, ToolError, type ToolContext } from '../../core/tool.ts';
import type { WorkspaceFolder } from '../../ports/workspace.ts';

const folder = z.object({
  path: z.string().describe('How paths in this folder begin; "." when it is the only folder'),
  name: z.string().describe('Its name in the editor'),
  uri: z.string().describe('Where it is'),
});

/** The window: what is open, and what can be done in it. */
export const getWorkspace = defineTool({
  name: 'get_workspace',
  title: 'Get workspace',
  toolset: 'workspace',
  risk: 'read',
  needs: ['workspace'],
  worksWithoutFolder: true,
  worksUntrusted: true,
  description:
    'Tell which folders are open in the editor window, whether the user trusts them, and whether files can be changed. ' +
    'Call it first when you do not know the workspace; use list_directory for what a folder holds.',
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(
    z.object({
      name: z.string().exactOptional().describe('Name of the workspace'),
      folders: z.array(folder).max(1000).describe('Open folders'),
      paths: z.string().exactOptional().describe('How paths are written'),
      trusted: z.boolean().describe('The user trusts this workspace'),
      canEdit: z.boolean().describe('Changes can be proposed; the user approves each'),
      editor: z.string().describe('Editor and version'),
      remote: z.string().exactOptional().describe('Kind of remote host, e.g. ssh-remote, wsl, dev-container'),
      windowId: z.string().describe('Stays the same when the window reloads'),
      next: z.string().exactOptional().describe('What to do when something is missing'),
    }),
  ),
  targets: () => [],
  async run(_input, { workspace, resolve }) {
    const folders = workspace.folders();
    const name = workspace.name();
    const held = workspace.isHeld();
    const trusted = workspace.isTrusted() || held;
    const next = nextStep(folders.length, trusted, held);
    const { remote } = workspace.editor;
    const described = await Promise.all(folders.map((one) => describeFolder(one, resolve)));
    const [first] = described;
    return {
      ...(name === undefined ? {} : { name }),
      folders: described,
      ...(first === undefined ? {} : { paths: howPathsBegin(first) }),
      trusted,
      canEdit: trusted && !held && folders.length > 0,
      editor: `${workspace.editor.name} ${workspace.editor.version}`,
      ...(remote === undefined ? {} : { remote: remoteKind(remote) }),
      windowId: workspace.windowId,
      ...(next === undefined ? {} : { next }),
    };
  },
  render: ({ name, folders, paths, trusted, canEdit, editor, remote, windowId, next }) => ({
    text: [
      `${name ?? 'No workspace'} in ${editor}${remote === undefined ? '' : ` (remote: ${remote})`}, window ${windowId}`,
      ...folders.map(({ path, name: title, uri }) => `folder ${path}${path === title ? '' : ` (${title})`}: ${uri}`),
      ...(paths === undefined ? [] : [paths]),
      `${trusted ? 'trusted' : 'not trusted'}; ${canEdit ? 'edits are possible, the user approves each' : 'edits are not possible'}`,
      ...(next === undefined ? [] : [next]),
    ].join('\n'),
  }),
});

async function describeFolder(
  { name, uri, fsPath }: WorkspaceFolder,
  resolve: ToolContext['resolve'],
): Promise<z.infer<typeof folder>> {
  try {
    return { path: (await resolve(fsPath)).path, name, uri };
  } catch (error) {
    // A folder that may not be read is open all the same.
    if (error instanceof ToolError) return { path: name, name, uri };
    throw error;
  }
}

/** A lone folder has no name in paths; an example says it best. */
function howPathsBegin({ path, name }: z.infer<typeof folder>): string {
  return path === '.'
    ? `Paths are relative to the folder and start without its name: src/main.ts, not ${name}/src/main.ts.`
    : `Paths start with the path of their folder: ${path}/src/main.ts.`;
}

/** The editor's name for a remote may go on with a host (`ssh-remote+host`) or be nothing but an address. */
function remoteKind(name: string): string {
  const kind = name.split('+')[0] ?? '';
  return /^[a-z][a-z-]*$/i.test(kind) && kind !== 'localhost' ? kind : 'remote';
}

function nextStep(folderCount: number, trusted: boolean, held: boolean): string | undefined {
  if (folderCount === 0) {
    return 'Ask the user to open a folder (File > Open Folder); the tools work as soon as one is open, with no reconnect.';
  }
  if (held)
    return 'Only reading works until the user enables edits in the Drawbridge view; ask them if more is needed.';
  return trusted ? undefined : 'Only reading works until the user trusts this workspace; ask them if more is needed.';
}
