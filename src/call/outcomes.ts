import type { Subscription } from '#base/event.ts';
import type { ErrorCode } from '#base/toolError.ts';
import type { PromptMessage } from './prompt.ts';
import type { Annotations, BlobResource, TextResource } from './result.ts';
import type { ClientRequest } from './tool.ts';

/** A refusal or failure of a request whose result has no `isError`. */
export interface RequestFailure {
  readonly kind: 'error';
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** A mistake of the caller, answered with the error -32602 in every revision. */
export interface InvalidRequest {
  readonly kind: 'invalid_params';
  readonly message: string;
}

/** The client must answer these requests first, and then sends its request again. */
export interface InputRequired {
  readonly kind: 'input_required';
  readonly requests: Readonly<Record<string, ClientRequest>>;
  readonly state: string | undefined;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
}

export type ResourceListOutcome =
  | { readonly kind: 'resources'; readonly resources: readonly ListedResource[]; readonly nextCursor?: string }
  | InvalidRequest
  | RequestFailure;

export type ResourceOutcome =
  { readonly kind: 'contents'; readonly contents: readonly (TextResource | BlobResource)[] } | RequestFailure;

export type WatchOutcome = { readonly kind: 'watching'; readonly watch: Subscription } | RequestFailure;

export type PromptOutcome =
  | { readonly kind: 'prompt'; readonly description: string; readonly messages: readonly PromptMessage[] }
  | InputRequired
  | InvalidRequest
  | RequestFailure;

/** The answer to `completion/complete`, with at most 100 values. */
export type CompletionOutcome =
  | {
      readonly kind: 'completion';
      readonly values: readonly string[];
      readonly total?: number;
      readonly hasMore: boolean;
    }
  | InvalidRequest
  | RequestFailure;

/** A request to complete an argument of a prompt, or a variable of a resource template. */
export interface CompletionRequest {
  readonly of: { readonly prompt: string } | { readonly uriTemplate: string };
  readonly argument: string;
  readonly typed: string;
  /** The arguments that are already filled in, by name. */
  readonly others: Readonly<Record<string, string>>;
}
