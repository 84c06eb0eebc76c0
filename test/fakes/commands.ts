import type { CommandArgument, Commands, EditorCommand } from '#call/ports/commands.ts';

/** A port with the commands that a test names; it records the commands that were run. */
export class FakeCommands implements Commands {
  commands: readonly EditorCommand[] = [];
  allowed: readonly string[] = [];
  readonly ran: (readonly [id: string, given: readonly CommandArgument[]])[] = [];
  /** Returns the result of the next run. */
  answer: () => Promise<string> = async () => '';

  async list(): Promise<readonly EditorCommand[]> {
    return this.commands;
  }

  async find(id: string): Promise<EditorCommand | undefined> {
    return this.commands.find((command) => command.id === id);
  }

  isAllowed(id: string): boolean {
    return this.allowed.includes(id);
  }

  async run(id: string, given: readonly CommandArgument[]): Promise<string> {
    this.ran.push([id, given]);
    return this.answer();
  }
}
