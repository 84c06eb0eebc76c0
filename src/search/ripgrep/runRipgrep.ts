import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';

/** One call of ripgrep. */
export interface Run {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly workingDirectory: string;
  /** Text on the standard input, searched instead of files. */
  readonly input?: string;
}

/** Characters of error output that are kept. */
const maximumErrorText = 8_192;

/**
 * Runs ripgrep and yields its output in pieces of any size. The process has ended when the iteration ends, also after an error or an
 * early return.
 * @throws InvalidArgumentsError for a pattern or glob that ripgrep refuses; ToolError `unavailable` when ripgrep cannot run
 */
export async function* outputOf(run: Run, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const child = spawn(run.program, run.arguments, {
    cwd: run.workingDirectory,
    shell: false,
    windowsHide: true,
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const ended = endOf(child);
  // The promise is awaited below, but may reject before that.
  ended.catch(() => undefined);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const errorText = collect(child);
    feed(child, run.input);
    if (child.stdout !== null) {
      child.stdout.setEncoding('utf8');
      for await (const piece of child.stdout) yield String(piece);
    }
    const code = await ended;
    signal.throwIfAborted();
    const problem = errorText();
    // With --no-messages, an unreadable file also leads to exit code 2, but without error output.
    if (code !== 0 && code !== 1 && (problem !== '' || code !== 2)) throw explain(problem);
  } finally {
    signal.removeEventListener('abort', kill);
    if (child.exitCode === null && child.signalCode === null) kill();
    await ended.catch(() => undefined);
  }
}

/** Resolves with the exit code once all streams are closed, or with null when the process was killed. */
async function endOf(child: ChildProcess): Promise<number | null> {
  try {
    const [code] = await once(child, 'close');
    return typeof code === 'number' ? code : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolError(
      'unavailable',
      `ripgrep could not be started: ${reason}`,
      'Ask the user to restart the editor.',
    );
  }
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (piece: string) => {
    if (text.length < maximumErrorText) text += piece;
  });
  return () => text.slice(0, maximumErrorText).trim();
}

function feed(child: ChildProcess, input: string | undefined): void {
  if (input === undefined || child.stdin === null) return;
  // ripgrep may end before it has read all input, which makes the write fail.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
}

const supported =
  'The syntax is that of the Rust regex crate: look-around and backreferences are not supported; set isRegex to false to search for the text itself.';

/** Turns the error output of ripgrep into an error that the assistant can act on. */
function explain(errorText: string): Error {
  const text = errorText.replace(/^rg: /gm, '');
  if (/regex (parse error|could not be compiled)|error parsing regex|exceeds size limit/i.test(text)) {
    const reason = /^error: (.+)$/m.exec(text)?.[1] ?? text.split('\n')[0] ?? '';
    return new InvalidArgumentsError(`query is not a valid regular expression: ${sentence(reason)} ${supported}`);
  }
  if (/the literal .* is not allowed in a regex/i.test(text)) {
    return new InvalidArgumentsError('query spans lines: set multiline to true.');
  }
  if (/pattern contains .* impossible to match/i.test(text)) {
    return new InvalidArgumentsError('query can match no text: no line of a text file holds that character.');
  }
  const glob = /error parsing glob '(.*?)': (.+)/.exec(text) ?? /glob.*?'(.*?)'.*?: (.+)/i.exec(text);
  if (glob !== null) {
    return new InvalidArgumentsError(
      `${JSON.stringify((glob[1] ?? '').replace(/^!?(\*\*\/|\/)?/, ''))} is not a valid glob: ${sentence(glob[2] ?? '')}`,
    );
  }
  const first = text.split('\n')[0] ?? '';
  return new ToolError('unavailable', `ripgrep failed: ${sentence(first)}`, 'Try a simpler search, or tell the user.');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
