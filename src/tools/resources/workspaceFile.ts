import { ToolError } from '#base/toolError.ts';
import { mimeTypeOf } from '#call/mimeType.ts';
import { defineResource } from '#call/resource.ts';
import { maximumResourceBytes } from '#call/tool.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { filePaths } from '../completions/filePaths.ts';

const scheme = 'drawbridge:';
const prefix = `${scheme}//files/`;

/**
 * The resource of a whole file, text or binary, without pages. Matches every address that is not our own, `file:` URIs of
 * links above all; the gate explains why other addresses are not files (threat row P12).
 */
export const workspaceFile = defineResource({
  address: { uriTemplate: `${prefix}{+path}` },
  name: 'file',
  title: 'File of the workspace',
  description: 'The whole content of a file by its workspace-relative path, as the editor holds it.',
  judgedAs: 'read_file',
  worksUntrusted: true,
  needs: ['files'],
  completions: { path: filePaths },
  match(uri) {
    if (uri.startsWith(prefix)) return { path: decoded(uri.slice(prefix.length)) };
    return uri.toLowerCase().startsWith(scheme) ? undefined : { path: uri };
  },
  targets: ({ path = '' }) => [path],
  async read(_variables, { files, targets: [file] }) {
    if (file === undefined) throw new Error('The address was not resolved');
    const { modified } = file;
    try {
      const { text } = await files.readText(file, maximumResourceBytes.text);
      return { mimeType: mimeTypeOf(file.path), modified, text };
    } catch (error) {
      if (!(error instanceof ToolError && (error.code === 'binary_file' || error.code === 'undecodable'))) throw error;
      const bytes = await files.readBytes(file, maximumResourceBytes.binary);
      return { mimeType: binaryTypeOf(file.path), modified, blob: Buffer.from(bytes).toString('base64') };
    }
  },
  watch({ fileChanges }, [file], changed) {
    if (file === undefined) throw new Error('The address was not resolved');
    if (file.kind === 'directory') {
      const message = `${quoted(file.path)} is a directory.`;
      throw new ToolError('unavailable', message, 'Subscribe to the files in it.');
    }
    return fileChanges.watch(file, changed);
  },
});

/** Decodes a path; a path that was never encoded may have a lone percent sign and stays unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the MIME type of a binary file; an unknown extension means text elsewhere, but not here. */
function binaryTypeOf(path: string): string {
  const type = mimeTypeOf(path);
  return type === 'text/plain' ? 'application/octet-stream' : type;
}
