import * as z from 'zod';
import type { Event } from '#base/event.ts';
import type { FileRef, Files, Purpose, ResolvedPath } from '#base/files.ts';
import type { Language } from '#base/language.ts';
import type { Media } from '#base/media.ts';
import type { Principal } from '#base/principal.ts';
import type { ActionProposal, Proposal } from '#base/proposal.ts';
import { type ActionResult, InvalidArgumentsError, type Log, type Risk, type Toolset } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { ChangeOutcome, Tickets } from '#changes/approver.ts';
import type { Changes } from '#changes/changes.ts';
import type { SourceControl } from '#changes/sourceControl.ts';
import type { Diagnostics } from '#language/diagnostics.ts';
import type { Imports } from '#language/imports.ts';
import type { LanguageDetails } from '#language/languageDetails.ts';
import type { Refactorings } from '#language/refactorings.ts';
import type { Symbols } from '#language/symbols.ts';
import type { Mode } from '#policy/rules.ts';
import type { Search } from '#search/search.ts';
import type { Commands } from './ports/commands.ts';
import type { EditorActions } from './ports/editorActions.ts';
import type { EditorState } from './ports/editorState.ts';
import type { Editors } from './ports/editors.ts';
import type { LineMarks } from './ports/lineMarks.ts';
import type { MarkedContext } from './ports/markedContext.ts';
import type { OtherTools } from './ports/otherTools.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** Where arguments become trusted. `parse` throws InvalidArgumentsError. */
export interface InputSchema<Input> {
  readonly jsonSchema: JsonSchema;
  parse(value: unknown): Input;
}

/** What a tool's data looks like in `structuredContent`. `check` throws when the data is not of that shape (our bug). */
export interface OutputSchema<Output> {
  readonly jsonSchema: JsonSchema;
  check(value: Output): void;
}

/** Every port a tool may ask for in `needs`, by the name it is handed under. */
export interface ToolPorts {
  readonly changes: Changes;
  readonly commands: Commands;
  readonly diagnostics: Diagnostics;
  readonly editorActions: EditorActions;
  readonly editors: Editors;
  readonly editorState: EditorState;
  readonly files: Files;
  readonly imports: Imports;
  readonly language: Language;
  readonly languageDetails: LanguageDetails;
  readonly lineMarks: LineMarks;
  readonly markedContext: MarkedContext;
  readonly otherTools: OtherTools;
  readonly refactorings: Refactorings;
  readonly search: Search;
  readonly sourceControl: SourceControl;
  readonly symbols: Symbols;
  readonly tickets: Tickets;
  readonly workspace: Workspace;
}

/** How much of a long answer one result may carry; from the client's profile and the user's settings. */
export interface PageLimits {
  /** Bytes of a list or search page as the model sees it; undefined means no limit. */
  readonly listBytes: number | undefined;
  /** Bytes of a read as the model sees it. */
  readonly readBytes: number;
  /** The one form that reaches the model; without it the longer of the two counts. */
  readonly form?: 'text' | 'data' | undefined;
  /** Items of a list when the caller names no number. */
  readonly maxResults: number;
}

export type ToolContext<Needs extends keyof ToolPorts = keyof ToolPorts> = Pick<ToolPorts, Needs> & {
  /** Who calls. */
  readonly principal: Principal;
  /** What `targets` named, resolved and admitted by the policy, in the same order. */
  readonly targets: readonly ResolvedPath[];
  /**
   * Resolves and judges one more address of the input (for tools that answer each address apart), for the purpose of the tool
   * unless said otherwise. Throws ToolError.
   */
  readonly resolve: (address: string, purpose?: Purpose) => Promise<ResolvedPath>;
  /** The path of an open folder, judged as `resolve` does and not looked up: where it lies is known. Throws ToolError. */
  readonly folderPath: (folder: WorkspaceFolder) => Promise<string>;
  /** All that the roots of the client leave of the workspace to it; absent when that is all of it. */
  readonly parts?: readonly FileRef[];
  readonly limits: PageLimits;
  /** Of the window, as the call began. */
  readonly mode: Mode;
  /** Says how far the work is; sent to the client at most once a second. */
  readonly report: (message: string) => void;
  /** An image or a sound that goes with the result: far too large for the data. */
  readonly attach: (media: Media) => void;
  /** A remark for the client's log; sent when the client asked for messages of that level. */
  readonly log: Log;
  /** What the client answered when the tool threw InputRequiredError before. */
  readonly clientInput: ClientInput;
};

