import * as z from 'zod';
import type { Event } from '#base/event.ts';
import type { FileRef, Files, Purpose, ResolvedPath } from '#base/files.ts';
import type { Language } from '#base/language.ts';
import type { Media } from '#base/media.ts';
import type { Principal } from '#base/principal.ts';
import type { ActionProposal, Proposal } from '#base/proposal.ts';
import type { Syntax } from '#base/syntaxTree.ts';
import { type ActionResult, InvalidArgumentsError, type Log, type Risk, type Toolset } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { ChangeOutcome, Tickets } from '#changes/approver.ts';
import type { Changes } from '#changes/changes.ts';
import type { SourceControl } from '#changes/sourceControl.ts';
import type { Diagnostics } from '#language/diagnostics.ts';
import type { ImageScaler } from '#files/imageScaler.ts';
import type { Imports } from '#language/imports.ts';
import type { LanguageDetails } from '#language/languageDetails.ts';
import type { Refactorings } from '#language/refactorings.ts';
import type { Symbols } from '#language/symbols.ts';
import type { Mode } from '#policy/rules.ts';
import type { Search } from '#search/search.ts';
import { problemsInWords } from './argumentWords.ts';
import type { CommandLines } from './ports/commandLines.ts';
import type { Commands } from './ports/commands.ts';
import type { EditorActions } from './ports/editorActions.ts';
import type { EditorState } from './ports/editorState.ts';
import type { Editors } from './ports/editors.ts';
import type { LineMarks } from './ports/lineMarks.ts';
import type { MarkedContext } from './ports/markedContext.ts';
import type { OtherTools } from './ports/otherTools.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** The input schema of a tool. */
export interface InputSchema<Input> {
  readonly jsonSchema: JsonSchema;
  /** The schema comes from an extension or the user, so its arguments are passed on as they came. */
  readonly isForeign?: true;
  /**
   * Returns the validated arguments.
   * @throws InvalidArgumentsError
   */
  parse(value: unknown): Input;
}

/** The schema of the data of a tool in `structuredContent`. */
export interface OutputSchema<Output> {
  readonly jsonSchema: JsonSchema;
  /** @throws Error when the data does not match the schema, which is a bug of ours */
  check(value: Output): void;
}

/** The ports that a tool may name in `needs`. */
export interface ToolPorts {
  readonly changes: Changes;
  readonly commandLines: CommandLines;
  readonly commands: Commands;
  readonly diagnostics: Diagnostics;
  readonly editorActions: EditorActions;
  readonly editors: Editors;
  readonly editorState: EditorState;
  readonly files: Files;
  readonly images: ImageScaler;
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
  readonly syntax: Syntax;
  readonly tickets: Tickets;
  readonly workspace: Workspace;
}

/** Limits on one result, from the profile of the client and the settings of the user. */
export interface PageLimits {
  /** Bytes of a list or search page as the model sees it; undefined means no limit. */
  readonly listBytes: number | undefined;
  /** Bytes of a read as the model sees it. */
  readonly readBytes: number;
  /** The form that reaches the model; absent when it may be either, and then the longer one counts. */
  readonly form?: 'text' | 'data' | undefined;
  /** Maximum number of items of a list when the caller gives none. */
  readonly maxResults: number;
}

export type ToolContext<Needs extends keyof ToolPorts = keyof ToolPorts> = Pick<ToolPorts, Needs> & {
  /** The caller. */
  readonly principal: Principal;
  /** The addresses of `targets`, resolved and admitted by the policy, in the same order. */
  readonly targets: readonly ResolvedPath[];
  /**
   * Resolves and judges another address of the input, for tools that answer each address separately. The purpose is that of the tool
   * unless given.
   * @throws ToolError
   */
  readonly resolve: (address: string, purpose?: Purpose) => Promise<ResolvedPath>;
  /**
   * Returns the path of a workspace folder, judged as in `resolve` but without a look at the disk.
   * @throws ToolError
   */
  readonly folderPath: (folder: WorkspaceFolder) => Promise<string>;
  /** Returns the error of a missing path with the nearest paths that exist and that the caller may see; other errors unchanged. */
  readonly withNearestPaths: (error: unknown, signal: AbortSignal) => Promise<unknown>;
  /** The parts of the workspace that the roots of the client select; absent for the whole workspace. */
  readonly parts?: readonly FileRef[];
  readonly limits: PageLimits;
  /** The mode of the window when the call began. */
  readonly mode: Mode;
  /** Reports progress, which the client gets at most once a second. */
  readonly report: (message: string) => void;
  /** Adds an image or a sound to the result, beside its data. */
  readonly attach: (media: Media) => void;
  /** Sends a message to the log of the client, when the client asked for messages of that level. */
  readonly log: Log;
  /** The answers of the client after the tool threw InputRequiredError. */
  readonly clientInput: ClientInput;
};

