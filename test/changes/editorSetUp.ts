import { createHash } from 'node:crypto';
import type { LiveText, ResolvedPath, Tree, TreeLimits } from '#base/files.ts';
import type { FileChange, FileDelete } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { QueueDependencies } from '#changes/queue.ts';
import { FakeHistory } from '../fakes/history.ts';
import { judged, pathOf, remove, settled, setUp } from './queueSetUp.ts';

/** What an editor or the disk shows of files beyond their text, by name; a test sets what is unusual. */
class Shown {
  readonly facts = new Map<string, Partial<LiveText>>();
  readonly trees = new Map<string, Partial<Tree>>();
  /** Real paths of names that lead elsewhere now. */
  readonly places = new Map<string, string>();
  /** Names in a folder that is not open. */
  readonly closed = new Set<string>();
  /** The limit of each read of a file or a folder. */
  readonly limits: TreeLimits[] = [];
  canEncode = true;
}

/** Like {@link setUp}, with folders and with what the editor shows of files. */
export function setUpEditor(
  texts: Record<string, string>,
  history = new FakeHistory(),
  overrides: Partial<QueueDependencies> = {},
) {
  const shown = new Shown();
  let held: ReadonlyMap<string, string> = new Map();
  const textAt = (path: ResolvedPath): string => {
    const text = held.get(path.fsPath);
    if (text === undefined) throw new ToolError('not_found', `${path.path} does not exist.`, 'Look elsewhere.');
    return text;
  };
  const below = (path: string): string[] => [...held.keys()].filter((each) => each.startsWith(`${path}/`)).toSorted();
  const t = setUp(texts, history, {
    files: {
      readText: async (path) => ({ ...usual, text: textAt(path), ...shown.facts.get(path.path) }),
      readTree: async (path, limits) => {
        shown.limits.push(limits);
        const files = below(path.fsPath).map((each) => treeFile(each.slice(path.fsPath.length + 1), held.get(each)));
        const all = files.length > 0 ? files : [treeFile('', textAt(path))];
        return { files: all, unsaved: [], unsavedElsewhere: [], ...shown.trees.get(path.path) };
      },
      canEncode: async () => shown.canEncode,
    },
    resolve: async (uri) => {
      const name = uri.replace('file:///w/', '');
      if (shown.closed.has(name)) throw new ToolError('outside_workspace', `${name} is outside.`, 'Open its folder.');
      const isFolder = below(`/w/${name}`).length > 0;
      const path = pathOf(name, isFolder || held.has(`/w/${name}`));
      const kind = isFolder ? ('directory' as const) : path.kind;
      return { ...path, kind, realPath: shown.places.get(name) ?? path.realPath };
    },
    ...overrides,
  });
  held = t.edits.texts;
  return { ...t, shown };
}

export type EditorSetUp = ReturnType<typeof setUpEditor>;

/** Applies a change without asking. Returns its id. */
export async function applied(t: EditorSetUp, files: readonly FileChange[]): Promise<string> {
  t.clock.advance(1000);
  const { approvalId, status } = await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  if (status !== 'applied') throw new Error(`${status}: ${t.queue.get(approvalId)?.note ?? ''}`);
  return approvalId;
}

/** Returns the delete of a folder with these files. */
export function removeFolder(name: string, texts: Readonly<Record<string, string>>): FileDelete {
  const { base: _base, ...facts } = remove(name, '');
  const files = Object.entries(texts).map(([relative, text]) => treeFile(relative, text));
  return { ...facts, path: { ...facts.path, kind: 'directory' }, isFolder: true, files };
}

export function treeFile(relative: string, text = ''): Tree['files'][number] {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { relative, sha256, size: Buffer.byteLength(text), mode: 0o644, isLink: false, bytes: Buffer.from(text) };
}

const usual: Omit<LiveText, 'text'> = {
  encoding: 'utf8',
  source: 'disk',
  unsaved: false,
  unsavedElsewhere: false,
  readonly: false,
  unifiedLineEnds: 0,
  modified: 0,
};

/** Kills the window in the middle of an act that has changed nothing yet. */
export async function killDuring(t: EditorSetUp, act: () => Promise<unknown>): Promise<void> {
  t.edits.apply = () => Promise.withResolvers<never>().promise;
  void act();
  await settled();
}

/** Kills the window in the middle of an apply that was allowed without asking. Returns the setup of that window. */
export async function killDuringApply(
  texts: Record<string, string>,
  files: readonly FileChange[],
): Promise<EditorSetUp> {
  const t = setUpEditor(texts);
  await killDuring(t, () => t.ask(files, { judgement: judged({ effect: 'allow' }) }));
  return t;
}
