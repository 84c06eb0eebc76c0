import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { modes, type Mode } from '#policy/rules.ts';

const folder = z.object({
  path: z.string().describe('Prefix of paths in this folder; "." when it is the only folder'),
  name: z.string().describe('Its name in the editor'),
  uri: z.string().describe('Its URI'),
});

/** The `get_workspace` tool: returns the open folders, trust and mode of the window. */
export const getWorkspace = defineTool({
  name: 'get_workspace',
  title: 'Get workspace',
  summary: 'Tell which folders are open, and whether edits are possible.',
  toolset: 'workspace',
  risk: 'read',
  needs: ['workspace'],
  worksWithoutFolder: true,
  worksUntrusted: true,
  description: 'Tell which folders are open, and whether files can be changed. Call it first in an unknown workspace.',
  example: {},
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(
    z.object({
      name: z.string().exactOptional().describe('Name of the workspace'),
      folders: z.array(folder).max(1000).describe('Open folders'),
      roots: z
        .array(z.string())
        .max(1000)
        .exactOptional()
        .describe('Only files below these roots of the client are visible'),
      paths: z.string().exactOptional().describe('How paths are written'),
      trusted: z.boolean().describe('The user trusts this workspace'),
      canEdit: z.boolean().describe('Changes can be proposed'),
      mode: z.enum(modes).describe('manual: the user approves each change; readOnly: each is refused'),
      editor: z.string().describe('Editor and version'),
      remote: z.string().exactOptional().describe('Kind of remote host, e.g. ssh-remote, wsl, dev-container'),
      windowId: z.string().describe('Stays the same when the window reloads'),
      next: z.string().exactOptional().describe('What to do when something is missing'),
    }),
  ),
  targets: () => [],
  async run(_input, { workspace, folderPath, parts, mode }) {
    const folders = workspace.folders();
    const name = workspace.name();
    const held = workspace.isHeld();
    const trusted = workspace.isTrusted() || held;
    const next = nextStep(folders.length, trusted, held, mode);
    const { remote } = workspace.editor;
    const described = await Promise.all(folders.map((one) => describeFolder(one, folderPath)));
    const [first] = described;
    return {
      ...(name === undefined ? {} : { name }),
      folders: described,
      ...(parts === undefined ? {} : { roots: parts.map(({ path }) => path) }),
      ...(first === undefined ? {} : { paths: howPathsBegin(first) }),
      trusted,
      canEdit: trusted && !held && folders.length > 0 && mode !== 'readOnly',
      mode,
      editor: `${workspace.editor.name} ${workspace.editor.version}`,
      ...(remote === undefined ? {} : { remote: remoteKind(remote) }),
      windowId: workspace.windowId,
      ...(next === undefined ? {} : { next }),
    };
  },
  render: ({ name, folders, roots, paths, trusted, canEdit, mode, editor, remote, windowId, next }) => ({
    text: [
      `${name ?? 'No workspace'} in ${editor}${remote === undefined ? '' : ` (remote: ${remote})`}, window ${windowId}`,
      ...folders.map(({ path, name: title, uri }) => `folder ${path}${path === title ? '' : ` (${title})`}: ${uri}`),
      ...(roots === undefined ? [] : [`Only files below the roots of this client are visible: ${roots.join(', ')}`]),
      ...(paths === undefined ? [] : [paths]),
      `${trusted ? 'trusted' : 'not trusted'}; edits are ${canEdit ? `possible, ${decidedBy(mode)}` : 'not possible'}`,
      ...(next === undefined ? [] : [next]),
    ].join('\n'),
  }),
});

async function describeFolder(
  open: WorkspaceFolder,
  folderPath: ToolContext['folderPath'],
): Promise<z.infer<typeof folder>> {
  const { name, uri } = open;
  try {
    return { path: await folderPath(open), name, uri };
  } catch (error) {
    // A folder that policy denies is still listed as open.
    if (error instanceof ToolError) return { path: name, name, uri };
    throw error;
  }
}

/** Explains by example how paths begin; with a single folder, paths omit its name. */
function howPathsBegin({ path, name }: z.infer<typeof folder>): string {
  return path === '.'
    ? `Paths are relative to the folder and start without its name: src/main.ts, not ${name}/src/main.ts.`
    : `Paths start with the path of their folder: ${path}/src/main.ts.`;
}

/** Returns the kind of remote only, because the remote name may include a host (`ssh-remote+host`) or be an address. */
function remoteKind(name: string): string {
  const kind = name.split('+')[0] ?? '';
  return /^[a-z][a-z-]*$/i.test(kind) && kind !== 'localhost' ? kind : 'remote';
}

function decidedBy(mode: Mode): string {
  return mode === 'manual' ? 'the user approves each' : `in mode ${mode}`;
}

function nextStep(folderCount: number, trusted: boolean, held: boolean, mode: Mode): string | undefined {
  if (folderCount === 0) {
    return 'Ask the user to open a folder (File > Open Folder); the tools work as soon as one is open, with no reconnect.';
  }
  if (held)
    return 'Only reading works until the user enables edits in the Drawbridge view; ask them if more is needed.';
  if (!trusted) return 'Only reading works until the user trusts this workspace; ask them if more is needed.';
  return mode === 'readOnly'
    ? 'Only reading works in this mode; ask the user for another mode if more is needed.'
    : undefined;
}