/** A request to the client in the middle of a call (MCP 2026-07-28, "Multi round-trip requests"). */
export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The answers of the client to {@link ClientRequest}s. */
export interface ClientInput {
  /** Unchecked answers by the names of the requests. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** The state that the tool passed to InputRequiredError, with a verified signature. */
  readonly state?: string;
  /** The requests that the client supports. A request of another kind ends the call. */
  readonly supported?: readonly ClientRequest['method'][];
}

/** Thrown by a tool that needs answers of the client first. The client then repeats the call with the answers. */
export class InputRequiredError extends Error {
  override readonly name = 'InputRequiredError';
  readonly requests: Readonly<Record<string, ClientRequest>>;
  readonly state: string | undefined;

  constructor(requests: Readonly<Record<string, ClientRequest>>, state?: string) {
    super('The client must answer requests first');
    this.requests = requests;
    this.state = state;
  }
}

export type { Media };

/** A text file with its content, as a part of a result. */
export interface EmbeddedText extends FileRef {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
}

/** A binary file with its content, as a part of a result. */
export interface EmbeddedBlob extends FileRef {
  /** Base64. */
  readonly blob: string;
  readonly modified?: number;
}

/** A link from a result to a file. */
export interface LinkedFile extends FileRef {
  /** Why the file is linked, for example "3 matches". */
  readonly description?: string;
  readonly size?: number;
  readonly modified?: number;
}

/** Maximum size of a resource in bytes. Results do not link to larger files. */
export const maximumResourceBytes = { text: 2 * 1024 * 1024, binary: 1024 * 1024 } as const;

/** The text of a result, and its files. */
export interface Rendering {
  /** The complete result as text. A long text may be a getter, because it is not needed for a client that uses only structured content. */
  readonly text: string;
  readonly links?: readonly LinkedFile[];
  readonly embedded?: readonly (EmbeddedText | EmbeddedBlob)[];
  readonly media?: readonly Media[];
}

interface ToolBase<Input, Output> {
  /** `verb_noun`, unique. */
  readonly name: string;
  readonly title: string;
  /** A sentence for the table in the README, when the first sentence of the description only helps models. */
  readonly summary?: string;
  readonly description: string;
  readonly toolset: Toolset;
  readonly risk: Risk;
  readonly input: InputSchema<Input>;
  readonly output: OutputSchema<Output>;
  /** The name of the tool whose rules apply; absent for its own name. */
  readonly judgedAs?: string;
  /** The name of the tool of which this is one kind. Rules and settings with that name apply to all its kinds. */
  readonly kindOf?: string;
  /** The tool is off until the user turns on the tool or its toolset. */
  readonly isOptional?: true;
  /** One result may be as long as the client reads at once, as the text of a file is. */
  readonly hasLongResults?: true;
  /** The tool works without an open folder. */
  readonly worksWithoutFolder?: boolean;
  /** The tool works in a workspace that the user has not trusted. */
  readonly worksUntrusted?: boolean;
  /** The tool neither reads nor shows the text of its targets, so that the user is asked about secret files instead of a refusal. */
  readonly isUnseen?: boolean;
  /** The `path` of the input names a file that need not exist, so it is taken exactly as it is written. */
  readonly namesNewPath?: true;
  /** Arguments that are valid, for the refusal of invalid ones; absent when the description has an example. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Seconds after which the call ends with `timeout`; 10 when absent. The time that the user takes does not count. */
  readonly timeLimitSeconds?: number;
  /**
   * Returns the addresses in the input, which the policy judges before the tool runs. A tool that finds its file by something else, as
   * by the id of a code action, returns none and calls `resolve` of its context itself.
   */
  targets(input: Input): readonly string[];
  render(data: Output): Rendering;
}

/** A tool that changes no file: it reads, or it shows something to the user (risk `ui`). */
export interface ReadingTool<Input, Output, Needs extends keyof ToolPorts> extends ToolBase<Input, Output> {
  readonly needs: readonly Needs[];
  /**
   * The names of the kinds of this tool in rules, settings and the record, by the value of its input field `kind`; absent for a tool
   * with one kind.
   */
  readonly namesByKind?: Readonly<Record<string, string>>;
  run(input: Input, context: ToolContext<Needs>, signal: AbortSignal): Promise<Output>;
}

