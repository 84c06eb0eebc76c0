import type { GuardLevel } from '#base/nativeCommand.ts';
import type { CommandLine, CommandLines, UnderstoodCommand } from '#call/ports/commandLines.ts';

const nothing: UnderstoodCommand = {
  class: 'runs',
  parts: [],
  scripts: [],
  places: [],
  closed: [],
  outside: [],
  writesElsewhere: false,
  runs: [],
  takesCommands: false,
};

/** Command lines that are understood as a test says; others run something. */
export class FakeCommandLines implements CommandLines {
  readonly known = new Map<string, Partial<UnderstoodCommand>>();
  readonly lines: CommandLine[] = [];
  /** The times at which an assistant changed files, by their paths. */
  readonly changed = new Map<string, number>();
  assistantLevel: GuardLevel = 'edits';

  async understand(line: CommandLine): Promise<UnderstoodCommand> {
    this.lines.push(line);
    const known = this.known.get(line.text) ?? {};
    const part = {
      text: line.text,
      class: known.class ?? nothing.class,
      reason: 'A reason.',
      words: line.text.split(' '),
    };
    return { ...nothing, parts: [part], ...known };
  }

  level(): GuardLevel {
    return this.assistantLevel;
  }

  changedSince(paths: readonly string[], since: number): string | undefined {
    return paths.find((path) => (this.changed.get(path) ?? -1) > since);
  }
}
