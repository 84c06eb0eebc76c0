import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { stateOf, type OtherTool, type OtherTools, type ToolPin } from '#call/ports/otherTools.ts';
import type { Tool, ToolSource } from '#call/tool.ts';
import { relayedTool } from './relayedTool.ts';

export interface RelayedToolsOptions {
  readonly otherTools: Pick<OtherTools, 'all' | 'watch' | 'onDidChange'>;
  /** What the user let be offered. */
  readonly pins: () => readonly ToolPin[];
  readonly onDidChangePins: Event<void>;
  /** A tool is offered no longer because it is another one now; told once for each change. */
  readonly onStale: (tool: OtherTool) => void;
}

/**
 * Tools of other extensions that assistants are offered: only those that the user chose, one by one, and only while their
 * name, description and schema are what they were then (threat row A9).
 */
export class RelayedTools implements ToolSource, Subscription {
  readonly #options: RelayedToolsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly Subscription[];
  /** By hash, so that a tool that stays the same stays the same object. */
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

  /** Nobody pays for looking while nothing is chosen. */
  #watch(isNeeded: boolean): void {
    if (isNeeded) this.#watching ??= this.#options.otherTools.watch();
    else {
      this.#watching?.dispose();
      this.#watching = undefined;
    }
  }
}
