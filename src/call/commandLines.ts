/** Understands the command lines of assistants' own shells: their classes, the files that they write, and the scripts that they run. */
import { join } from 'node:path';
import * as z from 'zod';
import type { Files, ResolvedPath } from '#base/files.ts';
import type { Shell } from '#base/nativeCommand.ts';
import type { CommandPart } from '#base/proposal.ts';
import type { SyntaxLanguage, SyntaxTree } from '#base/syntaxTree.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import { folderContaining } from '#policy/paths.ts';
import { classifyPath, type PathRules } from '#policy/protectedPaths.ts';
import { classifyCommand } from '#policy/shell/classifyCommand.ts';
import { commandWords } from '#policy/shell/sameCommand.ts';
import type { CommandPart as JudgedPart, CommandVerdict, FileTarget } from '#policy/shell/verdict.ts';
import type { CommandLine, UnderstoodCommand } from './ports/commandLines.ts';
import { resolveAddress } from './resolve.ts';

export interface CommandLineDependencies {
  /** Parses a text; undefined when it cannot be parsed in time. */
  readonly parse: (language: SyntaxLanguage, text: string, signal: AbortSignal) => Promise<SyntaxTree | undefined>;
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly files: Pick<Files, 'locate' | 'readText'>;
  readonly pathRules: PathRules;
}

/** The most characters of scripts that a card shows. */
const mostScriptLength = 20_000;
/** The most bytes of a manifest or script that is read. */
const mostScriptBytes = 256 * 1024;

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()) });

/** Returns what is known of a command line before it runs. Never rejects. */
export async function understandCommand(
  line: CommandLine,
  dependencies: CommandLineDependencies,
  signal: AbortSignal,
): Promise<UnderstoodCommand> {
  const { text, folder } = line;
  const language = languageOf(line.shell);
  const parse = (of: SyntaxLanguage, script: string): Promise<SyntaxTree | undefined> =>
    dependencies.parse(of, script, signal);
  const tree = language && (await parse(language, text));
  const verdict = await classifyCommand(text, tree, language ?? line.shell, {
    folder,
    parse,
    scriptOf: async (of, _manager, name) => scriptOf(join(of, 'package.json'), name, dependencies),
  });
  // The grammar is that of bash: a command of zsh that it knows as one that reads may be another one.
  const isCertain = line.shell !== 'zsh';
  const parts = verdict.parts.map((part) => shownPart(part, isCertain));
  const all = verdict.parts.flatMap(withInner);
  const writing = all.filter((part) => part.class === 'writes').flatMap(({ targets }) => targets);
  const { places, closed, outside } = await placesOf(pathsOf(writing), dependencies);
  return {
    class: verdict.class === 'reads' && !isCertain ? 'runs' : verdict.class,
    parts,
    scripts: await scriptsOf(all, dependencies),
    places,
    closed,
    outside,
    writesElsewhere: writesElsewhere(verdict, all),
    runs: pathsOf(all.flatMap(({ scripts }) => scripts)),
    takesCommands: all.some(({ startsInteractive }) => startsInteractive),
  };
}

/** Returns the grammar by which a shell is read. The syntax of zsh is close to that of bash, so that what writes is recognised. */
function languageOf(shell: Shell): SyntaxLanguage | undefined {
  if (shell === 'zsh') return 'bash';
  return shell === 'bash' || shell === 'powershell' ? shell : undefined;
}

function shownPart(part: JudgedPart, isCertain: boolean): CommandPart {
  const words = commandWords(part);
  const kind = part.class === 'reads' && !isCertain ? 'runs' : part.class;
  return { text: part.text, class: kind, reason: part.reason, ...(words !== undefined && { words }) };
}

function withInner(part: JudgedPart): readonly JudgedPart[] {
  return [part, ...part.inner.flatMap(withInner)];
}

/** Returns whether a command that writes may write to a file that it does not name. */
function writesElsewhere(verdict: CommandVerdict, all: readonly JudgedPart[]): boolean {
  if (verdict.class !== 'writes') return false;
  return all.some(
    (part) =>
      part.class === 'writes' &&
      part.inner.length === 0 &&
      (part.targets.length === 0 || part.targets.includes('anywhere')),
  );
}

function pathsOf(targets: readonly FileTarget[]): readonly string[] {
  return [...new Set(targets.flatMap((target) => (target === 'anywhere' ? [] : [target.path])))];
}

/** Sorts absolute paths into those of the workspace, those in it that no tool may change, and those elsewhere. */
async function placesOf(
  paths: readonly string[],
  { workspace, files, pathRules }: CommandLineDependencies,
): Promise<Pick<UnderstoodCommand, 'places' | 'closed' | 'outside'>> {
  const places: ResolvedPath[] = [];
  const closed: string[] = [];
  const outside: string[] = [];
  for (const path of paths) {
    try {
      const place = await resolveAddress(path, { workspace, files, pathRules, purpose: 'change' });
      if (classifyPath(place, pathRules).class === 'hard_deny') closed.push(place.path);
      else places.push(place);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      // A link may lead in from elsewhere, and a name may be refused although a shell takes it.
      const isInside = await leadsInside(path, workspace, files);
      if (error.code === 'outside_workspace' && !isInside) outside.push(path);
      else closed.push(path);
    }
  }
  return { places, closed, outside };
}

async function leadsInside(
  path: string,
  workspace: Pick<Workspace, 'folders'>,
  files: Pick<Files, 'locate'>,
): Promise<boolean> {
  const found = await files.locate(path, 'change').catch(() => undefined);
  return found !== undefined && folderContaining(found.realPath, workspace.folders()) !== undefined;
}

/** Returns the text of a script of a `package.json`; undefined when it has none of that name, or cannot be read. */
async function scriptOf(
  path: string,
  name: string,
  dependencies: CommandLineDependencies,
): Promise<string | undefined> {
  const text = await textOf(path, dependencies);
  if (text === undefined) return undefined;
  try {
    const script = manifest.parse(JSON.parse(text)).scripts[name];
    return typeof script === 'string' ? script : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the texts of the scripts that a command line contains, and of the script files that it names, as far as they can be read. */
async function scriptsOf(
  parts: readonly JudgedPart[],
  dependencies: CommandLineDependencies,
): Promise<UnderstoodCommand['scripts']> {
  const inner = parts.flatMap((part) => part.inlineScripts.map((text) => ({ name: part.text, text })));
  const files: { name: string; text: string }[] = [];
  for (const path of pathsOf(parts.flatMap(({ scripts }) => scripts)).filter(isScriptFile)) {
    const text = await textOf(path, dependencies);
    if (text !== undefined) files.push({ name: path, text });
  }
  let left = mostScriptLength;
  return [...inner, ...files].flatMap(({ name, text }) => {
    if (left <= 0) return [];
    const shown = text.length <= left ? text : `${text.slice(0, left).toWellFormed()}\n(cut here)`;
    left -= text.length;
    return [{ name, text: shown }];
  });
}

/** Manifests are long, and only a word of them says what runs. */
function isScriptFile(path: string): boolean {
  return /\.(?:sh|bash|zsh|ps1|py|js|mjs|cjs|ts|rb|pl|php|lua)$/i.test(path);
}

async function textOf(
  path: string,
  { workspace, files, pathRules }: CommandLineDependencies,
): Promise<string | undefined> {
  try {
    const place = await resolveAddress(path, { workspace, files, pathRules, purpose: 'read' });
    const kind = classifyPath(place, pathRules).class;
    if (kind === 'secret' || kind === 'hard_deny') return undefined;
    return (await files.readText(place, mostScriptBytes)).text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