/** What a client is asked for in the middle of a call; MCP 2026-07-28, "Multi round-trip requests". */
export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface ClientInput {
  /** By the names of the requests; not checked. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** What the tool remembered; proved to be its own. */
  readonly state?: string;
  /** What the client can be asked for, if anything; a request of another kind ends the call. */
  readonly supported?: readonly ClientRequest['method'][];
}

/** Thrown by a tool that needs something of the client first; the call is made again with the answers. */
export class InputRequiredError extends Error {
  override readonly name = 'InputRequiredError';
  readonly requests: Readonly<Record<string, ClientRequest>>;
  readonly state: string | undefined;

  constructor(requests: Readonly<Record<string, ClientRequest>>, state?: string) {
    super('The client is asked for more');
    this.requests = requests;
    this.state = state;
  }
}

export type { Media };

export interface EmbeddedText extends FileRef {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
}

export interface EmbeddedBlob extends FileRef {
  /** Base64. */
  readonly blob: string;
  readonly modified?: number;
}

export interface LinkedFile extends FileRef {
  /** Why the file is linked, for example "3 matches". */
  readonly description?: string;
  readonly size?: number;
  readonly modified?: number;
}

/** What `resources/read` answers at most; no result links to a file that is larger. */
export const maximumResourceBytes = { text: 2 * 1024 * 1024, binary: 1024 * 1024 } as const;

/** How data reads as text, and which files it came from or leads to. */
export interface Rendering {
  /** Complete by itself. A long one may be a getter: a client that takes structured content alone never asks for it. */
  readonly text: string;
  readonly links?: readonly LinkedFile[];
  readonly embedded?: readonly (EmbeddedText | EmbeddedBlob)[];
  readonly media?: readonly Media[];
}

interface ToolBase<Input, Output> {
  /** `verb_noun`, unique. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the README's table, where the first one of the description is of use to models alone. */
  readonly summary?: string;
  readonly description: string;
  readonly toolset: Toolset;
  readonly risk: Risk;
  readonly input: InputSchema<Input>;
  readonly output: OutputSchema<Output>;
  /** The tool of the list whose rules are this one's; its own name unless said. */
  readonly judgedAs?: string;
  /** The name of the tool of which this is one kind; rules and settings that name that tool count for each of its kinds. */
  readonly kindOf?: string;
  /** Off until the user turns the tool or its toolset on. */
  readonly isOptional?: true;
  /** Answers without any folder open. */
  readonly worksWithoutFolder?: boolean;
  /** Works in a workspace that its user has not trusted. */
  readonly worksUntrusted?: boolean;
  /** Seconds after which the call ends with `timeout`; 10 unless said. Waiting for a human does not count. */
  readonly timeLimitSeconds?: number;
  /** The addresses in the input, so that the policy can judge them before anything runs. */
  targets(input: Input): readonly string[];
  render(data: Output): Rendering;
}

/** A tool that only looks. */
export interface ReadingTool<Input, Output, Needs extends keyof ToolPorts> extends ToolBase<Input, Output> {
  readonly needs: readonly Needs[];
  /**
   * The names under which rules, settings and the record know the kinds of this tool, by the value of its input field `kind`;
   * absent for a tool of one kind.
   */
  readonly namesByKind?: Readonly<Record<string, string>>;
  run(input: Input, context: ToolContext<Needs>, signal: AbortSignal): Promise<Output>;
}

