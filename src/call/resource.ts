import type { Event, Subscription } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { Workspace } from '#base/workspace.ts';
import type { FileChanges } from '#files/fileChanges.ts';
import type { Diagnostics } from '#language/diagnostics.ts';
import type { Completion } from './completion.ts';
import type { Editors } from './ports/editors.ts';
import type { ToolContext, ToolPorts } from './tool.ts';

/** The content of a resource. */
export type ResourceData = {
  readonly mimeType: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
} & ({ readonly text: string } | { /** Base64. */ readonly blob: string });

/** The values of the variables of a URI template, by name; empty for a fixed URI. */
export type Variables = { readonly [name: string]: string };

/** The events by which a resource knows that its content may have changed. */
export interface ChangeSources {
  readonly diagnostics: Diagnostics;
  readonly editors: Editors;
  readonly fileChanges: FileChanges;
  readonly workspace: Workspace;
  /** Fires when changes of assistants were applied or undone. */
  readonly onDidChangeChanges: Event<void>;
  readonly onDidChangeMode: Event<void>;
}

/** A resource, or a template of resources, that clients can list, read and watch. A read is judged and recorded as a call. */
export interface Resource<Needs extends keyof ToolPorts = keyof ToolPorts> {
  /** A URI, or an RFC 6570 template. */
  readonly address: { readonly uri: string } | { readonly uriTemplate: string };
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absent when it differs between the resources of a template. */
  readonly mimeType?: string;
  /** The name of the tool whose rules apply. */
  readonly judgedAs: string;
  readonly worksWithoutFolder?: boolean;
  readonly worksUntrusted?: boolean;
  readonly needs: readonly Needs[];
  /** Completions for the variables of the template, by name. */
  readonly completions?: Readonly<Record<string, Completion>>;
  /** Returns the values of the variables; undefined when the URI is not of this resource. */
  match(uri: string): Variables | undefined;
  /** Returns the addresses of files that the resource shows, for the policy. */
  targets(variables: Variables): readonly string[];
  /** @throws ToolError */
  read(variables: Variables, context: ToolContext<Needs>, signal: AbortSignal): Promise<ResourceData>;
  /** Calls `changed` whenever the content may have changed, until disposed. */
  watch(sources: ChangeSources, targets: readonly ResolvedPath[], changed: () => void): Subscription;
}

/** Returns the resource unchanged; it infers the type of `needs`. */
export function defineResource<const Needs extends keyof ToolPorts>(resource: Resource<Needs>): Resource<Needs> {
  return resource;
}
