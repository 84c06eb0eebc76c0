import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { TextRange } from '#base/language.ts';
import { messageOf } from '#base/messageOf.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import type { CommandArgument, CommandPlace, Commands, EditorCommand } from '#call/ports/commands.ts';
import { cancelled } from '#call/timeLimit.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { builtinCommands } from './commands/builtinCommands.ts';
import { ContributedCommands } from './commands/contributedCommands.ts';
import { plainResult } from './commands/plainResult.ts';

/** The VS Code API cannot stop a command, so a tool call stops waiting for it after this many seconds. */
const timeLimitSeconds = 60;

export interface CommandsOptions {
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly clock: Clock;
  /** Returns the setting `drawbridge.commands.allow`. */
  readonly allowed: () => readonly string[];
}

/** Returns the port to the commands of the editor and of extensions. */
export function createCommands({ workspace, clock, allowed }: CommandsOptions): Commands & vscode.Disposable {
  const contributed = new ContributedCommands();
  const all = async (): Promise<ReadonlyMap<string, EditorCommand>> => {
    const [registered, ofExtensions] = await Promise.all([vscode.commands.getCommands(true), contributed.current()]);
    const there = new Set(registered);
    // An extension registers its commands only once it runs, so its manifest is read as well.
    const shown = [
      ...builtinCommands.filter(({ id }) => there.has(id)),
      ...[...ofExtensions.values()].flatMap(({ isHidden, ...command }) => (isHidden ? [] : [command])),
    ];
    const known = new Map(shown.map((command) => [command.id, command]));
    for (const id of allowed()) {
      const hidden = ofExtensions.get(id);
      if (hidden === undefined && !there.has(id)) continue;
      const { isHidden: _hidden, ...command } = hidden ?? { id, isHidden: true };
      known.set(id, known.get(id) ?? command);
    }
    return known;
  };
  return {
    async list() {
      const known = [...(await all()).values()].filter(({ id }) => deniedCommand(id) === undefined);
      return known.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
    async find(id) {
      if (deniedCommand(id) !== undefined) return undefined;
      const known = (await all()).get(id);
      if (known !== undefined) return known;
      const { isHidden: _hidden, ...command } = (await contributed.current()).get(id) ?? { id, isHidden: true };
      return 'title' in command || (await vscode.commands.getCommands(true)).includes(id) ? command : undefined;
    },
    isAllowed: (id) => deniedCommand(id) === undefined && allowed().includes(id),
    async run(id, given, signal) {
      const why = deniedCommand(id);
      if (why !== undefined) {
        throw new ToolError('denied', `No assistant may run ${quoted(id)}: it ${why}.`, 'Go on without it.');
      }
      return plainResult(await runWithin(clock, id, given.map(editorArgument), signal), workspace.folders());
    },
    dispose: () => contributed.dispose(),
  };
}

async function runWithin(clock: Clock, id: string, given: readonly unknown[], signal: AbortSignal): Promise<unknown> {
  const gaveUp = Promise.withResolvers<never>();
  const cancel = (): void => gaveUp.reject(cancelled());
  const timer = clock.after(timeLimitSeconds * 1000, () =>
    gaveUp.reject(
      new ToolError(
        'timeout',
        `${quoted(id)} has not ended after ${timeLimitSeconds} s; it may still be running.`,
        'Ask the user whether the command waits for something, or check what it has done so far.',
      ),
    ),
  );
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([gaveUp.promise, vscode.commands.executeCommand(id, ...given)]);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (signal.aborted) throw cancelled();
    throw new ToolError(
      'unavailable',
      `${quoted(id)} failed: ${messageOf(error).slice(0, 1000)}`,
      'Check its arguments, or ask the user to run it by hand.',
    );
  } finally {
    timer.dispose();
    signal.removeEventListener('abort', cancel);
  }
}

/** Returns an argument as a value of the VS Code API. */
function editorArgument(argument: CommandArgument): unknown {
  if (argument === null || typeof argument !== 'object') return argument;
  if (isList(argument)) return argument.map(editorArgument);
  if (isFields(argument)) {
    return Object.fromEntries([...argument].map(([name, value]) => [name, editorArgument(value)]));
  }
  return editorPlace(argument);
}

function editorPlace(place: CommandPlace): unknown {
  if (place.kind === 'position') return new vscode.Position(place.line - 1, place.column - 1);
  if (place.kind === 'range') return editorRange(place);
  const uri = vscode.Uri.file(place.path.fsPath);
  return place.kind === 'uri' ? uri : new vscode.Location(uri, editorRange(place.range));
}

function editorRange({ firstLine, firstColumn, lastLine, lastColumn }: TextRange): vscode.Range {
  return new vscode.Range(firstLine - 1, firstColumn - 1, lastLine - 1, lastColumn - 1);
}

function isList(argument: CommandArgument): argument is readonly CommandArgument[] {
  return Array.isArray(argument);
}

function isFields(argument: CommandArgument): argument is ReadonlyMap<string, CommandArgument> {
  return argument instanceof Map;
}
