import type { Workspace } from '#base/workspace.ts';
import { folderContaining, fsPathOf, pathOf } from '#policy/paths.ts';
import { isReadable, type PathRules } from '#policy/protectedPaths.ts';
import { type ComparedFile, type FileProblems, problemsChange } from '../problemsChange.ts';
import type { Problems } from '../problems.ts';
import { currentText, type CurrentText } from './currentText.ts';
import { publishedProblems, type PublishedProblems } from './diagnostics/publishedProblems.ts';
import { type QueriedService, typescript } from './typescript.ts';

/** The sources of problems and texts; tests replace them. */
export interface ProblemSources {
  readonly queried: QueriedService;
  readonly published: PublishedProblems;
  /** Reads the present text; undefined when the path is not a text file. */
  readonly textOf: (fsPath: string) => Promise<CurrentText | undefined>;
}

/** The most files of one change that are compared. */
const mostFiles = 50;
/** Milliseconds for all files. Before a change, a language service may have to start, while the user reads the approval. */
const patience = { before: 5000, after: 3000 };

const editorSources: ProblemSources = { queried: typescript, published: publishedProblems, textOf: currentText };

/** Creates problem snapshots of files that tools may read, since a message can quote a secret file (threat row A8). */
export function createProblems(
  workspace: Pick<Workspace, 'folders'>,
  pathRules: PathRules,
  sources = editorSources,
): Problems {
  const isTold = (realPath: string): boolean => {
    const place = folderContaining(realPath, workspace.folders());
    return place !== undefined && isReadable({ folder: place.folder, fsPath: fsPathOf(place), realPath }, pathRules);
  };
  const nameOf = (realPath: string): string => {
    const place = folderContaining(realPath, workspace.folders());
    return place === undefined ? realPath : pathOf(place, workspace.folders());
  };
  return {
    async snapshot(realPaths) {
      const paths = [...new Set(realPaths)].filter(isTold).slice(0, mostFiles);
      const before = await withinTime('before', (found, expired) => lookBefore(sources, paths, found, expired));
      return {
        async changeSince(realPathsNow) {
          const now = paths.map((path) => realPathsNow[realPaths.indexOf(path)] ?? path);
          const hasNewFiles = paths.some((path, at) => now[at] !== path || before.get(path) === notThere);
          const wasThere = new Set(now.filter((_, at) => before.get(paths[at] ?? '') !== notThere));
          const after = await withinTime('after', (found, expired) =>
            lookAfter(sources, now.filter(isTold), { hasNewFiles, wasThere }, found, expired),
          );
          return problemsChange(
            paths.flatMap((path, at) =>
              compared(before.get(path), after.get(now[at] ?? path), nameOf(now[at] ?? path)),
            ),
          );
        },
      };
    },
  };
}

const notThere: FileProblems = { problems: [], isFresh: true };

/** Problems by path. `unanswered` means not in time; an absent file does not exist or is not text. */
type Found = Map<string, FileProblems | 'unanswered'>;

function compared(
  before: FileProblems | 'unanswered' | undefined,
  after: FileProblems | 'unanswered' | undefined,
  path: string,
): readonly ComparedFile[] {
  if (before === undefined || before === 'unanswered' || after === undefined) return [];
  if (after === 'unanswered') return [{ path, before, after: undefined }];
  return after.isSilent === true && before.problems.length === 0 ? [] : [{ path, before, after }];
}

async function withinTime(
  moment: 'before' | 'after',
  look: (found: Found, expired: AbortSignal) => Promise<void>,
): Promise<Found> {
  const found: Found = new Map();
  const expired = AbortSignal.timeout(patience[moment]);
  const { promise, resolve } = Promise.withResolvers<void>();
  expired.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([promise, look(found, expired).catch(() => undefined)]);
  // Copy the answers, since later ones do not belong to this moment.
  return new Map(found);
}