/** A tool that changes something. It returns a proposal; asking the user and applying are not its task. */
export interface ProposingTool<Input, Needs extends keyof ToolPorts> extends ToolBase<Input, ChangeOutcome> {
  readonly needs: readonly Needs[];
  /** Returns the reason that the assistant gave, which the user sees as a quotation. */
  reason(input: Input): string | undefined;
  /** Returns the id of an approval of the same caller that this one replaces. */
  replaces?(input: Input): string | undefined;
  /** Returns the proposal. It has no effects, so it may be called again. */
  propose(input: Input, context: ToolContext<Needs>, signal: AbortSignal): Promise<Proposal>;
  /**
   * Runs an approved `action` once. The proposal may be from before a reload of the window. The policy has decided already, so the ports
   * are unrestricted; the tool itself checks that `definition` still names the same action (threat row A9). The action may take ten
   * minutes, and its signal is aborted when nobody waits for it any more.
   * @throws ToolError when the action failed, or was only partly done
   */
  act?(proposal: ActionProposal, ports: Pick<ToolPorts, Needs>, signal: AbortSignal): Promise<ActionResult>;
}

/** Any tool. Methods are bivariant in TypeScript, so a list of tools needs no `any`. */
export type Tool = ReadingTool<unknown, unknown, keyof ToolPorts> | ProposingTool<unknown, keyof ToolPorts>;

/** Returns a tool that reads or shows something, unchanged; it infers the types of input, output and `needs`. */
export function defineTool<Input, Output, const Needs extends keyof ToolPorts>(
  tool: ReadingTool<Input, Output, Needs>,
): ReadingTool<Input, Output, Needs> {
  return tool;
}

/** Returns a tool that proposes a change or an action, unchanged; it infers the types of input and `needs`. */
export function defineProposingTool<Input, const Needs extends keyof ToolPorts>(
  tool: ProposingTool<Input, Needs>,
): ProposingTool<Input, Needs> {
  return tool;
}

/** A source of tools that come and go: commands that the user allows, and tools of other extensions. */
export interface ToolSource {
  /** The tools there are now; the same array until they change. */
  readonly tools: readonly Tool[];
  readonly onDidChange: Event<void>;
}

/** The tools of a window. */
export interface ToolCatalog {
  readonly tools: readonly Tool[];
}

/** Returns the input schema of a strict zod object. Its JSON Schema is made when it is first read, since that takes time. */
export function inputFromZod<Input>(schema: z.ZodType<Input>): InputSchema<Input> {
  let made: JsonSchema | undefined;
  const jsonSchema = (): JsonSchema => (made ??= publicSchema(schema, 'input'));
  return {
    get jsonSchema() {
      return jsonSchema();
    },
    parse(value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw new InvalidArgumentsError(problemsInWords(parsed.error, value, jsonSchema()));
      return parsed.data;
    },
  };
}

/** Returns the output schema of a zod object. Its JSON Schema is made when it is first read, since many clients never get it. */
export function outputFromZod<Output>(schema: z.ZodType<Output>): OutputSchema<Output> {
  let made: JsonSchema | undefined;
  return {
    get jsonSchema() {
      return (made ??= publicSchema(schema, 'output'));
    },
    check(value) {
      checkOutput(schema, value);
    },
  };
}

function publicSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    ...(io === 'input' && { override: ({ jsonSchema }) => omitObviousKeywords(jsonSchema) }),
  });
  return rest;
}

/** Removes keywords that models do not need, to save tokens. The error for invalid arguments names them. */
function omitObviousKeywords(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.default === false) delete schema.default;
}

/**
 * Checks that data matches a schema and has no unknown fields: the public schema allows none, and a client that validates refuses the
 * whole result.
 * @throws Error that names the field, but not its content
 */
export function checkOutput(schema: z.ZodType, data: unknown): void {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new Error(`The output does not match its schema: ${issuesOf(parsed.error)}`);
  const unknown = unknownField(data, parsed.data, '');
  if (unknown !== undefined) throw new Error(`The output has a field that its schema does not know: ${unknown}`);
}

function issuesOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/** Returns the path of the first field that parsing removed, because the schema does not know it. */
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
