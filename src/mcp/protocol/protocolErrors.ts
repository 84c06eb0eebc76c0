import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ErrorCode } from '#base/toolError.ts';
import type { InvalidRequest, RequestFailure } from '#call/outcomes.ts';

/**
 * Returns a failure as a JSON-RPC error, with code, message and hint in its data.
 * @param about further members of the data, such as the requested URI
 */
export function protocolError(
  failure: RequestFailure | InvalidRequest,
  about: Readonly<Record<string, string>> = {},
): ProtocolError {
  if (failure.kind === 'invalid_params') return invalidParams(failure.message);
  const { code, message, hint } = failure;
  return new ProtocolError(errorCode(code), message, { code, message, hint, ...about });
}

/** Returns error -32602 with this message. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** The SDK answers a missing resource with -32602 and its uri in `data` in both eras (SEP-2164 retired -32002). */
function errorCode(code: ErrorCode): number {
  return code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
}
