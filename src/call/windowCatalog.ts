import { Emitter } from '#base/event.ts';
import type { Mode } from '#policy/rules.ts';
import type { Catalog } from './catalog.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { Tool, ToolSource } from './tool.ts';
import { kindsOf } from './toolKinds.ts';

/** The tools and toolsets that the user turned on or off, by name. A kind of a tool goes before the tool, and the tool before its toolset. */
export type ToolChoices = Readonly<Record<string, boolean>>;

/** Returns true for a tool that is on until the user turns it off. */
export function isOnByItself({ isOptional }: Pick<Tool, 'isOptional'>): boolean {
  return isOptional !== true;
}

export interface WindowCatalogOptions {
  readonly tools: readonly Tool[];
  /** Sources of tools that come and go, listed after the others. Of two tools with the same name, the first one counts. */
  readonly sources: readonly ToolSource[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly choices: () => ToolChoices;
  readonly mode: () => Mode;
  readonly isTrusted: () => boolean;
  /** Returns true when only edits are held back in a workspace that is trusted now. */
  readonly isHeld: () => boolean;
}

/** The catalog of this window, which depends on the tools that the user turned on, the mode and trust. */
export class WindowCatalog implements Catalog {
  readonly #options: WindowCatalogOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #tools: readonly Tool[];
  #offered: readonly Tool[];
  #version = 1;

  constructor(options: WindowCatalogOptions) {
    this.#options = options;
    this.#tools = allTools(options);
    this.#offered = this.#find();
    for (const source of options.sources) {
      source.onDidChange(() => {
        this.#tools = allTools(options);
        this.refresh();
      });
    }
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  get offered(): readonly Tool[] {
    return this.#offered;
  }

  get resources(): readonly Resource[] {
    return this.#options.resources;
  }

  get prompts(): readonly Prompt[] {
    return this.#options.prompts;
  }

  get version(): number {
    return this.#version;
  }

  isTurnedOff(tool: Tool): boolean {
    const choices = this.#options.choices();
    return kindsOf(tool).every(
      (kind) =>
        !(
          choiceOf(choices, kind.name) ??
          choiceOf(choices, kind.kindOf) ??
          choiceOf(choices, kind.toolset) ??
          isOnByItself(kind)
        ),
    );
  }

  /** Updates the catalog after a change of settings, mode or trust. Fires only when the offered tools changed. */
  refresh(): void {
    const offered = this.#find();
    if (offered.length === this.#offered.length && offered.every((tool, at) => tool === this.#offered[at])) return;
    this.#offered = offered;
    this.#version += 1;
    this.#changed.fire();
  }

  #find(): readonly Tool[] {
    const { mode, isTrusted, isHeld } = this.#options;
    const onlyReads = mode() === 'readOnly';
    const trusted = isTrusted();
    const held = isHeld();
    return this.#tools.filter(
      (tool) =>
        !this.isTurnedOff(tool) &&
        !(onlyReads && 'propose' in tool && tool.risk !== 'ui') &&
        (trusted || tool.worksUntrusted === true || (held && tool.risk === 'read')),
    );
  }
}

function allTools({ tools, sources }: WindowCatalogOptions): readonly Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of [...tools, ...sources.flatMap((source) => source.tools)]) {
    if (!byName.has(tool.name)) byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

function choiceOf(choices: ToolChoices, name: string | undefined): boolean | undefined {
  return name !== undefined && Object.hasOwn(choices, name) ? choices[name] : undefined;
}