async function lookBefore(
  sources: ProblemSources,
  fsPaths: readonly string[],
  found: Found,
  expired: AbortSignal,
): Promise<void> {
  const answers: Found = new Map();
  const texts = await textsOf(sources, fsPaths);
  for (const fsPath of fsPaths) {
    const text = texts.get(fsPath);
    if (text === undefined) answers.set(fsPath, notThere);
    else answers.set(fsPath, await problemsBefore(sources, fsPath, text, expired));
  }
  // A changed text means that an answer may have come after the change.
  const textsNow = await textsOf(sources, fsPaths);
  if (fsPaths.some((fsPath) => texts.get(fsPath)?.text !== textsNow.get(fsPath)?.text)) return;
  for (const [fsPath, answer] of answers) found.set(fsPath, answer);
}

async function problemsBefore(
  { queried, published: told }: ProblemSources,
  fsPath: string,
  { text, isPlain }: CurrentText,
  expired: AbortSignal,
): Promise<FileProblems | 'unanswered'> {
  if (expired.aborted) return 'unanswered';
  if (!(await queried.checks(fsPath))) return { problems: told.problemsOf(fsPath, text), isFresh: false };
  let problems = await queried.problemsOf(fsPath, text);
  if (problems === undefined && isPlain && !expired.aborted) {
    await queried.reread([fsPath]);
    problems = await queried.problemsOf(fsPath, text);
  }
  return problems === undefined ? 'unanswered' : { problems, isFresh: true };
}

async function lookAfter(
  sources: ProblemSources,
  fsPaths: readonly string[],
  { hasNewFiles, wasThere }: { readonly hasNewFiles: boolean; readonly wasThere: ReadonlySet<string> },
  found: Found,
  expired: AbortSignal,
): Promise<void> {
  const { queried, published: told } = sources;
  const texts = await textsOf(sources, fsPaths);
  for (const fsPath of texts.keys()) found.set(fsPath, 'unanswered');
  const [askable, others]: [string[], string[]] = [[], []];
  for (const fsPath of texts.keys()) ((await queried.checks(fsPath)) ? askable : others).push(fsPath);
  const heard = others.length === 0 ? undefined : told.waitUntilQuiet(others, expired);
  await queried.reread(askable.filter((fsPath) => texts.get(fsPath)?.isPlain));
  const ask = async (): Promise<void> => {
    for (const fsPath of askable) {
      const now = texts.get(fsPath);
      if (expired.aborted || now === undefined) return;
      const problems = await queried.problemsOf(fsPath, now.text);
      if (problems !== undefined) found.set(fsPath, { problems, isFresh: now.isPlain });
    }
  };
  await ask();
  // tsserver may have looked for an imported file before the file existed, or may not have noticed yet that one is gone.
  const isGone = fsPaths.some((fsPath) => wasThere.has(fsPath) && !texts.has(fsPath));
  if (isGone || (hasNewFiles && askable.some((fsPath) => hasProblems(found.get(fsPath))))) {
    await queried.waitForWatcher(expired);
    await ask();
  }
  const spoken = await heard;
  for (const fsPath of others) {
    const problems = told.problemsOf(fsPath, texts.get(fsPath)?.text ?? '');
    found.set(fsPath, { problems, isFresh: false, isSilent: problems.length === 0 && spoken?.has(fsPath) !== true });
  }
}

function hasProblems(answer: FileProblems | 'unanswered' | undefined): boolean {
  return answer !== undefined && answer !== 'unanswered' && answer.problems.length > 0;
}

async function textsOf(
  { textOf }: ProblemSources,
  fsPaths: readonly string[],
): Promise<ReadonlyMap<string, CurrentText>> {
  const texts = await Promise.all(fsPaths.map(async (fsPath) => ({ fsPath, now: await textOf(fsPath) })));
  return new Map(texts.flatMap(({ fsPath, now }) => (now === undefined ? [] : [[fsPath, now] as const])));
}
