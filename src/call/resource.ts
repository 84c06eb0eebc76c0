import type { Event, Subscription } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { Workspace } from '#base/workspace.ts';
import type { FileChanges } from '#files/fileChanges.ts';
import type { Diagnostics } from '#language/diagnostics.ts';
import type { Completion } from './completion.ts';
import type { Editors } from './ports/editors.ts';
import type { ToolContext, ToolPorts } from './tool.ts';

/** What an address holds. */
export type ResourceData = {
  readonly mimeType: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
} & ({ readonly text: string } | { /** Base64. */ readonly blob: string });

/** Values of a template's variables, by name; none for a fixed address. */
export type Variables = { readonly [name: string]: string };

/** What a resource can listen to in order to know that it holds something else. */
export interface ChangeSources {
  readonly diagnostics: Diagnostics;
  readonly editors: Editors;
  readonly fileChanges: FileChanges;
  readonly workspace: Workspace;
  /** Changes that assistants made were applied or reverted. */
  readonly onDidChangeChanges: Event<void>;
  readonly onDidChangeMode: Event<void>;
}

/** An address, or a family of them, that can be listed, read and watched. Reading it is a call like any other. */
export interface Resource<Needs extends keyof ToolPorts = keyof ToolPorts> {
  /** A URI, or an RFC 6570 template. */
  readonly address: { readonly uri: string } | { readonly uriTemplate: string };
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absent when it differs from address to address. */
  readonly mimeType?: string;
  /** The tool whose rules are this one's. */
  readonly judgedAs: string;
  readonly worksWithoutFolder?: boolean;
  readonly worksUntrusted?: boolean;
  readonly needs: readonly Needs[];
  /** Of the variables of a template. */
  readonly completions?: Readonly<Record<string, Completion>>;
  /** The values of its variables; undefined when the address is none of its own. */
  match(uri: string): Variables | undefined;
  /** The addresses of files in it, so that the policy can judge them. */
  targets(variables: Variables): readonly string[];
  /** Throws ToolError. */
  read(variables: Variables, context: ToolContext<Needs>, signal: AbortSignal): Promise<ResourceData>;
  /** Calls back whenever it may hold something else, until disposed. */
  watch(sources: ChangeSources, targets: readonly ResolvedPath[], changed: () => void): Subscription;
}

/** Identity, for inference. */
export function defineResource<const Needs extends keyof ToolPorts>(resource: Resource<Needs>): Resource<Needs> {
  return resource;
}
