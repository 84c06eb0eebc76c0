import * as z from 'zod';
import { asToolError, runTool, type Call, type CoreDependencies } from './callTool.ts';
import { resourceOf, type BlobResource, type TextResource } from './result.ts';
import {
  defineTool,
  inputFromZod,
  maximumResourceBytes,
  InvalidArgumentsError,
  outputFromZod,
  ToolError,
  type EmbeddedBlob,
  type EmbeddedText,
  type ErrorCode,
} from './tool.ts';

export type ResourceOutcome =
  | { readonly kind: 'contents'; readonly contents: readonly (TextResource | BlobResource)[] }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** Answers `resources/read`: a call like any other, judged and recorded the same way. Never throws. */
export async function readResource(
  uri: string,
  call: Omit<Call, 'tool' | 'arguments'>,
  dependencies: CoreDependencies,
): Promise<ResourceOutcome> {
  try {
    const asked = { ...call, tool: reader.name, arguments: { uri } };
    const { rendering } = await runTool(reader, asked, dependencies);
    return { kind: 'contents', contents: (rendering.embedded ?? []).map(resourceOf) };
  } catch (error) {
    const { code, message, hint } = error instanceof InvalidArgumentsError ? notAddress(error) : asToolError(error);
    return { kind: 'error', code, message, hint };
  }
}

const content = z.object({
  path: z.string(),
  uri: z.string(),
  modified: z.number(),
  text: z.string().exactOptional(),
  blob: z.string().exactOptional(),
});

/** Reads a whole file, so it is no tool of the list: results have pages. */
const reader = defineTool({
  name: 'read_resource',
  judgedAs: 'read_file',
  title: 'Read resource',
  toolset: 'workspace',
  risk: 'read',
  needs: ['files'],
  worksUntrusted: true,
  description: 'The whole content of a file, text or binary.',
  input: inputFromZod(z.strictObject({ uri: z.string().min(1).max(16_384) })),
  output: outputFromZod(content),
  targets: ({ uri }) => [uri],
  async run(_input, { files, targets: [file] }): Promise<z.infer<typeof content>> {
    if (file === undefined) throw new Error('The address of the input was not resolved');
    const { path, uri, modified } = file;
    try {
      const { text } = await files.readText(file, maximumResourceBytes.text);
      return { path, uri, modified, text };
    } catch (error) {
      if (!(error instanceof ToolError && (error.code === 'binary_file' || error.code === 'undecodable'))) throw error;
      const bytes = await files.readBytes(file, maximumResourceBytes.binary);
      return { path, uri, modified, blob: Buffer.from(bytes).toString('base64') };
    }
  },
  render: ({ path, uri, modified, text, blob }) => {
    const embedded: EmbeddedText | EmbeddedBlob =
      text === undefined ? { path, uri, modified, blob: blob ?? '' } : { path, uri, modified, text };
    return { text: '', embedded: [embedded] };
  },
});

function notAddress(error: InvalidArgumentsError): ToolError {
  return new ToolError(
    'unsafe_path',
    `This is no address of a file: ${error.message}.`,
    'Use the uri of a resource link.',
  );
}
