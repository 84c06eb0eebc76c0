import { realpathSync } from 'node:fs';
import type { GuardLevel } from '#base/nativeCommand.ts';
import type { Workspace } from '#base/workspace.ts';
import type { CommandLines } from '#call/ports/commandLines.ts';
import { files } from '#files/editor/files.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { SyntaxParser } from '#syntax/syntaxParser.ts';

export interface CommandLinesOptions {
  readonly parser: Pick<SyntaxParser, 'parse'>;
  /** The workspace with the work trees that the window guards. */
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly pathRules: PathRules;
  readonly level: (assistant: string) => GuardLevel;
  /** Returns when an assistant last changed a file, by its real path, in milliseconds since the epoch. */
  readonly changedAt: (realPath: string) => number | undefined;
}

/** Creates what understands the command lines of assistants' own shells. */
export function createCommandLines(options: CommandLinesOptions): CommandLines {
  const { parser, workspace, pathRules, level, changedAt } = options;
  return {
    async understand(line, signal) {
      // Its tables of programs are loaded with the first command line, which most windows never see.
      const { understandCommand } = await import('#call/commandLines.ts');
      const parse: SyntaxParser['parse'] = (language, text, stop) => parser.parse(language, text, stop);
      return understandCommand(line, { parse, workspace, files, pathRules }, signal);
    },
    level,
    changedSince: (paths, since) => paths.find((path) => (changedAt(realPathOf(path)) ?? -Infinity) > since),
  };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
