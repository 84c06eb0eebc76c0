import {
  ProtocolError,
  ProtocolErrorCode,
  type Annotations as WireAnnotations,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import type { CallOutcome } from '#call/callTool.ts';
import type { Annotations, ContentBlock, ToolResult } from '#call/result.ts';
import type { RevisionFeatures } from '#mcp/wire/revisions.ts';
import { ticketKey } from '#mcp/wire/ticket.ts';

type WireBlock = CallToolResult['content'][number];

/** Returns the outcome of a tool call in the form of the negotiated revision. @throws ProtocolError -32602 for invalid calls */
export function toolAnswer(
  outcome: Exclude<CallOutcome, { kind: 'input_required' }>,
  features: RevisionFeatures,
): CallToolResult {
  if (outcome.kind === 'result') {
    const result = toolResult(outcome.result, features);
    return outcome.ticket === undefined ? result : { ...result, _meta: { [ticketKey]: outcome.ticket } };
  }
  if (outcome.kind === 'invalid_arguments' && features.argumentErrorsAreResults) {
    return { content: [{ type: 'text', text: outcome.message }], isError: true };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.message);
}

function toolResult({ content, ...rest }: ToolResult, features: RevisionFeatures): CallToolResult {
  return { ...rest, content: content.flatMap((block) => blocksFor(block, features)) };
}

/** Replaces block types that the revision lacks, since clients refuse a whole result for one. A link is never the only copy. */
function blocksFor(block: ContentBlock, { audio, resourceLinks }: RevisionFeatures): WireBlock[] {
  if (block.type === 'resource_link' && !resourceLinks) return [];
  if (block.type === 'audio' && !audio) return [{ type: 'text', text: `[${block.mimeType} audio left out]` }];
  return [wireBlock(block)];
}

/** Returns a content block with the SDK's type. */
export function wireBlock(block: ContentBlock): WireBlock {
  return block.type === 'text' ? block : { ...block, annotations: wireAnnotations(block.annotations) };
}

/** Copies read-only annotations, since the SDK's types want mutable arrays. */
export function wireAnnotations({ audience, ...others }: Annotations): WireAnnotations {
  return { ...others, ...(audience !== undefined && { audience: [...audience] }) };
}
