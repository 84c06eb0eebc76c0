import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  Server,
  type Implementation,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { invalidParams } from './protocolErrors.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's message about invalid parameters: zod's issues as JSON. */
const issuesOfSdk = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })));

/**
 * The SDK's Server with readable errors for invalid parameters. The SDK answers them with a dump of the validator, mostly
 * with -32603, while the specification wants -32602. The handlers throw only ProtocolError.
 */
export class ProtocolServer extends Server {
  readonly #started: (context: ServerContext) => () => void;

  /** @param started called before each request; the returned function is called after all its questions to the client */
  constructor(info: Implementation, options: ServerOptions, started: (context: ServerContext) => () => void) {
    super(info, options);
    this.#started = started;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line no-underscore-dangle -- the SDK's hook for subclasses
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      const settled = this.#started(context);
      try {
        return await wrapped(request, context);
      } catch (error) {
        const dump = dumpIn(error);
        if (dump === undefined && (error instanceof ProtocolError || error instanceof SdkError)) throw error;
        throw malformed(method, dump);
      } finally {
        settled();
      }
    };
  }
}

/** Returns zod's issues from an error message; the SDK puts a prefix before those of `tools/call`. */
function dumpIn(error: unknown): string | undefined {
  return error instanceof Error ? /^(?:Invalid \S+ request: )?(\[.*\])$/s.exec(error.message)?.[1] : undefined;
}

function malformed(method: string, dump: string | undefined): ProtocolError {
  try {
    const issues = issuesOfSdk.parse(dump);
    const said = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    return invalidParams(`Invalid params for ${method}: ${said}`);
  } catch {
    return new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}