/** A tool that changes something: it says what, the pipeline asks and applies. */
export interface ProposingTool<Input, Needs extends keyof ToolPorts> extends ToolBase<Input, ChangeOutcome> {
  readonly needs: readonly Needs[];
  /** The assistant's reason, shown to the human as a quotation. */
  reason(input: Input): string | undefined;
  /** The approval of the same caller whose place this one takes. */
  replaces?(input: Input): string | undefined;
  /** Without effects, so that it may be called again. */
  propose(input: Input, context: ToolContext<Needs>, signal: AbortSignal): Promise<Proposal>;
  /**
   * Does what was approved of an `action`, once; `proposal` may be of before a reload. The ports are as the pipeline has them:
   * what may be done was decided already, save that the tool itself looks whether `definition` still is what it stands for
   * (threat row A9). Ten minutes at most; the signal is aborted when nobody waits any more.
   * @throws ToolError when it could not be done, or only in part
   */
  act?(proposal: ActionProposal, ports: Pick<ToolPorts, Needs>, signal: AbortSignal): Promise<ActionResult>;
}

/** Any tool: its methods are bivariant, so a list of tools needs no `any`. */
export type Tool = ReadingTool<unknown, unknown, keyof ToolPorts> | ProposingTool<unknown, keyof ToolPorts>;

/** Identity, for inference. */
export function defineTool<Input, Output, const Needs extends keyof ToolPorts>(
  tool: ReadingTool<Input, Output, Needs>,
): ReadingTool<Input, Output, Needs> {
  return tool;
}

/** Identity, for inference. */
export function defineProposingTool<Input, const Needs extends keyof ToolPorts>(
  tool: ProposingTool<Input, Needs>,
): ProposingTool<Input, Needs> {
  return tool;
}

/** Tools that come and go: the user's own, and those of other extensions. */
export interface ToolSource {
  /** The same array until it changes. */
  readonly tools: readonly Tool[];
  readonly onDidChange: Event<void>;
}

/** The tools there are. */
export interface ToolCatalog {
  readonly tools: readonly Tool[];
}

/** An input schema from a strict zod object. */
export function inputFromZod<Input>(schema: z.ZodType<Input>): InputSchema<Input> {
  return {
    jsonSchema: publicSchema(schema, 'input'),
    parse(value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw new InvalidArgumentsError(describeIssues(parsed.error));
      return parsed.data;
    },
  };
}

/** An output schema from a zod object. */
export function outputFromZod<Output>(schema: z.ZodType<Output>): OutputSchema<Output> {
  return {
    jsonSchema: publicSchema(schema, 'output'),
    check(value) {
      checkOutput(schema, value);
    },
  };
}

function publicSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    ...(io === 'input' && { override: ({ jsonSchema }) => leaveOutTheObvious(jsonSchema) }),
  });
  return rest;
}

/** What no model needs to be told costs each of them tokens; who breaks it is told by the refusal. */
function leaveOutTheObvious(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.default === false) delete schema.default;
}

function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ');
}

/**
 * Whether data is exactly what a schema says, unknown fields included: the listed schema allows none, and clients that check
 * refuse the whole result.
 * @throws Error that names the place, and nothing of what is there
 */
export function checkOutput(schema: z.ZodType, data: unknown): void {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new Error(`The output is not of its schema: ${places(parsed.error)}`);
  const unknown = unknownField(data, parsed.data, '');
  if (unknown !== undefined) throw new Error(`The output has a field that its schema does not know: ${unknown}`);
}

function places(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/** What a schema does not know, parsing leaves out. */
function unknownField(data: unknown, parsed: unknown, path: string): string | undefined {
  if (!isContainer(data) || !isContainer(parsed) || data === parsed) return undefined;
  for (const [name, field] of Object.entries(data)) {
    const place = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(parsed, name)) return place;
    const below = unknownField(field, parsed[name], place);
    if (below !== undefined) return below;
  }
  return undefined;
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
