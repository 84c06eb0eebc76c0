import { Emitter } from '#base/event.ts';
import type { Catalog } from '#call/catalog.ts';
import type { Prompt } from '#call/prompt.ts';
import type { Resource } from '#call/resource.ts';
import type { Tool } from '#call/tool.ts';

/** The tools, resources and prompts of a test; none is turned off at first. */
export class FakeCatalog implements Catalog {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly turnedOff = new Set<Tool>();
  version = 1;
  tools: readonly Tool[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];

  constructor(tools: readonly Tool[] = [], resources: readonly Resource[] = [], prompts: readonly Prompt[] = []) {
    this.tools = tools;
    this.resources = resources;
    this.prompts = prompts;
  }

  get offered(): readonly Tool[] {
    return this.tools.filter((tool) => !this.turnedOff.has(tool));
  }

  isTurnedOff(tool: Tool): boolean {
    return this.turnedOff.has(tool);
  }

  turnOff(tool: Tool): void {
    this.turnedOff.add(tool);
    this.changed();
  }

  setTools(tools: readonly Tool[]): void {
    this.tools = tools;
    this.changed();
  }

  changed(): void {
    this.version += 1;
    this.#changed.fire();
  }
}
