/** Recognises the assistant whose command started this program, by the programs above it and by its environment. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A program above this one. */
export interface Ancestor {
  /** The name that the system shows, which a program may have set. */
  readonly name: string;
  /** The arguments, the program itself first. */
  readonly words: readonly string[];
}

interface KnownAssistant {
  readonly name: string;
  /** Names of its programs, without an ending. */
  readonly programs: readonly string[];
  /** Folders of its npm packages, for a program that a runtime runs. */
  readonly packages?: readonly string[];
  /** Environment variables that it sets for its commands. `name*` stands for every variable that begins with `name`. */
  readonly variables: readonly string[];
}

/** Unless a comment names another source, the programs are those in `bin` of the npm package, or those that the installer creates. */
const assistants: readonly KnownAssistant[] = [
  {
    // Read in the package of 2.1.329: CLAUDECODE is "1" in its commands and hooks.
    name: 'Claude Code',
    programs: ['claude'],
    packages: ['@anthropic-ai/claude-code', '@anthropic-ai/claude-agent-sdk'],
    variables: ['CLAUDECODE', 'CLAUDE_CODE'],
  },
  {
    // std-env 4 (github.com/unjs/std-env) and the AWS CDK (packages/aws-cdk/lib/cli/util/detect-agent.ts).
    name: 'Codex',
    programs: ['codex'],
    packages: ['@openai/codex'],
    variables: ['CODEX_SANDBOX*', 'CODEX_THREAD_ID', 'CODEX_CI'],
  },
  {
    // packages/core/src/services/shellExecutionService.ts of Gemini CLI; Qwen Code is a fork of it.
    name: 'Gemini CLI',
    programs: ['gemini'],
    packages: ['@google/gemini-cli'],
    variables: ['GEMINI_CLI'],
  },
  { name: 'Qwen Code', programs: ['qwen'], packages: ['@qwen-code/qwen-code'], variables: ['QWEN_CODE'] },
  {
    // The CLI, and the agent of VS Code, which sets AI_AGENT too (@vercel/detect-agent).
    name: 'Copilot',
    programs: ['copilot'],
    packages: ['@github/copilot'],
    variables: ['COPILOT_AGENT*', 'COPILOT_CLI'],
  },
  // Read in the package of 1.18.33.
  { name: 'opencode', programs: ['opencode'], packages: ['opencode-ai'], variables: ['OPENCODE', 'OPENCODE_CLIENT'] },
  // cursor.com/docs: the agent sets it in its terminals.
  { name: 'Cursor', programs: ['cursor-agent'], variables: ['CURSOR_AGENT'] },
  // docs.cline.bot and the AWS CDK.
  { name: 'Cline', programs: ['cline'], packages: ['cline'], variables: ['CLINE_ACTIVE'] },
  // crates/goose-mcp of github.com/block/goose.
  { name: 'Goose', programs: ['goose', 'goosed'], variables: ['GOOSE_TERMINAL'] },
  // std-env and @vercel/detect-agent.
  { name: 'Auggie', programs: ['auggie'], packages: ['@augmentcode/auggie'], variables: ['AUGMENT_AGENT'] },
  // PHPStan (src/Internal/AgentDetector.php) and ampcode.com.
  { name: 'Amp', programs: ['amp'], packages: ['@sourcegraph/amp'], variables: ['AMP_CURRENT_THREAD_ID'] },
  // std-env.
  { name: 'Junie', programs: ['junie'], variables: ['JUNIE_DATA', 'JUNIE_SHIM_PATH'] },
  { name: 'Droid', programs: ['droid'], variables: [] },
  { name: 'Kiro', programs: ['kiro-cli', 'kiro-cli-chat'], variables: [] },
  { name: 'Aider', programs: ['aider'], variables: [] },
  // The variable that assistants share, as @vercel/detect-agent proposes it; Goose and Amp set AGENT.
  { name: 'an assistant', programs: [], variables: ['AI_AGENT', 'AGENT'] },
];

/** Returns the name of the assistant that started this program; undefined when there is no sign of one. */
export function callingAssistant(
  ancestors: readonly Ancestor[],
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const set = Object.keys(environment).filter((name) => (environment[name] ?? '') !== '');
  return assistants.find(
    ({ programs, packages = [], variables }) =>
      variables.some((variable) => set.some((name) => isNamed(name, variable))) ||
      ancestors.some((ancestor) => isProgram(ancestor, programs) || isOfPackage(ancestor, packages)),
  )?.name;
}

function isNamed(name: string, variable: string): boolean {
  return variable.endsWith('*') ? name.startsWith(variable.slice(0, -1)) : name === variable;
}

/** A runtime has the script that it runs among its first arguments. */
const mostWords = 4;

function isProgram({ name, words }: Ancestor, programs: readonly string[]): boolean {
  return [name, ...words.slice(0, mostWords)].some((word) => programs.includes(programName(word)));
}

function isOfPackage({ words }: Ancestor, packages: readonly string[]): boolean {
  const paths = words.slice(0, mostWords).map((word) => word.replaceAll('\\', '/'));
  return paths.some((path) => packages.some((folder) => path.includes(`/node_modules/${folder}/`)));
}

/** Returns the last part of a path, without the ending of a program. */
function programName(word: string): string {
  return (/[^\\/]*$/.exec(word)?.[0] ?? '').toLowerCase().replace(/\.(?:exe|cmd|js|mjs|cjs)$/, '');
}

/** The number of ancestors to read at most. */
const mostAncestors = 100;

/**
 * Returns the programs above this one, the nearest first; none on Windows, where only the environment counts.
 * @throws Error on macOS when the list of programs cannot be read
 */
export function ancestorsOfThis(platform: NodeJS.Platform = process.platform): readonly Ancestor[] {
  if (platform === 'win32') return [];
  const parentOf = platform === 'linux' ? readProcess : listedProcesses();
  const found: Ancestor[] = [];
  let pid = process.ppid;
  while (pid > 0 && found.length < mostAncestors) {
    const next = parentOf(pid);
    if (next === undefined) break;
    found.push(next);
    pid = next.parent;
  }
  return found;
}

interface Process extends Ancestor {
  readonly parent: number;
}

/** Reads a program of Linux, as in proc(5). Its name stands in brackets and may hold brackets. */
function readProcess(pid: number): Process | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = line.lastIndexOf(')');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { name: line.slice(line.indexOf('(') + 1, end), words, parent: Number(line.slice(end + 2).split(' ')[1]) };
  } catch {
    return undefined;
  }
}

/** Reads the programs of macOS, where no file shows them. */
function listedProcesses(): (pid: number) => Process | undefined {
  const list = execFileSync('/bin/ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], {
    encoding: 'utf8',
    timeout: 5000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const processes = new Map<number, Process>();
  for (const line of list.split('\n')) {
    const [, pid, parent, command = ''] = /^ *(\d+) +(\d+) +(.*)$/.exec(line) ?? [];
    const words = command.split(' ');
    if (pid !== undefined) processes.set(Number(pid), { name: words[0] ?? '', words, parent: Number(parent) });
  }
  return (pid) => processes.get(pid);
}
