import type { WorkspaceFolder } from '#base/workspace.ts';
import { openFolders } from '#policy/folderLabels.ts';
import { relativeTo } from '#policy/paths.ts';

/** An address, and the lines that stood behind it. */
export interface Spelling {
  readonly address: string;
  readonly firstLine?: number;
  readonly lastLine?: number;
  readonly column?: number;
}

/** More spellings than any slip has; an address with more is no slip. */
const mostSpellings = 64;

/** Returns another way to read an address, or undefined when the slip is not there. */
type Step = (address: string, folders: readonly WorkspaceFolder[]) => string | undefined;

/** The slips in the order in which they are taken back: what stands outside goes first. */
const before: readonly Step[] = [
  (address) => address.trim(),
  (address) => /^(["'`])(.+)\1$/s.exec(address)?.[2],
  (address) => /^@(.+)$/s.exec(address)?.[1],
  // The addresses of our own resources, and those of an editor that works on another machine.
  (address) => /^drawbridge:\/\/files\/(.+)$/is.exec(address)?.[1],
  (address) => /^vscode-(?:remote|local):\/\/[^/]*(\/.+)$/is.exec(address)?.[1],
];

const after: readonly Step[] = [
  decoded,
  (address) => (address.includes('\\') ? address.replaceAll('\\', '/') : undefined),
  // A path from the root of the folder, when no folder holds it as an absolute path.
  (address, folders) =>
    address.startsWith('/') && !isInside(address, folders) ? address.replace(/^\/+/, '') || '.' : undefined,
  (address, folders) => withoutFolderName(address, folders),
];

/**
 * Returns the other ways to read an address that a model may have written with slips. Only the text is looked at.
 * @param takesLine whether a line may stand behind the path: `a.ts:12`, `a.ts:12:5`, `a.ts:12-20`, `a.ts#L12-L20`
 */
export function otherSpellings(
  address: string,
  folders: readonly WorkspaceFolder[],
  takesLine: boolean,
): readonly Spelling[] {
  const open = openFolders(folders);
  let found: readonly Spelling[] = [{ address }];
  const take = (step: (spelling: Spelling) => Spelling | undefined): void => {
    const more = found.flatMap((one) => step(one) ?? []);
    found = [...found, ...more.filter((one) => found.every((other) => !isSame(one, other)))].slice(0, mostSpellings);
  };
  const takeText = (step: Step): void =>
    take((one) => {
      const text = step(one.address, open);
      return text === undefined || text === '' ? undefined : { ...one, address: text };
    });
  for (const step of before) takeText(step);
  if (takesLine) take(withoutLine);
  for (const step of after) takeText(step);
  return found.slice(1);
}

/** Splits the lines from an address: `a.ts:12`, `a.ts:12:5`, `a.ts:12-20`, `a.ts#L12`, `a.ts#L12C5`, `a.ts#L12-L20`. */
function withoutLine({ address, ...place }: Spelling): Spelling | undefined {
  if (place.firstLine !== undefined) return undefined;
  const written =
    /^(?<file>.+?)(?::(?<first>\d{1,8})(?::(?<column>\d{1,8})|-(?<last>\d{1,8}))?|#L(?<from>\d{1,8})(?:C\d{1,8})?(?:-L?(?<to>\d{1,8})(?:C\d{1,8})?)?)$/s.exec(
      address,
    )?.groups;
  if (written?.['file'] === undefined) return undefined;
  const firstLine = Number(written['first'] ?? written['from']);
  const last = written['last'] ?? written['to'];
  const { column } = written;
  if (firstLine < 1 || (last !== undefined && Number(last) < firstLine)) return undefined;
  return {
    address: written['file'],
    firstLine,
    ...(last === undefined ? {} : { lastLine: Number(last) }),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

function decoded(address: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(address) || /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return undefined;
  try {
    return decodeURIComponent(address);
  } catch {
    return undefined;
  }
}

function isInside(address: string, folders: readonly WorkspaceFolder[]): boolean {
  return folders.some(
    ({ fsPath, realPath }) => relativeTo(fsPath, address) !== undefined || relativeTo(realPath, address) !== undefined,
  );
}

/** Takes the name of the only folder from the beginning of a path; with several folders, the name belongs there. */
function withoutFolderName(address: string, folders: readonly WorkspaceFolder[]): string | undefined {
  const [folder, another] = folders;
  if (folder === undefined || another !== undefined) return undefined;
  const names = [folder.name, /[^/\\]+$/.exec(folder.fsPath.replace(/[/\\]+$/, ''))?.[0] ?? folder.name];
  const name = names.find((each) => address === each || address.startsWith(`${each}/`));
  return name === undefined ? undefined : address.slice(name.length + 1) || '.';
}

function isSame(one: Spelling, other: Spelling): boolean {
  return one.address === other.address && one.firstLine === other.firstLine && one.lastLine === other.lastLine;
}
