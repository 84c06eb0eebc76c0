import { parseArgs } from 'node:util';
import type { GuardAction } from './guardCommand.ts';

/** The action that the arguments ask the program for. */
export type Command =
  | { readonly kind: 'relay' | 'doctor'; readonly folder?: string | undefined }
  | { readonly kind: 'guard'; readonly action: GuardAction }
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'mistake'; readonly message: string };

export const usage = `Usage: drawbridge [--folder <path>] [doctor]
       drawbridge guard [off [--hours <number>] | on]

Connects an AI assistant to the editor window that has its folder open. Assistants
start it by themselves: it speaks MCP on standard input and output.

  --folder <path>  Use the window that has this folder open, and no other. Without it:
                   the folders that the assistant names, else the window whose terminal
                   started it, else the window that holds the working directory, else
                   the only window that is open, which asks its user first.
  doctor           Say which windows answer, which one would be used here, and what is
                   wrong. Exit code 0: a window would be used.
  guard            Say whether assistants' own edits are reviewed. "off" ends the review
                   for 1 hour, or for as many as --hours says (at most 8), after you
                   typed a word in the terminal. "on" starts the review again.
  --version        Print the version.
  --help           Print this.

Environment:
  DRAWBRIDGE_HOME    Where Drawbridge keeps its files; ~/.drawbridge when not set.
  DRAWBRIDGE_WINDOW  The window of a terminal; the editor sets it.
`;

/** Reads the arguments of the program. @param args without the runtime and the script */
export function readCommandLine(args: readonly string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        hours: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node's message goes on with advice about arguments that this program does not have.
    return { kind: 'mistake', message: message.replace(/\. .*/s, '.') };
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const { folder, hours } = values;
  if (positionals[0] === 'guard' && folder === undefined) return guardCommand(positionals.slice(1), hours);
  if (hours !== undefined) return { kind: 'mistake', message: '--hours belongs to "guard off".' };
  if (folder === '') return { kind: 'mistake', message: '--folder needs a path.' };
  const [command, ...more] = positionals;
  if (command === undefined) return { kind: 'relay', folder };
  if (command === 'doctor' && more.length === 0) return { kind: 'doctor', folder };
  return { kind: 'mistake', message: `Unknown argument: ${positionals.join(' ')}` };
}

function guardCommand(words: readonly string[], hours: string | undefined): Command {
  const [kind = 'status', ...more] = words;
  if (more.length > 0 || (kind !== 'status' && kind !== 'on' && kind !== 'off')) {
    return { kind: 'mistake', message: `Unknown argument: guard ${words.join(' ')}` };
  }
  if (kind !== 'off') {
    if (hours !== undefined) return { kind: 'mistake', message: '--hours belongs to "guard off".' };
    return { kind: 'guard', action: { kind } };
  }
  const wanted = Number(hours ?? 1);
  if (!(wanted > 0)) return { kind: 'mistake', message: '--hours needs a number above 0.' };
  return { kind: 'guard', action: { kind: 'off', hours: wanted } };
}
