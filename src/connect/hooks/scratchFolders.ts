import { posix, win32 } from 'node:path';

interface ScratchFolder {
  /** `~`, or `tmp` for the shared temporary folder of a system with user ids. */
  readonly below: '~' | 'tmp';
  /** The names on the way from there; `*` stands for any one name, `{uid}` for the user id. */
  readonly path: readonly string[];
}

/**
 * Folders and files in which assistants keep plans, notes and drafts of their own. Environment variables that move them, such as
 * CLAUDE_CODE_TMPDIR, do not count: a project's settings may set them for a hook.
 */
const scratchFolders: readonly ScratchFolder[] = [
  // Claude Code 2.1.329: read in its package, and code.claude.com/docs/en/memory.
  { below: '~', path: ['.claude', 'plans'] },
  { below: '~', path: ['.claude', 'projects', '*', 'memory'] },
  { below: '~', path: ['.claude', 'agent-memory'] },
  { below: 'tmp', path: ['claude-{uid}', '*', '*', 'scratchpad'] },
  // Codex 0.169.0: developers.openai.com/codex/memories.
  { below: '~', path: ['.codex', 'memories'] },
  // Gemini CLI 0.61.0: getProjectTempDir and getGlobalMemoryFilePath in its package.
  { below: '~', path: ['.gemini', 'tmp'] },
  { below: '~', path: ['.gemini', 'GEMINI.md'] },
  // Copilot CLI 1.0.102: docs.github.com, "Copilot CLI configuration directory".
  { below: '~', path: ['.copilot', 'session-state'] },
  // opencode 1.18.33: the plans of a project without version control, in its package.
  { below: '~', path: ['.local', 'share', 'opencode', 'plans'] },
];

/** The places of one user. The home folder is absolute and without links. */
export interface ScratchPlaces {
  readonly home: string;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly platform: NodeJS.Platform;
}

/**
 * Returns whether a file is in a folder in which an assistant keeps its own notes, also when the user's home folder is guarded. Such
 * a folder does not count when it is a link.
 * @param path absolute and without links
 */
export function isScratch(path: string, { home, uid, platform }: ScratchPlaces): boolean {
  const paths = platform === 'win32' ? win32 : posix;
  const namesBelow = (folder: string): readonly string[] | undefined => {
    const way = paths.relative(folder, path);
    return way === '' || paths.isAbsolute(way) || way.startsWith('..') ? undefined : way.split(paths.sep);
  };
  const temporary = platform === 'darwin' ? '/private/tmp' : '/tmp';
  const bases = { '~': namesBelow(home), tmp: uid === undefined ? undefined : namesBelow(temporary) };
  return scratchFolders.some(({ below, path: wanted }) => {
    const names = bases[below];
    if (names === undefined || names.length < wanted.length) return false;
    return wanted.every((name, index) => name === '*' || names[index] === name.replace('{uid}', String(uid)));
  });
}
