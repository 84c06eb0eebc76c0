import * as path from 'node:path/posix';
import type { SyntaxLanguage, SyntaxTree } from '#base/syntaxTree.ts';
import { both, type CommandVerdict, type FileTarget, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

/** What the classifier asks its caller for. Everything that is missing makes a verdict stricter. */
export interface ClassifierPorts {
  /** Absolute path of the folder in which the command line starts. */
  readonly folder?: string | undefined;
  /** Parses the text of a script within a command line. */
  readonly parse?: ((language: SyntaxLanguage, text: string) => Promise<SyntaxTree | undefined>) | undefined;
  /** Returns the text of a script of `package.json` in a folder; undefined when there is none. */
  readonly scriptOf?: ((folder: string, manager: string, name: string) => Promise<string | undefined>) | undefined;
}

/** The circumstances of one simple command. */
export interface CommandContext {
  readonly ports: ClassifierPorts;
  /** The folder in which the line starts: absolute, or `.` when it is not known. */
  readonly start: string;
  /** The folder in which this command runs; undefined when it cannot be told. */
  readonly folder: string | undefined;
  /** True when the standard input is a pipe, a file or a text. */
  readonly hasInput: boolean;
  /** The text of a here-document or here-string that is its input. */
  readonly inputText: string | undefined;
  /** Judges a command that another one starts. */
  judge(words: readonly Word[], context: CommandContext): Promise<Judgement>;
  /** Classifies a command line within the command line. Returns undefined where nesting is too deep. */
  nest(language: SyntaxLanguage, text: string, context: CommandContext): Promise<CommandVerdict | undefined>;
}

const isAbsolute = (name: string): boolean =>
  name.startsWith('/') || /^[A-Za-z]:[\\/]/.test(name) || name.startsWith('\\\\');

/** Resolves a path against a folder; undefined when the folder is not known and the path is relative. */
export function resolvePath(folder: string | undefined, name: string): string | undefined {
  if (name.includes('\0') || name === '') return undefined;
  if (isAbsolute(name)) return name.startsWith('/') ? path.normalize(name) : name;
  return folder === undefined ? undefined : path.normalize(path.join(folder, name));
}

/** Returns the file that a word names, relative to the folder of the command. */
export function targetOf(word: Word | undefined, { folder }: CommandContext): FileTarget {
  // The parent of a linked folder is not the folder before it, so a path that goes down and up again cannot be told.
  const isUncertain =
    word?.value === undefined || /(?:^|\/)(?!\.{1,2}\/)[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/.test(word.value);
  const found = isUncertain ? undefined : resolvePath(folder, word.value);
  return found === undefined ? 'anywhere' : { path: found };
}

/** Judges a text that a shell within the command runs: it is parsed again, and writes when it cannot be. */
export async function judgeScriptText(
  text: string | undefined,
  language: SyntaxLanguage,
  by: string,
  context: CommandContext,
): Promise<Judgement> {
  const verdict = text === undefined ? undefined : await context.nest(language, text, context);
  if (!verdict) {
    const inlineScripts = text === undefined ? [] : [text];
    return judged('writes', `\`${by}\` runs a text that is not understood`, { inlineScripts, targets: ['anywhere'] });
  }
  const parts = verdict.parts.reduce<Judgement>(both, judged('reads', verdict.reason));
  return { ...parts, class: verdict.class, reason: verdict.reason, inner: verdict.parts, inlineScripts: [text ?? ''] };
}
