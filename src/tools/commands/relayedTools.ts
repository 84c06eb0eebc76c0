import { createHash } from 'node:crypto';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { ToolError } from '#base/toolError.ts';
import { plain, shortened } from '#base/visibleText.ts';
import { inputFromJsonSchema } from '#call/jsonSchemaInput.ts';
import { stateOf, toldOf, type OtherTool, type OtherTools, type ToolPin } from '#call/ports/otherTools.ts';
import type { ProposingTool, Tool, ToolSource } from '#call/tool.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { foreignTool, type DeniedCommand } from './foreignTool.ts';

/** Clients put their name of the server in front, and models accept names of at most 64 characters. */
const longestName = 47;
const prefix = 'relay_';

/**
 * Returns the name under which assistants are offered a tool of another extension. A name that had to be changed ends with a
 * part of its own hash, so that no tool can take the place of one with nearly the same name.
 */
export function relayedName(name: string): string {
  const clean = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (clean === name && prefix.length + name.length <= longestName) return prefix + name;
  const ending = `_${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
  return prefix + clean.slice(0, longestName - prefix.length - ending.length) + ending;
}

/** Returns the definition that rules know a tool by: a tool that changes is another one to them. */
function definitionOf({ name, hash }: OtherTool): string {
  return `${name} ${hash.slice(0, 16)}`;
}

/** Code points of the title of another extension's tool on a card. */
const longestTitle = 100;

const carryingRemark =
  'This tool may run commands or programs: they can reach every file and the network, and Drawbridge neither checks nor undoes what they do.';

/** Returns the tool for a tool of another extension: each call waits for approval, and runs only while the tool is the very same. */
export function relayedTool(other: OtherTool): ProposingTool<unknown, 'otherTools'> {
  const { name, title, inputSchema, provider } = other;
  const told = toldOf(other);
  return foreignTool({
    port: 'otherTools',
    name: relayedName(name),
    title: told.title,
    description: told.description,
    risk: 'execute',
    input: { ...inputFromJsonSchema(inputSchema), jsonSchema: { ...told.inputSchema, type: 'object' } },
    callOf: (input) => ({ definition: definitionOf(other), arguments: input }),
    deniedIn: ({ arguments: input }) => deniedIn(other, input),
    describe: async ({ arguments: input }) => ({
      title: `Use ${provider === 'editor' ? 'the tool' : 'the tool of an extension'}: ${shortened(plain(title), longestTitle)}`,
      arguments: input,
      places: [],
      remarks: [
        ...(provider === 'editor' ? ['VS Code may show its own dialog after this one.'] : []),
        ...(carriesCommands(other) ? [carryingRemark] : []),
      ],
    }),
    confirm(approved, { otherTools }) {
      if (otherTools.all().some((each) => each.name === name && definitionOf(each) === approved)) return;
      throw new ToolError(
        'unavailable',
        'The tool is gone or has changed since it was shown to the user; nothing was done.',
        'List the tools again, or go on without it.',
      );
    },
    async perform({ arguments: input }, { otherTools }, signal) {
      try {
        return await otherTools.invoke(name, input, signal);
      } catch (error) {
        if (signal.aborted || error instanceof ToolError) throw error;
        // The message of another extension's error may tell the model how to call the tool better.
        return { text: error instanceof Error ? error.message : String(error), isError: true };
      }
    },
  });
}

export interface RelayedToolsOptions {
  readonly otherTools: Pick<OtherTools, 'all' | 'watch' | 'onDidChange'>;
  /** Returns the tools that the user turned on. */
  readonly pins: () => readonly ToolPin[];
  readonly onDidChangePins: Event<void>;
  /** Called once for each change that makes a tool another one, which is then no longer offered. */
  readonly onStale: (tool: OtherTool) => void;
}

/**
 * The tools of other extensions that assistants are offered: only tools that the user turned on, one by one, and only while
 * their name, title, description and schema are as they were then (threat row A9).
 */
export class RelayedTools implements ToolSource, Subscription {
  readonly #options: RelayedToolsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly Subscription[];
  /** The tools by hash, so that a tool that stays the same stays the same object. */
  #made: ReadonlyMap<string, Tool> = new Map();
  readonly #told = new Set<string>();
  #watching: Subscription | undefined;
  #tools: readonly Tool[] = [];

  constructor(options: RelayedToolsOptions) {
    this.#options = options;
    const { otherTools, onDidChangePins } = options;
    this.#subscriptions = [onDidChangePins(() => this.#look()), otherTools.onDidChange(() => this.#look())];
    this.#look();
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  dispose(): void {
    this.#watching?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #look(): void {
    const { otherTools, pins, onStale } = this.#options;
    const pinned = pins();
    this.#watch(pinned.length > 0);
    const others = pinned.length === 0 ? [] : otherTools.all();
    const offered = others.filter((other) => stateOf(other, pinned) === 'on');
    for (const other of others.filter((each) => stateOf(each, pinned) === 'changed' && !this.#told.has(each.hash))) {
      this.#told.add(other.hash);
      onStale(other);
    }
    const made = new Map(offered.map((other) => [other.hash, this.#made.get(other.hash) ?? relayedTool(other)]));
    this.#made = made;
    const tools = [...made.values()];
    if (tools.length === this.#tools.length && tools.every((tool, at) => tool === this.#tools[at])) return;
    this.#tools = tools;
    this.#changed.fire();
  }

  /** The editor is asked for changes only while a tool is turned on. */
  #watch(isNeeded: boolean): void {
    if (isNeeded) this.#watching ??= this.#options.otherTools.watch();
    else {
      this.#watching?.dispose();
      this.#watching = undefined;
    }
  }
}

const carryingWords =
  /^(?:bash|cmd|commands?|eval|exec|execut(?:e|able)|install|powershell|process|program|run|scripts?|shell|subagent|tasks?|terminal)$/;

/** The most names of arguments that are looked at. */
const mostNames = 1000;

/** Says whether a tool seems to run commands, programs or other tools, by its name and the names of its arguments. */
function carriesCommands({ name, inputSchema }: Pick<OtherTool, 'name' | 'inputSchema'>): boolean {
  const { properties } = inputSchema;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  // A tool with more arguments than a person could look at may take a command in any of them.
  return names.length > mostNames || [name, ...names].flatMap(wordsOf).some((word) => carryingWords.test(word));
}

/**
 * Returns the first command in the arguments of another extension's tool that no assistant may run, whatever tool runs it
 * (threat row A2): a text that is the id of a command, where the argument or the tool is about commands, or a `command:` URI.
 */
function deniedIn({ name }: Pick<OtherTool, 'name'>, input: unknown): DeniedCommand | undefined {
  for (const command of commandsIn(input, /command/i.test(name))) {
    const why = deniedCommand(command);
    if (why !== undefined) return { command, why };
  }
  return undefined;
}

function commandsIn(value: unknown, isAboutCommands: boolean): readonly string[] {
  if (typeof value === 'string') {
    // Only commands and settings of Drawbridge begin with `drawbridge.`.
    const id = /^[\w-]+(?:\.[\w-]+)+$/.exec(value.trim())?.[0];
    const isId = id !== undefined && (isAboutCommands || /^_*drawbridge\./i.test(id));
    const links = value.replaceAll(/%2e/gi, '.').matchAll(/\bcommand:([\w-]+(?:\.[\w-]+)+)/gi);
    return [...(isId ? [id] : []), ...Array.from(links, ([, named = '']) => named)];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => commandsIn(each, isAboutCommands || /command/i.test(key)));
}

/** Returns the words of a name: `runInTerminal`, `run_in_terminal` and `run-in-terminal` have the same three. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
