import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { Subscription } from '#base/event.ts';
import type { GuardLevel } from '#base/nativeCommand.ts';
import type { Workspace } from '#base/workspace.ts';
import { understandCommand } from '#call/commandLines.ts';
import type { CommandLines } from '#call/ports/commandLines.ts';
import { files } from '#files/editor/files.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { createSyntaxParser } from '#syntax/syntaxParser.ts';

export interface CommandLinesOptions {
  readonly context: Pick<ExtensionContext, 'extensionPath'>;
  /** The workspace with the work trees that the window guards. */
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly pathRules: PathRules;
  readonly level: (assistant: string) => GuardLevel;
  /** Returns when an assistant last changed a file, by its real path, in milliseconds since the epoch. */
  readonly changedAt: (realPath: string) => number | undefined;
}

/** Creates what understands the command lines of assistants' own shells. It starts its parser with the first of them. */
export function createCommandLines(options: CommandLinesOptions): CommandLines & Subscription {
  const { context, workspace, pathRules, level, changedAt } = options;
  const parser = createSyntaxParser({
    program: join(context.extensionPath, 'dist/syntaxWorker.cjs'),
    folder: join(context.extensionPath, 'dist/syntax'),
  });
  return {
    understand: (line, signal) =>
      understandCommand(
        line,
        { parse: (language, text, stop) => parser.parse(language, text, stop), workspace, files, pathRules },
        signal,
      ),
    level,
    changedSince: (paths, since) => paths.find((path) => (changedAt(realPathOf(path)) ?? -Infinity) > since),
    dispose: () => parser.dispose(),
  };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
